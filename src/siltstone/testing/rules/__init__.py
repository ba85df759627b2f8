"""The rules of `ports.stores`, by theme; `siltstone.testing.stores` puts them together."""
