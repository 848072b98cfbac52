"""The fanatic style: the tables and dice of the article *Solitaire for Fanatics*."""
