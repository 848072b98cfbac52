"""What every step works with: the Phase in play, the working position, stacks, casualties."""
