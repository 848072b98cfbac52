"""The Gamesmaster's pages."""
