"""The view model of a Bell: everything that an issue says, as values."""
