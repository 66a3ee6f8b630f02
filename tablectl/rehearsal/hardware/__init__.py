"""Hardware in the loop without hardware: ``make hil``, or ``python -m tablectl.rehearsal.hardware [STEP…]``.

``step`` says what a step is, ``steps`` lists them, ``conformance`` and ``chained`` hold the firmware against
SPEC.md here and in a guest.
"""
