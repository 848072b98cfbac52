"""Reading the answer to our question whether a mail was theirs: yes, no, or not clear. Nothing else is read from it."""

from __future__ import annotations

from enum import StrEnum

from gm.mail.handle.sort_lines import sort_out
from gm.mail.handle.understand import Answered, without_quotes
from gm.mail.parse import phrases
from gm.mail.parse.message import Incoming

MOST_WORDS = 4  # of a greeting or a farewell


class Reply(StrEnum):
    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"  # nothing is done, and the question is put again


def reply(incoming: Incoming, question: Answered | None, number: int) -> Reply:
    """Yes is the one word CONFIRM and nothing beside it but a greeting: whatever else was written may take it back."""
    own = without_quotes(incoming, question)[0].own
    wishes = sort_out(own.text, "", incoming.name)
    first = next((line.strip() for line in own.text.split("\n") if line.strip()), "")
    confirmed = [c for c in wishes.commands if c.word == "CONFIRM" and c.argument.strip("# ") in ("", str(number))]
    if confirmed and len(wishes.commands) == len(confirmed) and not (wishes.orders or wishes.letters or wishes.talk):
        return Reply.YES if all(_harmless(line) for line in own.text.split("\n")) else Reply.UNCLEAR
    denied = len(first) < phrases.LONGEST_NO and phrases.NO.match(first) and not confirmed
    return Reply.NO if denied else Reply.UNCLEAR


def _harmless(line: str) -> bool:
    """Beside CONFIRM: a greeting or a name, of a few words, none of which denies anything."""
    return len(line.split()) <= MOST_WORDS and not phrases.DENIAL.search(line)
