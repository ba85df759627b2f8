"""Plugins for the hosts that people run: one folder a host. Hosts do not know each other."""
