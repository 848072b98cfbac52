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
_DOUBT = re.compile(
    r"\b(?:if|whether|before|until|till|unless|when i|perhaps|maybe|possibly|might|not (?:yet|sure|certain)|unsure)\b",
    re.I,
)
_ASKS = re.compile(
    r"^\W*(?:(?:and|but|or|so)\W+)?(?:(?:would|could|can|may|might|shall|should|will|do|does|did|is|are|am|was|must)\b|"
    r"what|when|where|which|who|why|how)",
    re.I,
)
_SENTENCE = re.compile(r"[^.!?;]*[.!?;]*")
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*[A-Z])")
_FEW = 3  # words of a sentence that belongs to the one before it: `Perhaps.`


class InvitationAnswer(StrEnum):
    YES = "yes"
    NO = "no"


def answer_in(text: str) -> InvitationAnswer | None:
    """A no outweighs a yes in the same sentence ("I cannot accept"); both in different ones, an `if`, a question or a
    `perhaps`: neither."""
    found = set[InvitationAnswer | None]()
    for block in _BREAK.split(text[:4000]):
        for sentence in _SENTENCE.findall(block):
            doubts = _DOUBT.search(sentence)
            if doubts and len(sentence.split()) <= _FEW:
                return None
            if not doubts:
                found.add(_said(_without_question(sentence)))
    found.discard(None)
    return found.pop() if len(found) == 1 else None


def _without_question(sentence: str) -> str:
    """`I accept, when does it begin?` says something before it asks."""
    if _ASKS.match(sentence):
        return ""
    said, _, asked = sentence.rpartition(",") if sentence.rstrip().endswith("?") else (sentence, "", "")
    return said if not asked or _ASKS.match(asked) else ""


def _said(sentence: str) -> InvitationAnswer | None:
    if _NO.search(sentence):
        return InvitationAnswer.NO
    return InvitationAnswer.YES if _YES.search(sentence) else None
