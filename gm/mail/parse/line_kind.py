"""Classifying a line of a mail as order, command or conversation. A guess from the look of the line only:
what looks like an order goes to the parser, which alone says whether it is one; what does not is shown back,
never dropped unseen."""

from __future__ import annotations

import re
from html import unescape

from rapidfuzz.distance import OSA

from gm.mail.parse import phrases
from gm.orders.kinds.catalogue import STANDING, VERBS
from gm.orders.language.sheet import DIRECTIVES

KEYWORDS = frozenset((*VERBS, STANDING.verb, *map(str.upper, DIRECTIVES)))
# fmt: off
COMMANDS = frozenset((
    "HELP", "STATUS", "POSITIONS", "MAP", "HISTORY", "RULINGS", "WHOAMI", "ABSENT", "EXTEND", "LETTER", "JOIN",
    "READY", "WAIT", "ZONE", "CONFIRM", "LEAVE", "UNSUBSCRIBE", "WHATIF",
    "PROPOSE", "AGREE", "DISAGREE", "CONFIRM RESIGN", "CONFIRM LEAVE",
))
# fmt: on
MAX_COMMAND = 600  # characters of a command with all that belongs to it; nobody writes a longer one
_LEAD = re.compile(r"^\s*(?:[-*•·–+o]\s+|\(?\d{1,3}[.):]\s*)*")  # bullets and numbers
_WORD = re.compile(r"[A-Za-z]+")
WIDEST = 78  # columns of a line that no mail program breaks
_PARAGRAPH = re.compile(r"(<p(?: [^<>]{0,200})?>)([^<]{1,2000})(?=<)")
_BEGINS = re.compile(r"^\s*+(?:== |\* |\+\+|[A-Z]\d+\. )")  # a heading, an item of a list, an order with its number
_PATH = re.compile(r"\b[A-Z]{4}\s?[-–—]\s?[A-Z]{4}\b")
_COUNTER = re.compile(r"\b[RWGB][UL]\d?\s+[A-Za-z]{3,}|\b[RWGB][UL]\d\b")
_STANDS_IN = re.compile(r"[A-Z]{4}: ?(?=[RWGB][UL]\d)")  # a line of The Bell: a province and what is in it
_GOES_ON = re.compile(r"^(?:[-(+,)]|(?:TO|WITH|USING|DIVIDE|TAKING|BY|FOR|IN|FROM|IF|SEPARATELY)\b|[A-Z]{4}\b)")
_BREAKS_OFF = re.compile(r"(?:[,\\(+:-]|\b(?:TO|WITH|USING|DIVIDE|TAKING|BY|FOR|IN|FROM))$")
# Keywords that also open ordinary sentences: then something of an order must follow.
_SHAPE = {
    "GIVE": re.compile(r"\b(?:PM|AM|politburo|assassin|to|for)\b", re.I),
    "TAKE": re.compile(r"[A-Z]"),
    "ADD": re.compile(r"^\W*$"),
    "DONE": re.compile(r"^\W*$"),
    "DEPLOY": re.compile(r"\b(?:to|on)\b", re.I),
    "EXIT": re.compile(r"[BG]U|#\d"),
    "REFUSE": re.compile(r"\b(?:gifts?|execution)\b", re.I),
    "ACCEPT": re.compile(r"\bfrom\b", re.I),
    "ORDERS": re.compile(r"\b(?:19\d\d|turn|phase|first|second|pregame|before the game)\b", re.I),
    "HOLD": re.compile(r"^\W*$|^\s+all\b\W*$|^\s+[A-Z]"),
    "STANDING": re.compile(r"\b(?:counterpurge|comply|refuse|lose|vote)\b", re.I),
    "PRESS": re.compile(r""),
    "CANCEL": re.compile(r"\ball\b", re.I),
    "VOTE": re.compile(r"\b(?:end|continue)\b", re.I),
}


def strip_lead(line: str) -> str:
    """The line without its bullet or number."""
    return _LEAD.sub("", line, count=1)


def first_word(line: str) -> str:
    found = _WORD.match(strip_lead(line))
    return found.group().upper() if found else ""


