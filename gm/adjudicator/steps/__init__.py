"""The steps of a Phase and their parts; the order in which they run is in sequence.py.

Parts: battle, battlefield and exchange belong to combat; claims to movement; committee and spoils to purge and
execution; pregame to trades and spoils.
"""
