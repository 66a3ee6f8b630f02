"""Every decoder of bytes or text from outside, fed with anything.

One small harness a decoder: a module with ``one(data)``, which raises only where there is a bug, and
``seeds()``, good inputs to begin from. `make fuzz` runs them with coverage guidance, `make test` with seeded
mutations for a moment, the long tests ten million times where the input comes from a wire.
"""
