"""Checking orders against the published position, before the deadline."""
