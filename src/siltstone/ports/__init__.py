"""What the engine needs from outside, as protocols: stores, models, the clock. No implementation lives here."""
