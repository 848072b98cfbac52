"""Rendering Bells for the campaign: in this process, or in one of its own."""
