"""The order language: text -> orders and problems -> canonical text, and what can be said before the deadline.

To add an order: a class in model.py, a rule in grammar.lark with its keywords in lexer.py, a method in build.py, a
printer in printer.py, an entry in catalogue.py, and a checker in one of check_*.py listed in check.py. The tests of
tests/orders miss whatever is forgotten.
"""
