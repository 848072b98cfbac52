"""Data for the page on which players write orders: live check, reachable provinces, choices of the forms."""
