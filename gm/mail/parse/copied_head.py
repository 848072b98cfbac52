"""Finding the head of another mail that a program copied into a text, above what it forwards or quotes without marks.

The names of its fields are known in many languages, and then tell who wrote what stands below. But there is always one
more language: some short lines `Name: value` under one another, an address or a date of our days among them, are such
a head whatever the names are. Who wrote what stands below that cannot be told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from gm.mail.parse import phrases
from gm.mail.parse.line_kind import keyword, meant_for_us

FEWEST = 3  # fields of a head whose language is not known
_LONGEST = 14  # lines of a head that are looked at
_LONGEST_LINE = 400
_FIELD = re.compile(r"^[\s>|*_•]{0,40}[^\W\d_][^:：@\d]{0,30}[:：](?!//)[\s*_]{0,6}(.{0,400})$")
_ADDRESS = re.compile(r"[^\s@<>:;,]@[^\s@<>.]{1,64}\.")
# Of our days: those of the game are of 1917 to 1922.
_DATE = re.compile(r"(?<!\d)(?!19\d\d(?!\d))\d{4}(?!\d)|\d{1,4}[.년年/-]\s?\d{1,2}[.월月/-]\s?\d{1,4}")
_DRAWN = re.compile(r"^\W{0,4}([-_–—=*])\1.{1,80}\1\1\W{0,4}$")
_QUOTED = re.compile(r"^\s{0,8}(?:[>＞]|&gt;) ?")
_ANY_ADDRESS = re.compile(r"[\w.+'-]{1,64}@[\w.-]{1,200}")
_HOUR = re.compile(r"(?<!\d)\d{1,2}[:.]\d{2}(?!\d)")
_MOST_WORDS = 8  # of a line that is nothing but a name and an address, or a date


def is_field(line: str) -> bool:
    """`Predmet: Re: The Bell`; a line that asks us for something is none."""
    return _value(line) is not None


@lru_cache(maxsize=256)  # each line is asked about from every line above it
def _value(line: str) -> str | None:
    if len(line) > _LONGEST_LINE or not (":" in line or "：" in line):
        return None
    found = _FIELD.match(line)
    return found.group(1) if found and keyword(line) is None else None


@lru_cache(maxsize=256)
def _tells(text: str) -> bool:
    return bool(_ADDRESS.search(text) or _DATE.search(text))


def in_known_words(lines: Sequence[str], index: int) -> bool:
    """A head begins here, and its language is known."""
    found = phrases.header_line(lines[index])
    if not found or found[0] not in ("from", "sent"):
        return False
    kinds: set[str] = set()
    for line in lines[index : index + 10]:
        if header := phrases.header_line(line):
            kinds.add(header[0])
        elif line.strip() and not line.startswith((" ", "<")) and "@" not in line:
            break
    return len(kinds) >= 3 and "from" in kinds


def names_a_sender(line: str) -> bool:
    found = phrases.header_line(line)
    return found is not None and found[0] == "from"


def in_few_words(lines: Sequence[str], index: int) -> bool:
    """`From: Anna` and directly below it `Subject: ...` or a date, and no more."""
    if not names_a_sender(lines[index]):
        return False
    below = phrases.header_line(next((line for line in lines[index + 1 : index + 3] if line.strip()), ""))
    return below is not None and below[0] in ("subject", "sent")


def in_any_words(lines: Sequence[str], index: int, fewest: int = FEWEST) -> bool:
    """A head begins here, in whatever language: as many fields, their values perhaps in the lines below them."""
    if not is_field(lines[index]):
        return False
    fields, bare = 0, False
    above = [line for line in lines[max(0, index - 6) : index] if line.strip()][-2:]  # as Notes does
    told = any(_tells(line[:200]) for line in above if keyword(line) is None)
    for line in lines[index : index + _LONGEST]:
        if not line.strip():
            continue
        value = _value(line)
        if value is not None:
            fields += 1
            told, bare = told or _tells(value), not value.strip()
        elif keyword(line) is None and (bare or line.startswith((" ", "<")) or _ADDRESS.search(line)):
            told, bare = told or _tells(line), False
        else:
            break
        if fields >= fewest and told:
            return True
    return False


def in_one_line(line: str) -> bool:
    """`From: Boris Sent: Monday To: Anna Subject: plan`, which was lines before a program folded it."""
    return len(line) <= _LONGEST_LINE and names_a_sender(line) and phrases.fields_in(line) >= FEWEST


def names_another(line: str, known: Collection[str]) -> bool:
    """An address that is none of the known, and a day or an hour."""
    return _names_another(line, known) and _dates(line)


def names_another_in_two_lines(first: str, second: str, known: Collection[str]) -> bool:
    """The same, with nothing but a name and the address in one of them and nothing but the date in the other."""
    if any(not line or len(line.split()) > _MOST_WORDS for line in (first, second)):
        return False
    return any(
        _names_another(a, known) and "@" in a.split()[-1] and "@" not in b and _dates(b)
        for a, b in ((first, second), (second, first))
    )


def _names_another(line: str, known: Collection[str]) -> bool:
    if "@" not in line or len(line) > _LONGEST_LINE:
        return False
    return any(address.lower().strip(".") not in known for address in _ANY_ADDRESS.findall(line))


def _dates(line: str) -> bool:
    line = _ANY_ADDRESS.sub(" ", line[:_LONGEST_LINE])
    return bool(_DATE.search(line) or _HOUR.search(line))


def under_a_drawn_line(lines: Sequence[str], index: int) -> bool:
    """`---- Preposlaná správa ----`: words between dashes, and something of a head in them or right below."""
    line = lines[index].strip()[:_LONGEST_LINE]
    if not _DRAWN.match(line) or keyword(line.strip(" -_–—=*")):
        return False
    if _tells(line):
        return True
    below = next((n for n in range(index + 1, min(index + 4, len(lines))) if lines[n].strip()), None)
    if below is None or keyword(lines[below]):
        return False
    return in_any_words(lines, below, 1) or bool(_ADDRESS.search(lines[below][:200]))


def read(lines: Sequence[str]) -> tuple[str, list[str]]:
    """The sender named in a copied head, "" where that is not certain, and the lines below the head."""
    sender, last = "", ""
    index = 0
    seen = 0
    while index < len(lines):
        line = _QUOTED.sub("", lines[index])
        header = phrases.header_line(line)
        if header:
            seen, last = seen + 1, header[0]
            if last == "from":
                sender = _address(header[1])
        elif line.strip() and not phrases.RULE.match(line):
            folded = seen and (line.startswith((" ", "<")) or ("@" in line and not meant_for_us(line)))
            if not folded and not (seen and index and _mid_head(lines, index)):
                break
            if last == "from" and not sender and not is_field(line):
                sender = _address(line)
            last = ""
        elif not line.strip() and seen >= 2 and not _mid_head(lines, index):
            index += 1
            break
        index += 1
    return sender, list(lines[index:])


def _mid_head(lines: Sequence[str], index: int) -> bool:
    """A field follows directly."""
    after = lines[index + 1] if index + 1 < len(lines) else ""
    return phrases.header_line(_QUOTED.sub("", after)) is not None and not meant_for_us(lines[index])


def _address(text: str) -> str:
    """The one address in it. A name may be written as an address, too: of two none is believed."""
    found = {address.lower() for address in _ANY_ADDRESS.findall(text)}
    return found.pop() if len(found) == 1 else ""
