"""The web: the player's desk, the Gamesmaster's desk, the reading room, and the same for programs."""
