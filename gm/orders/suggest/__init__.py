"""Suggestions for a line or a name that was not understood."""
