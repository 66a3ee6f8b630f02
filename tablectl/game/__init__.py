"""What happens at the table: pure state machines over plain data.

``step`` takes one recorded input and returns effects. Nothing here does I/O, reads a clock or draws a
random number, so the same journal gives the same state, byte for byte.
"""
