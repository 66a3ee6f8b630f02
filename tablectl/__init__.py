"""The daemon beside an automatic mahjong table."""

__version__ = "0.1.0"
