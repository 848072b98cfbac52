"""Separating the sender's own text from quotations, forwarded mails, signatures and what mail programs append.
Line by line and in linear time; indentation is kept, for an indented LOSE belongs to its ATTACK."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

from gm.mail.parse import copied_head, phrases
from gm.mail.parse.line_kind import keyword, looks_like_order, meant_for_us

_QUOTED = re.compile(r"^\s{0,8}(?:[>＞]|&gt;)")
_UNQUOTE = re.compile(r"^\s{0,8}(?:[>＞]|&gt;) ?")
_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_JUNK = str.maketrans(
    {"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\t": "    "}
    | dict.fromkeys(_UNSEEN, None)
    | {chr(c): None for c in range(32) if c not in (9, 10)}
)
_RARE_ENDS = re.compile(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_DATED = re.compile(r"@|\d{1,2}[:.]\d{2}|(?:19|20)\d\d")
_DAY = re.compile(r"\d{1,2}[:.]\s?\d{1,2}|(?<!\d)\d{4}(?!\d)")
_ADDRESS = re.compile(r"[^\s@<>]@[^\s@<>]")
_DRAWN = re.compile(r"^.{0,4}[-_–—=*]")
_GROUPWISE = re.compile(r"^>>>\s.{1,300}\s>>>$")  # above a quotation without marks
_MUTT = re.compile(r"^-{3,9} Forwarded message from .{1,200} -{3,9}$")  # which also says where the forward ends
MAX_LINE = 4000
MAX_PHRASE = 400  # no program writes a longer one; and long lines are what makes patterns slow
WRAPPED = 70  # columns: programs that wrap a quotation do so at 72 or more
_SENTENCE_ENDS = (".", "!", "?", ":", "…", '"', ")")
MAX_NESTING = 3  # forwards inside one another that are read


@dataclass(frozen=True, slots=True)
class Forwarded:
    sender: str  # address, "" if it was not told
    text: str
    around: tuple[str, ...] = ()  # the senders of the forwards that it stands in, outermost first


@dataclass(frozen=True, slots=True)
class Own:
    """What the sender of a mail wrote themselves, and what else was in it."""

    text: str
    forwarded: tuple[Forwarded, ...] = ()
    below: str = ""  # quoted without marks (Outlook): perhaps with orders typed into it
    under_signature: tuple[str, ...] = ()  # lines under `-- ` that look like orders: told, not taken
    quoted: bool = False
    between: tuple[str, ...] = ()  # requests right between two quoted lines: typed there, or the tail of the first
    doubtful: bool = False  # whether `below` is quoted or forwarded at all: nobody knows the words of its head


class _Opens(Enum):
    """What stands below a line, without marks."""

    ANSWERED = "the mail that is answered"
    COPIED = "a mail, answered or forwarded, below a copy of its head"
    DOUBTFUL = "perhaps such a mail"


def separate(
    text: str, *, forward: bool = False, depth: int = 0, known: Collection[str] | None = None, compared: bool = False
) -> Own:
    """`forward`: the subject says that it is a forwarded mail, so a copied header block opens what was forwarded.
    `known`: of a mail that answers or forwards another, the addresses of its sender and of whom it went to: anybody
    else's may be that of the other's author. `compared`: what it quotes of ours was marked by comparing it."""
    lines = _lines(text)
    own: list[str] = []
    suspicious: list[str] = []
    between: list[str] = []
    quoted = False
    index = 0
    while index < len(lines):
        line = lines[index]
        if _QUOTED.match(line) and not _is_groupwise(lines, index):
            quoted = True
            _drop_attribution(own)
            index = _end_of_quote(lines, index, between, known is not None and not compared)
        elif _is_forward(line):
            return _with_forward(own, line, lines[index + 1 :], depth, suspicious)
        elif opens := _opens_original(lines, index, known):
            rest = lines[index:]
            if forward and opens is _Opens.COPIED:
                return _with_forward(own, "", rest, depth, suspicious)
            return Own(
                _join(own), (), "\n".join(rest), tuple(suspicious), True, tuple(between), opens is _Opens.DOUBTFUL
            )
        elif line.rstrip() == "--" and _is_signature(lines, index):
            index, cut = _skip_signature(lines, index, known)
            suspicious += [c for c in cut if keyword(c) and looks_like_order(c)]
        else:
            own.append(line)
            index += 1
    return Own(_join(own), (), "", tuple(suspicious), quoted, tuple(between))


def _is_forward(line: str) -> bool:
    line = line.strip()
    begins = len(line) < MAX_PHRASE and (line.endswith((":", "：")) or _DRAWN.match(line))
    return bool(begins and phrases.FORWARDED.match(line))


def _lines(text: str) -> list[str]:
    text = _inline_pgp(one_line_end(text).translate(_JUNK))
    return [line[:MAX_LINE] if line.endswith("-- ") else line[:MAX_LINE].rstrip() for line in text.split("\n")]


def one_line_end(text: str) -> str:
    """The text with one sign for the end of a line. Behind the mark of a quotation the rarer ones end none: whoever
    wrote what is quoted could set them, and the rest of it would bear no mark."""
    text = text.replace("\r\n", "\n")
    if "\n" not in text:  # all lines end so
        text = text.replace("\r", "\n")
    if not _RARE_ENDS.search(text):
        return text
    return "\n".join(part for line in text.split("\n") for part in _cut_at_rare_ends(line))


def _cut_at_rare_ends(line: str) -> list[str]:
    parts = _RARE_ENDS.split(line)
    marked = next((n for n, part in enumerate(parts) if _QUOTED.match(part)), len(parts))
    return [*parts[:marked], *([" ".join(parts[marked:])] if marked < len(parts) else [])]


def _inline_pgp(text: str) -> str:
    """Take the armour off a clear-signed text."""
    begin = re.search(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:\w+: .*\n)*\n", text, re.M)
    end = re.search(r"^-----BEGIN PGP SIGNATURE-----$", text, re.M)
    if not begin or not end or end.start() < begin.end():
        return text
    above, inner = text[: begin.start()], re.sub(r"^- ", "", text[begin.end() : end.start()], flags=re.M)
    if above.strip():  # a mail that its sender signed begins with that: this is one that they passed on
        inner = re.sub(r"^", "> ", inner, flags=re.M)
    return above + inner


def _join(lines: list[str]) -> str:
    kept = [line for line in lines if len(line) > MAX_PHRASE or not phrases.FOOTER.match(line.strip())]
    return "\n".join(kept).strip("\n")


def _end_of_quote(lines: list[str], index: int, between: list[str], unsure: bool) -> int:
    """Behind the quoted block. A mail program that wraps its own quotation leaves the tail of a line without a mark."""
    while index < len(lines) and _QUOTED.match(lines[index]) and not _is_groupwise(lines, index):
        index += 1
        if _is_wrapped_tail(lines, index, unsure):
            between += [lines[index]] if keyword(lines[index]) else []
            index += 1
    return index


def _is_wrapped_tail(lines: list[str], index: int, unsure: bool) -> bool:
    """An unmarked line right between two quoted ones that would not have fitted behind the first: a program cut it off.
    A person's short answer begins with a capital below the end of a sentence. `unsure`: nobody knows what is quoted,
    so one request alone below the last of them may be its tail as well."""
    if index >= len(lines) or index < 1:
        return False
    before, line = lines[index - 1].rstrip(), lines[index].strip()
    after = lines[index + 1] if index + 1 < len(lines) else ""
    if not line or len(before) + 1 + len(line.split(" ", 1)[0]) < WRAPPED:
        return False
    if not _QUOTED.match(after):
        return unsure and not after.strip() and keyword(line) is not None
    if keyword(line):
        return True
    return len(line) < 40 and not (before.endswith(_SENTENCE_ENDS) and not line[0].islower())


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


def _is_groupwise(lines: list[str], index: int) -> bool:
    """`>>> Boris <boris@...> 18.11.2026 20:22 >>>`, and no marks below it."""
    line = lines[index].strip()
    if not line.startswith(">>>") or len(line) > MAX_PHRASE or not _GROUPWISE.match(line):
        return False
    return bool(_DATED.search(line)) and not _QUOTED.match(_next_filled(lines, index + 1))


def _next_filled(lines: list[str], index: int) -> str:
    return next((line for line in lines[index : index + 10] if line.strip()), "")


def _opens_original(lines: list[str], index: int, known: Collection[str] | None) -> _Opens | None:
    """Below this line stands another mail, without marks."""
    line = lines[index].strip()
    if not line or len(line) > MAX_PHRASE:
        return None
    if _is_groupwise(lines, index):
        return _Opens.ANSWERED
    if _DRAWN.match(line):
        if phrases.ORIGINAL.match(line):
            return _Opens.ANSWERED
        if phrases.RULE.match(line):
            below = [i for i in range(index + 1, min(index + 4, len(lines))) if lines[i].strip()]
            if any(copied_head.in_known_words(lines, i) for i in below):
                return _Opens.COPIED
            return _Opens.DOUBTFUL if below and copied_head.names_a_sender(lines[below[0]]) else None
        if copied_head.under_a_drawn_line(lines, index):
            return _Opens.DOUBTFUL
    if ":" in line or "：" in line:
        if copied_head.in_known_words(lines, index) or phrases.ATTRIBUTION_AND_MORE.match(line):
            return _Opens.COPIED
        if copied_head.in_few_words(lines, index) or copied_head.in_any_words(lines, index):
            return _Opens.DOUBTFUL
        if copied_head.in_one_line(line):
            return _Opens.DOUBTFUL
    if opens := _opens_by_attribution(lines, index):
        return opens
    return _Opens.DOUBTFUL if known is not None and _may_name_its_author(lines, index, known) else None


def _may_name_its_author(lines: list[str], index: int, known: Collection[str]) -> bool:
    """Somebody else's address with a day or an hour, in one line or two, or such an attribution without its colon: in
    a mail that answers another that one may stand below, whatever else its program wrote there."""
    line = lines[index].strip()
    below = lines[index + 1].strip() if index + 1 < len(lines) else ""
    if keyword(line):
        return False
    if copied_head.names_another(line, known) or phrases.is_attribution_without_colon(line):
        return not _QUOTED.match(_next_filled(lines, index + 1))
    if keyword(below) or not copied_head.names_another_in_two_lines(line, below, known):
        return False
    return not _QUOTED.match(_next_filled(lines, index + 2))


def _opens_by_attribution(lines: list[str], index: int) -> _Opens | None:
    """An attribution with no marked quotation below it: all the rest is the quotation."""
    for count in (1, 2, 3):
        last = lines[index + count - 1] if index + count <= len(lines) else ""
        if not last.rstrip().endswith((":", "：", "--")) and ":" not in last[-4:]:
            continue
        folded = " ".join(lines[index : index + count]).strip()
        if len(folded) >= MAX_PHRASE:
            continue
        known = phrases.is_attribution(folded)
        if not (_DATED.search(folded) if known else _may_attribute(folded)):
            continue
        if _QUOTED.match(_next_filled(lines, index + count)) or meant_for_us(lines[index]):
            return None
        return _Opens.COPIED if known else _Opens.DOUBTFUL
    return None


def _may_attribute(folded: str) -> bool:
    """A date, an address and a colon at the end, whatever the words between them are."""
    return folded.endswith((":", "：")) and bool(_ADDRESS.search(folded) and _DAY.search(folded))


def _is_signature(lines: list[str], index: int) -> bool:
    """`-- ` is one. `--` alone is one unless orders stand below it: then it was a line somebody drew."""
    if lines[index] == "-- ":
        return True
    return not any(keyword(line) and looks_like_order(line) for line in lines[index + 1 : index + 40])


def _skip_signature(lines: list[str], index: int, known: Collection[str] | None) -> tuple[int, list[str]]:
    """A signature reaches to the quotation below it or to the end."""
    start = index + 1
    index = start
    while index < len(lines):
        if _QUOTED.match(lines[index]) or _is_forward(lines[index]) or _opens_original(lines, index, known):
            break
        # The attribution of the quotation below belongs to it and goes with the signature.
        index += 1
    return index, lines[start:index]


def _with_forward(own: list[str], opening: str, rest: list[str], depth: int, suspicious: list[str]) -> Own:
    sender, body = copied_head.read(rest)
    if depth >= MAX_NESTING:
        return Own(_join(own), (), "\n".join(rest), tuple(suspicious), True)
    if _all_quoted(body):
        body = [_UNQUOTE.sub("", line) for line in body]
        if not sender:
            sender, body = copied_head.read(body)
    end, after = len(body), ""
    if _MUTT.match(opening.strip()):  # any other program says nothing there: then the words come from within
        ends = [i for i, line in enumerate(body) if phrases.FORWARD_ENDS.match(line.strip())]
        end = ends[-1] if ends else len(body)
        after = separate("\n".join(body[end + 1 :]), depth=depth + 1).text
    inner = separate("\n".join(body[:end]), depth=depth + 1)
    text = _join([*own, *([after] if after else [])])
    nested = (replace(mail, around=(sender, *mail.around)) for mail in inner.forwarded)
    return Own(text, (Forwarded(sender, inner.text), *nested), inner.below, tuple(suspicious), True)


def _all_quoted(lines: list[str]) -> bool:
    filled = [line for line in lines if line.strip() and not phrases.FORWARD_ENDS.match(line.strip())]
    return bool(filled) and all(_QUOTED.match(line) for line in filled)
