"""What a Phase looks like to its readers: The Bell, its map and its charts. Values in, text and pictures out."""
