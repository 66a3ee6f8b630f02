"""A controller board's own firmware in C99, and what it takes to run it without a board."""
