"""Where the block of counters of each province goes on the drawn map."""
