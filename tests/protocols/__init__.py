"""Tests of the protocols package; they mirror its tree."""
