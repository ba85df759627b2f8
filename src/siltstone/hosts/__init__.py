"""Hosts: the agents that people already run, one folder each. Hosts do not know each other."""
