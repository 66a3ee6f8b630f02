"""Tests of the same-named part of the simulated table."""
