"""What an archive keeps of a campaign, and what a Bell binds of it."""
