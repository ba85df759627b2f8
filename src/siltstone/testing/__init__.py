"""Conformance suites for those who write a store or a model. They need pytest, the state machine hypothesis as well.

| module | what it holds |
|---|---|
| `stores` | `StoreContract`: every rule of `ports.stores`, one a test |
| `machine` | `StoreMachine`: random steps, crashes among them, on a store beside an oracle |
| `models` | `EmbedderContract`: every rule of an embedder |
| `clock` | `ManualClock`: time and ids that tests own |
| `projector` | `WordProjector`: a small fold that exercises all of a store |
"""
