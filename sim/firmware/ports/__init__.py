"""The firmware on microcontrollers, real or emulated."""
