"""What a Gamesmaster does with a campaign: creating it, its deadlines and options, corrections of positions."""
