"""Errors that a user caused and can fix: the command line shows them as one line, never as a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something the user gave cannot be used. `str()` says what; `hint` says what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class GmError(UserError):
    """A refusal by the campaign: a code and data for callers who word it themselves, one line and a hint for people."""

    def __init__(self, code: str, message: str, hint: str = "", **data: object) -> None:
        super().__init__(message, hint)
        self.code = code
        self.data = data


class NotFound(GmError):
    """There is no such campaign, seat, Bell or mail."""


class NotNow(GmError):
    """It cannot be done in the state that the campaign is in."""


class NotAllowed(GmError):
    """It is not for this person to do or to see."""


class Invalid(GmError):
    """What was given cannot be used; `data["problems"]` lists why where there are several reasons."""


class Conflict(GmError):
    """Somebody else has the name, or it is done already."""
