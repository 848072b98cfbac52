"""Pages for every reader: front page, archive, maps."""
