"""An unmodified table: keys and lamps, no word to any computer; and the relay board wired across them."""
