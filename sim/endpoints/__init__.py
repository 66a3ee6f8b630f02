"""The ends of the line at the board's side: in memory, and a pty that behaves like a UART."""
