"""The what-if room: a Phase played many times with dice of its own, and what came of it, as shares."""
