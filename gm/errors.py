"""Errors that a person caused and can mend: the command line shows them as one line, never as a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something the user gave cannot be used. `str()` says what; `hint` says what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
