"""The answer to an invitation, in whatever sentence it is given: yes, no, or neither."""

from __future__ import annotations

import re
from enum import StrEnum

_YES = re.compile(
    r"\b(?:accept(?:ed|ing)?|count me in|i(?:['’]m| am) in|i(?:['’]ll| will)(?: gladly| happily)? play"
    r"|(?:love|happy|glad) to play)\b",
    re.I,
)
_NOT = r"(?:can(?:not|['’]?t)|(?:do|will|would|could) not|(?:do|would|could)n['’]?t|won['’]?t|(?:unable|not able) to)"
_NO = re.compile(
    rf"\b(?:declin(?:e|ed|ing)|no,? thanks?|count me out|not accept|{_NOT}\s+(?:\w+\s+){{0,2}}?(?:accept|play|join))\b",
    re.I,
)
_DOUBT = re.compile(r"\b(?:if|whether|before|until|unless|when)\s+i\b", re.I)


class InvitationAnswer(StrEnum):
    YES = "yes"
    NO = "no"


def answer_in(text: str) -> InvitationAnswer | None:
    """A no outweighs a yes in the same sentence ("I cannot accept"); both in different ones, or an `if`: neither."""
    sentences = [s for s in re.split(r"[.!?;\n]+", text[:4000]) if s.strip() and not _DOUBT.search(s)]
    found = {_said(sentence) for sentence in sentences} - {None}
    return found.pop() if len(found) == 1 else None


def _said(sentence: str) -> InvitationAnswer | None:
    if _NO.search(sentence):
        return InvitationAnswer.NO
    return InvitationAnswer.YES if _YES.search(sentence) else None
