"""A session in which everything happens that a referee is there for, by plan, and what became of each."""
