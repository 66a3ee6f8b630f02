"""What the firmware's pins are wired to: motors with mass, switches at the ends of ways, tiles, keys."""
