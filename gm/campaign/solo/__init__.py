"""Games of one person, without deadlines: against four stand-ins, or by the solitaire rules (18-28)."""
