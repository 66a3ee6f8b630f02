"""How tables talk: frames, messages, sessions and byte streams. Knows nothing of mahjong rules."""
