"""Pure functions on text: what is cleaned, cut, counted and dated. Standard library and stems only; no I/O."""
