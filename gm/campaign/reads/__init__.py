"""Read-only queries for pages, mail answers and monitoring."""
