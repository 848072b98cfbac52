"""Stand-in players: orders for a seat that nobody plays, from what every reader of The Bell knows."""
