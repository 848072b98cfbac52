"""Authorization: signed links, sign-in tickets, and what a caller's credentials allow."""
