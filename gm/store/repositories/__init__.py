"""All database queries, by subject."""
