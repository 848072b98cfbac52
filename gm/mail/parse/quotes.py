"""Separating the sender's own text from quotations, forwarded mails, signatures and what mail programs append.
Line by line and in linear time; indentation is kept, for an indented LOSE belongs to its ATTACK."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import parseaddr

from gm.mail.parse import phrases
from gm.mail.parse.line_kind import keyword, looks_like_order, meant_for_us

_QUOTED = re.compile(r"^\s{0,3}>")
_UNQUOTE = re.compile(r"^\s{0,3}> ?")
_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_JUNK = str.maketrans(
    {"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\t": "    ", "\u2028": "\n", "\u2029": "\n"}
    | dict.fromkeys(_UNSEEN, None)
    | {chr(c): None for c in range(32) if c not in (9, 10)}
)
_DATED = re.compile(r"@|\d{1,2}[:.]\d{2}|(?:19|20)\d\d")
MAX_LINE = 4000
MAX_PHRASE = 400  # no program writes a longer one; and long lines are what makes patterns slow
MAX_NESTING = 3  # forwards inside one another that are read


@dataclass(frozen=True, slots=True)
class Forwarded:
    sender: str  # address, "" if it was not told
    text: str


@dataclass(frozen=True, slots=True)
class Own:
    """What the sender of a mail wrote themselves, and what else was in it."""

    text: str
    forwarded: tuple[Forwarded, ...] = ()
    below: str = ""  # quoted without marks (Outlook): perhaps with orders typed into it
    under_signature: tuple[str, ...] = ()  # lines under `-- ` that look like orders: told, not taken
    quoted: bool = False


def separate(text: str, *, forward: bool = False, depth: int = 0) -> Own:
    """`forward`: the subject says that it is a forwarded mail, so a copied header block opens what was forwarded."""
    lines = _lines(text)
    own: list[str] = []
    suspicious: list[str] = []
    quoted = False
    index = 0
    while index < len(lines):
        line = lines[index]
        if _QUOTED.match(line):
            quoted = True
            _drop_attribution(own)
            index = _end_of_quote(lines, index)
        elif _is_forward(line):
            return _with_forward(own, lines[index + 1 :], depth, suspicious)
        elif _opens_original(lines, index):
            rest = lines[index:]
            if forward and not phrases.ORIGINAL.match(line.strip()):
                return _with_forward(own, rest, depth, suspicious)
            return Own(_join(own), (), "\n".join(rest), tuple(suspicious), True)
        elif line.rstrip() == "--" and _is_signature(lines, index):
            index, cut = _skip_signature(lines, index)
            suspicious += [c for c in cut if keyword(c) and looks_like_order(c)]
        else:
            own.append(line)
            index += 1
    return Own(_join(own), (), "", tuple(suspicious), quoted)


def _is_forward(line: str) -> bool:
    return len(line) < MAX_PHRASE and bool(phrases.FORWARDED.match(line.strip()))


def _lines(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    text = _inline_pgp(text.translate(_JUNK))
    return [line[:MAX_LINE] if line.endswith("-- ") else line[:MAX_LINE].rstrip() for line in text.split("\n")]


def _inline_pgp(text: str) -> str:
    """Take the armour off a clear-signed text."""
    begin = re.search(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:\w+: .*\n)*\n", text, re.M)
    end = re.search(r"^-----BEGIN PGP SIGNATURE-----$", text, re.M)
    if not begin or not end or end.start() < begin.end():
        return text
    inner = re.sub(r"^- ", "", text[begin.end() : end.start()], flags=re.M)
    return text[: begin.start()] + inner


def _join(lines: list[str]) -> str:
    kept = [line for line in lines if len(line) > MAX_PHRASE or not phrases.FOOTER.match(line.strip())]
    return "\n".join(kept).strip("\n")


def _end_of_quote(lines: list[str], index: int) -> int:
    """Behind the quoted block. A mail program that wraps its own quotation leaves the tail of a line without a mark."""
    while index < len(lines) and _QUOTED.match(lines[index]):
        index += 1
        if _is_wrapped_tail(lines, index):
            index += 1
    return index


def _is_wrapped_tail(lines: list[str], index: int) -> bool:
    """A short unmarked line between two quoted lines, the one before long: a program cut it off, no person wrote it."""
    if index + 1 >= len(lines) or index < 1:
        return False
    before, line, after = lines[index - 1], lines[index], lines[index + 1]
    if len(before) < 66 or len(line) >= 40 or not line.strip():
        return False
    return bool(_QUOTED.match(after)) and keyword(line) is None


def _drop_attribution(own: list[str]) -> None:
    """Take `On ... wrote:` off the end of what was gathered, though it may be folded over three lines."""
    last = len(own) - 1
    while last >= 0 and not own[last].strip() and len(own) - last <= 3:
        last -= 1
    if last < 0 or not own[last].rstrip().endswith((":", "：")):
        return
    for count in (1, 2, 3):
        first = last - count + 1
        if first < 0 or (count > 1 and not own[first].strip()):
            break
        joined = " ".join(own[first : last + 1]).strip()
        if len(joined) < MAX_PHRASE and phrases.is_attribution(joined):
            if count == 1 and first and _opens_folded(own[first - 1]):
                first -= 1
            del own[first:]
            return
    if not meant_for_us(own[last]):
        del own[last:]


def _opens_folded(line: str) -> bool:
    return bool(phrases.ATTRIBUTION_OPENS.match(line)) and not meant_for_us(line)


def _opens_original(lines: list[str], index: int) -> bool:
    """Below this line stands the mail that is answered, without marks."""
    line = lines[index].strip()
    if not line or len(line) > MAX_PHRASE:
        return False
    if phrases.ORIGINAL.match(line):
        return True
    if phrases.RULE.match(line):
        return any(_is_header_block(lines, i) for i in range(index + 1, min(index + 4, len(lines))) if lines[i].strip())
    if _is_header_block(lines, index) or phrases.ATTRIBUTION_AND_MORE.match(line):
        return True
    # An attribution with no marked quotation below it: all the rest is the quotation.
    for count in (1, 2, 3):
        folded = " ".join(lines[index : index + count]).strip()
        if len(folded) < MAX_PHRASE and phrases.is_attribution(folded) and _DATED.search(folded):
            following = next((n for n in lines[index + count :] if n.strip()), "")
            return not _QUOTED.match(following) and not meant_for_us(lines[index])
    return False


def _is_header_block(lines: list[str], index: int) -> bool:
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


def _is_signature(lines: list[str], index: int) -> bool:
    """`-- ` is one. `--` alone is one unless orders stand below it: then it was a line somebody drew."""
    if lines[index] == "-- ":
        return True
    return not any(keyword(line) and looks_like_order(line) for line in lines[index + 1 : index + 40])


def _skip_signature(lines: list[str], index: int) -> tuple[int, list[str]]:
    """A signature reaches to the quotation below it or to the end."""
    start = index + 1
    index = start
    while index < len(lines):
        if _QUOTED.match(lines[index]) or _is_forward(lines[index]) or _opens_original(lines, index):
            break
        # The attribution of the quotation below belongs to it and goes with the signature.
        index += 1
    return index, lines[start:index]


def _with_forward(own: list[str], rest: list[str], depth: int, suspicious: list[str]) -> Own:
    sender, body = _read_header_block(rest)
    if depth >= MAX_NESTING:
        return Own(_join(own), (), "\n".join(rest), tuple(suspicious), True)
    if _all_quoted(body):
        body = [_UNQUOTE.sub("", line) for line in body]
        if not sender:
            sender, body = _read_header_block(body)
    end = next((i for i, line in enumerate(body) if phrases.FORWARD_ENDS.match(line.strip())), len(body))
    inner = separate("\n".join(body[:end]), depth=depth + 1)
    after = separate("\n".join(body[end + 1 :]), depth=depth + 1).text
    text = _join([*own, *([after] if after else [])])
    return Own(text, (Forwarded(sender, inner.text), *inner.forwarded), inner.below, tuple(suspicious), True)


def _all_quoted(lines: list[str]) -> bool:
    filled = [line for line in lines if line.strip() and not phrases.FORWARD_ENDS.match(line.strip())]
    return bool(filled) and all(_QUOTED.match(line) for line in filled)


def _read_header_block(lines: list[str]) -> tuple[str, list[str]]:
    """The sender named in the copied header, and the lines below the header."""
    sender = ""
    index = 0
    seen = 0
    while index < len(lines):
        line = _UNQUOTE.sub("", lines[index]) if _QUOTED.match(lines[index]) else lines[index]
        header = phrases.header_line(line)
        if header:
            seen += 1
            if header[0] == "from":
                sender = _address(header[1])
        elif line.strip() and not phrases.RULE.match(line):
            folded = seen and (line.startswith((" ", "<")) or ("@" in line and not meant_for_us(line)))
            if not folded and not (seen and index and _mid_header(lines, index)):
                break
            if not sender and "@" in line:
                sender = _address(line)
        elif not line.strip() and seen >= 2 and not _mid_header(lines, index):
            index += 1
            break
        index += 1
    return sender, lines[index:]


def _mid_header(lines: list[str], index: int) -> bool:
    """A header line follows directly."""
    after = lines[index + 1] if index + 1 < len(lines) else ""
    return phrases.header_line(_UNQUOTE.sub("", after)) is not None and not meant_for_us(lines[index])


def _address(text: str) -> str:
    found = re.search(r"[\w.+'-]{1,64}@[\w.-]{1,200}", text)
    return (found.group() if found else parseaddr(text)[1]).lower()
