"""Mail as the campaign stores it: inbox, outbox, letters between players and press."""
