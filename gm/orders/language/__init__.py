"""Lexer, grammar and names of the order language: from a player's text to orders."""
