"""`gm doctor`: checks of everything an installation needs, with advice. It changes nothing."""
