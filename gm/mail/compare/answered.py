"""Comparing a mail with the mail of ours that it answers: what stands in ours was not typed by its sender.

Mail programs quote in ways and languages that nobody knows all of. Whatever they put around it, the words of the
quotation are ours; so lines found in our mail, in its order, get the mark of a quotation before the mail is read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gm.mail.parse.copied_head import is_field
from gm.mail.parse.line_kind import keyword, looks_like_command, looks_like_order, meant_for_us

LONG = 25  # letters and figures: a line that is no chance, wherever it stands in our mail
_HEAD = 12  # of a line of ours that was wrapped or changed at its end
_WRAPPED = 5_000  # lines, from the top, that are looked for with those below them
_TRIES = 20  # places with the same beginning that are looked at for the whole of a line
_ZONE = 3  # lines of ours without marks: then the mail holds a quotation that its program did not mark
MARKED = re.compile(r"^\s{0,3}>")
MARKS = re.compile(r"^[\s>|]+")
_END = re.compile(r"^\W{0,9}END\W{0,9}$", re.I)


@dataclass(frozen=True, slots=True)
class Compared:
    text: str  # with a mark before every line that is ours
    found: int = 0  # lines of ours without a mark of the program's own
    alone: tuple[str, ...] = ()  # requests that stand in our mail too, with nothing else of ours around them
    doubtful: tuple[str, ...] = ()  # requests that stand where a line of ours stood: changed, or typed over it
    inserted: tuple[str, ...] = ()  # requests between two lines of ours that follow one another: typed there


class _Sent:
    """Our mail as one string of letters and figures, with the places where its lines begin, and where the beginnings
    of these lines of the other mail stand in it: it is gone through once, however many lines are looked for."""

    def __init__(self, text: str, sought: Sequence[str]) -> None:
        bare = [squash(line) for line in text.split("\n")]
        self.stream = "".join(bare)
        self._starts: dict[str, list[int]] = {}
        at = 0
        for line in bare:
            if line:
                self._starts.setdefault(line, []).append(at)
            at += len(line)
        self._sorted = sorted(self._starts)
        self._within: dict[str, list[int]] = {line[:LONG]: [] for line in sought if len(line) >= LONG}
        for at in range(len(self.stream) - LONG + 1 if self._within else 0):
            if (places := self._within.get(self.stream[at : at + LONG])) is not None:
                places.append(at)

    def find(self, line: str, after: int) -> int:
        """Where the line stands in our mail: as a whole line, as the beginning of one, or long enough to be no chance.
        If it stands there more than once, the first place after what was found before. -1: nowhere."""
        if not line:
            return -1
        places = self._starts.get(line, [])
        if not places and len(line) >= _HEAD:
            near = bisect_left(self._sorted, line)
            if near < len(self._sorted) and self._sorted[near].startswith(line):
                places = self._starts[self._sorted[near]]
        if places:
            later = bisect_left(places, after)
            return places[later] if later < len(places) else places[0]
        places = self._within.get(line[:LONG], [])
        later = bisect_left(places, after)
        near_ones = (*places[later : later + _TRIES], *places[:_TRIES])
        return next((place for place in near_ones if self.stream.startswith(line, place)), -1)


def compare(text: str, sent: str, own_orders: bool = False, all_orders: bool = False, named: bool = True) -> Compared:
    """`own_orders`: our mail showed the sender their own orders. They may send those again: such a line counts as
    quoted only where the line before it is. `all_orders`: it was a Bell, which prints everybody's. They may send the
    same words as anybody: above the quotation such a line was typed. `named`: the mail says that it answers
    this one."""
    lines = split(text)
    places = _places(lines, sent, own_orders, all_orders)
    company = _in_company(lines, places)
    tails = _tails(lines, places, sent)
    company -= _typed(lines, places, company, named) - tails.keys()
    again = {places[n] for n in company}  # what is quoted further down may have been typed above, too
    without = {n for n in places if not MARKED.match(lines[n])}
    alone = {n for n in without - company if named and places[n] not in again and looks_like_order(lines[n])}
    bare = (company & without) | tails.keys()
    changed: set[int] = set()
    inserted: set[int] = set()
    heading: set[int] = set()
    told = {n for n in tails if keyword(lines[n]) and (tails[n] or not _is_marked(lines, n + 1))}
    if not named:
        bare = {n for n in bare if _asks(lines[n])}  # nothing of a letter is lost, and the sender hears of the rest
        told |= bare
    elif len(places.keys() - without) >= max(_ZONE, len(bare - tails.keys())):
        # Its program marks what it quotes: a request without a mark was typed, whoever wrote the same before.
        hemmed = _hemmed_in(lines, squash(sent))
        bare -= {n for n in bare - tails.keys() - hemmed if _asks(lines[n])}
        bare |= hemmed
        told |= {n for n in hemmed - tails.keys() if keyword(lines[n])}
        alone = set()
    elif len(bare) >= max(_ZONE, len(company - bare)):
        changed, inserted = _between(lines, places, sorted(bare), len(squash(sent)))
        heading = _heading(lines, min(bare))
        said = next((n for n, line in enumerate(lines) if line.strip() and not _asks(line)), 0)
        alone |= {n for n in without - company if n > said and looks_like_command(lines[n])}
        told |= _led_back(lines, places, sorted(bare))
    marked = bare | alone | changed | heading
    out = ["> " + line if number in marked else line for number, line in enumerate(lines)]
    return Compared("\n".join(out), len(bare), *(_requests(lines, some) for some in (alone | told, changed, inserted)))


def _asks(line: str) -> bool:
    """A request, or the word that ends a letter and lets what follows be one."""
    return meant_for_us(line) or bool(_END.match(line))


def _led_back(lines: Sequence[str], places: dict[int, tuple[int, int]], bare: Sequence[int]) -> set[int]:
    """Requests below a quotation without marks that stand further up in our mail: perhaps typed there, for a quotation
    does not lead back."""
    found: set[int] = set()
    back = False
    for before, number in pairwise(bare):
        if places[number][0] < places[before][0]:
            back = True
        elif not _asks(lines[number]) and places[number][1] - places[number][0] >= LONG:
            back = False
        if back and keyword(lines[number]):
            found.add(number)
    return found


def _requests(lines: Sequence[str], numbers: set[int]) -> tuple[str, ...]:
    return tuple(lines[number] for number in sorted(numbers) if meant_for_us(lines[number]))


def _places(lines: Sequence[str], text: str, own_orders: bool, all_orders: bool) -> dict[int, tuple[int, int]]:
    """The lines that stand in our mail: from where to where in its letters."""
    found: dict[int, tuple[int, int]] = {}
    squashed = [squash(MARKS.sub("", line)) for line in lines]
    joined = [_joined(squashed, number) for number in range(min(len(squashed), _WRAPPED))]
    sent = _Sent(text, [*squashed, *joined])
    at, follows = 0, False
    for number, (line, bare) in enumerate(zip(lines, squashed, strict=True)):
        if not bare:
            continue
        if (follows or at) and sent.stream.startswith(bare, at):
            place = at if follows or not own_orders or not looks_like_order(line) else -1
        elif (own_orders or (all_orders and not found)) and looks_like_order(line) and not MARKED.match(line):
            place = -1
        else:
            place = sent.find(bare, at)
            if place < 0 and number < _WRAPPED:  # by a program that wraps at any width: with the lines below it
                place = sent.find(joined[number], at)
        follows = place >= 0
        if follows:
            at = place + len(bare)
            found[number] = (place, at)
    return found


def _joined(squashed: Sequence[str], number: int) -> str:
    """A line with those below it, if they are long enough to be no chance."""
    found = ""
    for line in squashed[number : number + LONG]:
        found += line[:LONG]
        if len(found) >= LONG:
            return found[:LONG]
    return ""


def _in_company(lines: Sequence[str], places: dict[int, tuple[int, int]]) -> set[int]:
    """Those that are a quotation for sure: long, or next to another of them, here or in our mail."""
    kept = {number for number, (start, end) in places.items() if end - start >= LONG}
    filled = [number for number, line in enumerate(lines) if line.strip()]
    kept.update(n for pair in pairwise(filled) if set(pair) <= places.keys() for n in pair)
    order = sorted(places)
    kept.update(n for a, b in pairwise(order) if places[a][1] == places[b][0] for n in (a, b))
    return kept


def _typed(lines: Sequence[str], places: dict[int, tuple[int, int]], company: set[int], named: bool) -> set[int]:
    """Commands without a mark that stand in our mail too, perhaps because another player wrote them there, but in no
    quotation for sure: that takes a long line of ours in the same stretch. In a mail that names none of ours, any
    line; and WHATIF wherever it stands: if it was typed and is dropped, what was to be tried out is filed."""
    found: set[int] = set()
    stretch: list[int] = []
    filled = [n for n, line in enumerate(lines) if line.strip()]
    for number in (*filled, len(lines)):
        if number in places and not MARKED.match(lines[number]):
            stretch.append(number)
            continue
        sure = any(places[n][1] - places[n][0] >= LONG for n in stretch)
        requests = [n for n in stretch if n in company and (not named or _commands(lines[n]))]
        found.update(n for n in requests if not sure or (not named and keyword(lines[n]) == "WHATIF"))
        stretch = []
    return found


def _commands(line: str) -> bool:
    return looks_like_command(line) or bool(_END.match(line))


def _tails(lines: Sequence[str], places: dict[int, tuple[int, int]], sent: str) -> dict[int, bool]:
    """Lines without a mark, right below a marked one, that go on in our mail where it ends: a program that wraps what
    it quotes leaves them so. True: a line of ours begins there, and the sender may have typed the same."""
    begin, at = set[int](), 0
    for line in sent.split("\n"):
        begin.add(at)
        at += len(squash(line))
    found: dict[int, bool] = {}
    for n in sorted(places):
        below = n - 1 in places and (n - 1 in found or _is_marked(lines, n - 1)) and not _is_marked(lines, n)
        if below and places[n - 1][1] == places[n][0]:
            found[n] = places[n][0] in begin
    return found


def _hemmed_in(lines: Sequence[str], ours: str) -> set[int]:
    """Words of ours without a mark, with lines that have one right above and right below: wrapped, or typed there."""
    found: set[int] = set()
    run: list[int] = []
    for number, line in enumerate(lines):
        if MARKED.match(line):
            found.update(n for n in run if squash(lines[n]) in ours)
            run = []
        elif not line.strip():
            run = []
        elif run or _is_marked(lines, number - 1):
            run.append(number)
    return found


def _is_marked(lines: Sequence[str], number: int) -> bool:
    return 0 <= number < len(lines) and bool(MARKED.match(lines[number]))


def _heading(lines: Sequence[str], first: int) -> set[int]:
    """The lines `Od: ..., Komu: ...` that a program puts above a quotation, in whatever language."""
    found: set[int] = set()
    for number in range(first - 1, -1, -1):
        if not lines[number].strip() and not found:
            continue
        if not is_field(lines[number]):
            break
        found.add(number)
    return found if len(found) >= _ZONE else set()


def _between(
    lines: Sequence[str], places: dict[int, tuple[int, int]], zone: Sequence[int], length: int
) -> tuple[set[int], set[int]]:
    """Lines inside a quotation without marks: (in the place of something of ours, between lines of ours)."""
    changed: set[int] = set()
    inserted: set[int] = set()
    for number in range(zone[0] + 1, len(lines)):
        if number in places or not lines[number].strip() or MARKED.match(lines[number]):
            continue
        index = bisect_left(zone, number)
        before = places[zone[index - 1]][1]
        after = places[zone[index]][0] if index < len(zone) else length
        (inserted if before == after else changed).add(number)
    return changed, inserted


def split(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def squash(text: str) -> str:
    """Letters and figures alone: what wrapping, marks, bullets and typographic signs leave as it was."""
    return re.sub(r"[\W_]+", "", text).lower()
