"""A mahjong table made of software: mechanism, firmware twin, seats, players and the lines to them."""
