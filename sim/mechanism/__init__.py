"""The physics of the table: two tile sets, drum, walls, lift and dice, with the time each motion takes."""
