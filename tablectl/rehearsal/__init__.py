"""Daemon and simulated table in one room: demos, scripts, campaigns. The only package that knows both."""