def keyword(line: str) -> str | None:
    """The order or command that the line opens with, as far as its shape can be one.

    Blanks are folded first: patterns with several `\\s*` would take their number's cube to see that a line is none.
    """
    body = " ".join(strip_lead(line).split())
    found = _WORD.match(body)
    if not found or phrases.IDIOM.match(body):
        return None
    word, rest = found.group().upper(), body[found.end() :]
    if len(body) <= MAX_COMMAND:
        if word in ("ACCEPT", "JOIN", "YES") and _JOIN.match(rest):
            return "JOIN"  # the answer to an invitation; ACCEPT with a Leader behind it is an order
        if _NOT_READY.match(body):
            return "WAIT"
        if confirmed := _CONFIRMED.match(body):
            return f"CONFIRM {(confirmed[1] or confirmed[2]).upper()}"  # as the answer to RESIGN or LEAVE asks
    if word in KEYWORDS:
        shape = _SHAPE.get(word)
        # In capitals it is meant as an order: the parser says what is wrong with it. But ORDERS: alone is a heading.
        meant = found.group().isupper() and word != "ORDERS"
        if shape is None or meant or shape.search(rest):
            return word
        return None
    return word if word in COMMANDS and len(body) <= MAX_COMMAND and command_shape(word, rest) else None


_JOIN = re.compile(r"^[\s,:]*+(?:(?:i )?accept)?\s*+(?:(?:the|your) invitation)?[^\w?]*+$", re.I)
_NOT_READY = re.compile(r"^(?:(?:i am|i'm)\s+)?not\s+(?:yet\s+)?ready(?:\s+yet)?\W*$", re.I)
_TO_STANDIN = r"\W+to\W+(?:(?:a|the)\W+)?stand\W?in"
_CONFIRMED = re.compile(
    rf"^(?:confirm(?:ed)?\W+(resign|leave)(?:{_TO_STANDIN})?|(resign|leave)\W+confirm(?:ed)?)\W*$", re.I
)
_POLITE = r"(?:\s*,?\s*(?:please|pls|bitte|svp|thanks|por favor)\W*)?"
_COMMAND_SHAPES = {
    "HELP": re.compile(rf"^\s*[:!?.]*\s*(?:(?:with|on|about|for)\s+)?[\w ,/.-]{{0,40}}?{_POLITE}[.!?]*\s*$", re.I),
    "MAP": re.compile(rf"^\s*{_POLITE}[.!?]*\s*$", re.I),
    "STATUS": re.compile(rf"^\s*{_POLITE}[.!?]*\s*$", re.I),
    "WHOAMI": re.compile(rf"^\s*{_POLITE}[.!?]*\s*$", re.I),
    "POSITIONS": re.compile(rf"^\s*(?:(?:of|for|in)\s+)?(?:\w{{1,20}})?{_POLITE}[.!?]*\s*$", re.I),
    "HISTORY": re.compile(rf"^\s*#?\d{{0,3}}{_POLITE}[.!?]*\s*$", re.I),
    "RULINGS": re.compile(rf"^\s*(?:J?\d{{1,2}}(?:[./]\d{{1,3}}){{0,2}})?{_POLITE}[.!?]*\s*$", re.I),
    "ABSENT": re.compile(r"^\s*[:]?\s*(?:from|until|till|to|on|\d|over).{0,120}$|^\s*$", re.I),
    "EXTEND": re.compile(r"^.{0,200}$"),
    "READY": re.compile(rf"^\s*(?:now)?{_POLITE}[.!]*\s*$", re.I),
    "WAIT": re.compile(rf"^\s*(?:for me|no|off|no more)?{_POLITE}[.!]*\s*$", re.I),
    "ZONE": re.compile(r"^\s*:?\s*[A-Za-z]+(?:/[A-Za-z_+-]+){0,2}\s*$"),
    "CONFIRM": re.compile(rf"^\s*#?\d{{0,12}}{_POLITE}[.!]*\s*$", re.I),
    "UNSUBSCRIBE": re.compile(r"^\s*[a-z0-9-]{0,60}\s*$", re.I),
    "PROPOSE": re.compile(r"^\s*:?\s*(?:give|purge|execute)\b", re.I),
    "AGREE": re.compile(rf"^\s*(?:to|with)?\s*(?:proposal)?\s*#?\d{{1,4}}{_POLITE}[.!]*\s*$", re.I),
    "DISAGREE": re.compile(rf"^\s*(?:to|with)?\s*(?:proposal)?\s*#?\d{{1,4}}{_POLITE}[.!]*\s*$", re.I),
    "WHATIF": re.compile(rf"^\s*(?:\d{{1,4}}(?:\s+times)?)?(?:\s*,?\s*alone)?{_POLITE}[.:!?]*\s*$", re.I),
    "JOIN": re.compile(r"^\W*$"),
    "LEAVE": re.compile(rf"^(?:\s+(?:my|the)\s+seat)?{_TO_STANDIN}{_POLITE}\W*$", re.I),
    "LETTER": re.compile(r"^\s*(?:to|anonymous|anonymously)\b", re.I),
}


