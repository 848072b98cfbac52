"""Finding the requests of a mail that it quotes from The Bell, or from a letter of another, without a mark.

A mail need not say what it quotes, and what it says may be wrong: servers that pass it on change the names of mails.
The same words may be typed by anybody. So a request counts as quoted only with its company: the words that stand
beside it in the mail stand beside it there, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from gm.mail.compare.answered import LONG, MARKED, MARKS, split, squash
from gm.mail.parse.line_kind import keyword, may_go_on, meant_for_us, strip_lead

_WORD = re.compile(r"[^\W_]+")
_AROUND = 2_000  # characters of a text above and below a request that are compared
_NEAR = 6  # lines above and below a request: one of them a program may have changed, such as a link
_FAR = 40  # lines, at most, that go on one after the other
_SAME_WORDS = 25  # of a long line
# For one mail; beyond, what is asked for counts as quoted.
_MOST_LOOKS, _MOST_PLACES = 1_000_000, 2_000
_LIKE_PROSE = 5  # words in small letters: more than the second line of an order has


@dataclass(frozen=True, slots=True)
class _Place:
    """Letters and figures above and below a request where it is printed."""

    above: str
    below: str


class _Mail:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.marked = [bool(MARKED.match(line)) for line in lines]
        self.bare = [squash(MARKS.sub("", line)) for line in lines]
        self.requests = {n for n, line in enumerate(lines) if not self.marked[n] and meant_for_us(line)}
        self.prose = [
            bool(self.bare[n]) and n not in self.requests and not self._continues(n) for n in range(len(lines))
        ]

    def _continues(self, number: int) -> bool:
        """It may be the second line of an order."""
        above, line = self.lines[number - 1].rstrip() if number else "", self.lines[number].strip()
        if not above or len(above) > 2 * _AROUND or not may_go_on(above, line):
            return False
        return sum(word[0].islower() for word in line.split()) < _LIKE_PROSE

    def is_quoted(self, number: int, place: _Place) -> bool:
        """Enough words beside it go on without a gap; or words above and below it stand above and below it there."""
        above = self._going_on(number, -1, place.above)
        if above + self._going_on(number, 1, place.below) >= LONG:
            return True
        return self._stands(number, -1, place.above, place.below) and self._stands(number, 1, place.below, place.above)

    def _going_on(self, number: int, step: int, there: str) -> int:
        """How many letters of words that are no request stand right beside it, here and there."""
        found, apart = 0, False
        for n in self._beside(number, step, _FAR):
            apart = apart or not self.bare[n]
            if self.marked[n] and apart:  # what stands apart below a quotation was typed
                break
            bare = self.bare[n]
            same = _same(bare, there, step)
            found += same if self.prose[n] else 0
            if same < len(bare) or found >= LONG:
                break
            there = there[:-same] if step < 0 and same else there[same:]
        return found

    def _stands(self, number: int, step: int, there: str, opposite: str) -> bool:
        """The nearest long line on this side, but for those that a program changed, stands on this side there as well.
        If it has the request in it, or stands on the other side, the request was typed beside it."""
        request = self.bare[number]
        for n in self._beside(number, step, _NEAR):
            bare = self.bare[n]
            if self.marked[n] or not self.prose[n] or len(bare) < LONG:
                continue
            if bare in there or request in bare:
                return request not in bare
            ends = bare[:LONG], bare[-LONG:]
            if any(end in opposite for end in ends):
                return False
            if any(end in there for end in ends):
                return True
        return False

    def _beside(self, number: int, step: int, most: int) -> Iterator[int]:
        """The lines on one side, nearest first: so many that are not empty."""
        filled = 0
        for n in range(number + step, len(self.lines) if step > 0 else -1, step):
            filled += bool(self.bare[n])
            if filled > most or abs(n - number) > 3 * most:
                return
            yield n


def _same(bare: str, there: str, step: int) -> int:
    """How many letters of a line are those that stand there."""
    if step < 0:
        bare, there = bare[::-1], there[::-1][: len(bare)]
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(bare, there, strict=False)))


def quoted_requests(text: str, printed: Sequence[str]) -> set[int]:
    """The numbers of the lines without a mark that are such requests. WHATIF is none of them: if it was typed and is
    dropped, what was to be tried out is done."""
    mail = _Mail(split(text))
    seeker = _Seeker([words.lower() for words in printed])
    asking = (number for number in sorted(mail.requests) if keyword(mail.lines[number]) != "WHATIF")
    return {
        number
        for number in asking
        if any(mail.is_quoted(number, place) for place in seeker.places(mail.lines[number])) or seeker.is_tired
    }


class _Seeker:
    """Looks for lines in texts: not without end, whoever wrote them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._looks = self._places = 0

    @property
    def is_tired(self) -> bool:
        return self._looks > _MOST_LOOKS or self._places > _MOST_PLACES

    def places(self, line: str) -> Iterator[_Place]:
        """Where the words of a line are printed, whatever stands between them; what is printed twice with the same
        words around it, once."""
        known = set[tuple[str, str]]()
        variants = {tuple(_WORD.findall(part.lower())[:_SAME_WORDS]) for part in (line, strip_lead(line))} - {()}
        for words in sorted(variants):
            for text, match in self._matches(words):
                around = (
                    text[max(0, match.start() - _AROUND) : match.start()],
                    text[match.end() : match.end() + _AROUND],
                )
                if around not in known:
                    known.add(around)
                    self._places += 1
                    yield _Place(squash(around[0]), squash(around[1]))

    def _matches(self, words: Sequence[str]) -> Iterator[tuple[str, re.Match[str]]]:
        pattern = re.compile(r"[\W_]+".join(words) + r"(?![^\W_])")
        for text in self._texts:
            at = text.find(words[0])
            while at >= 0 and not self.is_tired:
                self._looks += 1
                if not text[at - 1 : at].isalnum() and (match := pattern.match(text, at)) is not None:
                    yield text, match
                at = text.find(words[0], at + 1)
