"""What exists: values, events, and the fold that turns events into records. Standard library only; no I/O, no clock."""
