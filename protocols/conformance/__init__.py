"""The conformance suite: does a board keep what SPEC.md requires? A verdict a requirement, with evidence.

It speaks raw frames over whatever carries bytes, so another program runs it on a line of its own:

    from protocols.conformance.suite import Settings, run_suite

    report = await run_suite(opener, Settings(motion=True, baud=0))
    assert not report.failed, report.failed

``opener`` is a ``protocols.transports.base.Opener``: an async function that is given a handler (``received``,
``lost``) and returns a stream (``write``, ``close``). ``MemoryEnd.open``, ``MemoryEndpoint.host`` and
``port_at(address).open`` are such; a byte pipe needs two small classes. The suite waits on the running event
loop alone, so under ``sim.timebase.run_virtual`` minutes cost a moment: whatever plays the board must then
also live on that loop's clock (a firmware stepped in lockstep: ``loop.call_later`` steps it; what it sends
goes to ``handler.received`` from the loop, never from inside ``write``).

``Settings.baud`` is the speed of the line, 0 where bytes take no time. ``restart`` may be given where the
board can be switched off and on: an async function that returns when the power is back. ``only`` picks
requirements. ``report.results`` has one ``Result`` a requirement, in the order of SPEC.md; ``passed``,
``failed`` and ``not_applicable`` are its parts.

This package knows neither a language nor a table made of software: evidence is a key and facts, put into
words by whoever shows it.
"""
