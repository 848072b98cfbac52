"""The order language: parsing text into orders and problems, printing canonical text, checks before the deadline.

To add an order: a class in kinds/, a rule in language/grammar.lark, a method in language/build.py, a check in check/;
all steps are in CONTRIBUTING.md, "Adding an order".
"""