def command_shape(word: str, rest: str) -> bool:
    shape = _COMMAND_SHAPES.get(word)
    return shape is None or bool(shape.match(rest))


def nearly_keyword(line: str) -> bool:
    """`MVOE Lenin: PETR-PSKO`: a slip in the first word, with something of an order behind it."""
    word = first_word(line)
    if len(word) < 4 or word in KEYWORDS or tells_position(line):
        return False
    limit = 1 if len(word) < 6 else 2
    near = (k for k in KEYWORDS if abs(len(k) - len(word)) <= limit)
    close = any(OSA.distance(word, k, score_cutoff=limit) <= limit for k in near)
    rest = strip_lead(line)[len(word) :]
    if not close or phrases.header_line(line) is not None:  # `Subject:` is no SUBVERT
        return False
    return ":" in rest or word_in_capitals(line) or has_pieces(rest)


def tells_position(line: str) -> bool:
    """`VITE: GU2 VITE; BU2 VITE/GE`, as The Bell prints it; a slip of MOVE has somewhere to go to."""
    body = strip_lead(line)
    going = _PATH.search(body) or " to " in body.lower()
    return bool(_STANDS_IN.match(body)) and first_word(line) not in KEYWORDS and not going


def word_in_capitals(line: str) -> bool:
    found = _WORD.match(strip_lead(line))
    return bool(found and found.group().isupper())


def has_pieces(line: str) -> bool:
    """Counters or a path stand in it."""
    return bool(_PATH.search(line) or _COUNTER.search(line))


def may_go_on(above: str, line: str) -> bool:
    """Whether an order above may be broken off there, and go on in this line."""
    return bool(_GOES_ON.match(line) or _BREAKS_OFF.search(above))


def looks_like_order(line: str) -> bool:
    line = line[:400]
    word = keyword(line)
    if word is not None:
        return word in KEYWORDS
    return not tells_position(line) and (nearly_keyword(line) or has_pieces(line))


def looks_like_command(line: str) -> bool:
    word = keyword(line[:400])
    return word in COMMANDS if word else False


def meant_for_us(line: str) -> bool:
    return looks_like_order(line) or looks_like_command(line)


def barred(text: str) -> str:
    """A text of ours in which no line can be taken for a request when it comes back quoted: a bar before each line
    of a paragraph, or item of a list, that holds one."""
    groups: list[list[str]] = [[]]
    for line in text.split("\n"):
        before = groups[-1][-1].strip() if groups[-1] else ""
        if not before or before.startswith(("== ", "++")) or not line.strip() or _BEGINS.match(line):
            groups.append([])
        groups[-1].append(line)
    return "\n".join(line for group in groups for line in _barred(group))


def barred_page(html: str) -> str:
    """The same for HTML, of which programs make text when they quote: each paragraph is a line there."""
    return _PARAGRAPH.sub(lambda p: f"{p[1]}| {p[2]}" if keyword(unescape(p[2])) else p[0], html)


def _barred(group: list[str]) -> list[str]:
    group = _rewrapped(group)
    if not any(keyword(line) for line in group):
        return group
    return [line if line.startswith("|") else f"| {line}" for line in group]


def _rewrapped(group: list[str]) -> list[str]:
    """A sentence whose line began, by chance, with a word that orders begin with: the word before it goes down too."""
    out = group[:1]
    for line in group[1:]:
        words = line.split()
        if words and words[0][0].islower() and keyword(line):
            kept, _, moved = out[-1].rpartition(" ")
            changed = f"{line[: len(line) - len(line.lstrip())]}{moved} {line.lstrip()}"
            if moved and kept.strip() and len(changed) <= WIDEST and not keyword(changed) and not keyword(kept):
                out[-1], line = kept.rstrip(), changed
        out.append(line)
    return out
