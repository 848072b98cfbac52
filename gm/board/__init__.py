"""The game box: provinces, borders, rail, counters and tables, read from a data pack and checked."""
