"""The pages of a player's seat: desk, letters, settings."""
