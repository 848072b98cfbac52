"""Kolokol: the Gamesmaster service for postal Russian Civil War."""

__version__ = "0.1.0"
