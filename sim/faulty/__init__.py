"""Boards with one planted fault each: what proves that the conformance suite sees what it is there to see.

Each is the good twin with one thing wrong, small enough to read: a session that treats frames or orders
wrongly (``lines``, ``greetings``, ``orders``, ``stops``, ``events``), or a table that moves wrongly
(``tables``).
``planted`` lists them all with the requirement each breaks.
"""
