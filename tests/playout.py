"""Random players for tests: those of the rehearsal."""

from gm.rehearsal.player import RandomPlayer

__all__ = ["RandomPlayer"]
