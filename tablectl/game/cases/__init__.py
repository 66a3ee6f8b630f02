"""Calls, proposals and rulings: how a referee is asked, what he decides, and what follows from it."""
