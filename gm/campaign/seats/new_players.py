"""Parsing who is to play: a line of the form for a new campaign, an argument of a command."""

from __future__ import annotations

import re

from gm.campaign.ports import NewPlayer
from gm.standin.strategy import Style

MAX_LINE_CHARACTERS = 400
_STANDIN = re.compile(rf"(?:(?P<letter>[A-Za-z])\s*[:=.)]\s*)?(?P<style>{'|'.join(Style)})", re.IGNORECASE)
_LETTER, _NUMBERED = r"(?:(?P<letter>[A-Za-z])\s*[:=]\s*)?", r"(?:(?P<letter>[A-Za-z])(?:\s*[:=]\s*|[.)]\s+))?"
_PERSON = r"(?P<name>.*?)[\s,;<]+(?P<address>[^\s,;<>]+@[^\s,;<>]+)(?:>\s*|(?=[\s,;]|$))[\s,;]*(?P<zone>\S+)?"
_ALONE, _IN_A_LIST = re.compile(_LETTER + _PERSON), re.compile(_NUMBERED + _PERSON)


def new_player(line: str, in_a_list: bool = False) -> NewPlayer | None:
    """`Anna <anna@example.org>` or `Anna, anna@example.org`; a letter (`A: `) before and a time zone behind if wanted.

    `in_a_list`: `A. ` and `A) ` are letters too, which otherwise may begin a name. None if it is no person.
    """
    line = " ".join(line.split())
    if len(line) > MAX_LINE_CHARACTERS:  # the pattern is slow in long ones
        return None
    found = (_IN_A_LIST if in_a_list else _ALONE).fullmatch(line)
    if found is None:
        return None
    name = found["name"].strip(" \"'") or found["address"]
    return NewPlayer(name, found["address"], found["zone"] or "UTC", _letter(found))


def new_seat(line: str, in_a_list: bool = False) -> NewPlayer | None:
    """A person, or a style (`fanatic`, `C: commander`) for a seat that a stand-in has to itself; None for neither."""
    found = _STANDIN.fullmatch(line.strip())
    if found is None:
        return new_player(line, in_a_list)
    return NewPlayer("", "", letter=_letter(found), standin=Style(found["style"].lower()))


def _letter(found: re.Match[str]) -> str | None:
    return found["letter"].upper() if found["letter"] else None
