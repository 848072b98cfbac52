"""Creating a campaign and its seats, replacing players, deadlines and requests, options, solitaire games."""
