"""`gm doctor`: looks at everything an installation needs and says what to do. It changes nothing."""
