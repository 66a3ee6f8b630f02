"""One list of scenarios, played at every endpoint: whatever a board speaks, and whatever carries it.

A scenario (``acts``) is what a host does and what must come of it. An endpoint (``endpoint.Endpoint``,
``endpoints``) is one way to a board: a name, what is there, and levers for what can go wrong. A scenario says
what it needs; where an endpoint lacks it, the cell of the matrix says so. ``python -m
tablectl.rehearsal.scenarios`` plays all and writes ``docs/hil.md``.

Another endpoint is another module of ``endpoints``, and a line in its list.
"""
