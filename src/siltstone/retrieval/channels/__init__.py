"""Channels: ways of finding candidates. Each is a function (corpus, …) → one score a row on [0, 1], higher is better."""
