"""Explaining a line that was not understood, and suggesting one that would have worked.

A suggestion is never guessed at: small changes to the line are tried one after the other, and the first that gives
an order is printed. So every suggestion parses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from gm.board.names import fold, near_keys
from gm.gamedate import phase_name
from gm.orders import kinds as m
from gm.orders.kinds.catalogue import about_verb
from gm.orders.language.grammar import Unexpected
from gm.orders.language.lexer import KEYWORDS, lex, verb_of
from gm.orders.language.resolve import Refused, Resolver
from gm.orders.language.sheet import SheetEntry
from gm.orders.problems import Family, Problem
from gm.orders.rules.reasons import REASONS
from gm.orders.suggest import near_names
from gm.orders.suggest.kept import understood
from gm.orders.suggest.rephrase import rephrased
from gm.position import Phase

# How a terminal is written; names and numbers cannot be made up.
WRITTEN: Mapping[str, str] = {
    **{type_: word.upper() for words in KEYWORDS.values() for word, type_ in [*words.items()][::-1] if word != "w/"},
    "_COMMA": ",",
    "_COLON": ":",
    "_DASH": "-",
    "_PLUS": "+",
    "_LPAR": "(",
    "_RPAR": ")",
}
# Of several words that would do, the likelier first.
_LIKELY = ("_TO", "_WITH", "_IN", "_FROM", "_PM", "_USING", "END", "_GIFTS")
# Words that mean different things in the same place: naming one of them as the missing one would be a guess.
_CHOICES = frozenset({"PM", "AM", "END", "CONTINUE", "GIFTS", "EXECUTION", "STRONGEST", "WEAKEST", "NEVER"})
DESCRIBED: Mapping[str, str] = {"NAME": "a name", "NUMBER": "a number", "$END": "the end of the line"}
SIGNS: Mapping[str, str] = {",": "a comma", ":": "a colon", "-": "a dash", "(": "a bracket", ")": "a closing bracket"}
_WORDS = {1: r"[^\W\d_]+", 2: r"[^\W\d_]+\s+[^\W\d_]+"}
_FIRST_WORD = re.compile(r"[^\W\d_]+")
LONGEST = 300  # nobody writes such an order; no suggestion for it
_CHIT = re.compile(r"\b(?:control|withdrawal)\b", re.IGNORECASE)
_SPACED = frozenset(",:")
_BATTLES = frozenset({"attack", "subvert"})


class Fault(Struct, frozen=True):
    """What the parser stumbled over, in the words of the line."""

    code: str
    span: tuple[int, int]
    data: Mapping[str, object] = field(default_factory=dict)
    index: int = 0  # of the token
    expected: tuple[str, ...] = ()  # terminals that might stand there instead


class LineEdit(NamedTuple):
    """A line to try, and what we say is wrong if it works."""

    line: str
    code: str
    span: tuple[int, int]
    data: Mapping[str, object]


def fault_of(text: str, error: Refused | Unexpected, before: str = "") -> Fault:
    """`before`: the line above, from which this one may have been broken off."""
    if isinstance(error, Refused):
        return Fault(error.code, (error.word.start, error.word.end), error.data)
    words = lex(text)
    stumbled = words[error.index] if error.index < len(words) else None
    if error.index == 0 and (stumbled is None or stumbled.type == "NAME"):
        word = _FIRST_WORD.search(text)
        broken_off = {"sign": before[-1]} if before.endswith(("-", ":")) else {}
        return Fault("unknown-order", word.span() if word else (0, len(text)), broken_off)
    expected = tuple(sorted(error.expected, key=_likelihood))
    described = [DESCRIBED.get(t) or _called(WRITTEN.get(t, t)) for t in expected]
    data: dict[str, object] = {"expected": tuple(described)}
    if stumbled is None:
        return Fault("unfinished", (len(text), len(text) + 1), data, error.index, expected)
    return Fault("unexpected", (stumbled.start, stumbled.end), data, error.index, expected)


def _called(sign: str) -> str:
    return SIGNS.get(sign, sign)


def _likelihood(terminal: str) -> tuple[int, str]:
    return (_LIKELY.index(terminal) if terminal in _LIKELY else len(_LIKELY), terminal)


class Suggester:
    """Turns faults into Problems, with the nearest names and a line that would have worked."""

    def __init__(self, parse: Callable[[str], m.Order], resolver: Resolver) -> None:
        self._parse = parse
        self._names = resolver.names
        self._players = resolver.all_players

    def problem(self, entry: SheetEntry, fault: Fault, number: int, suggested: bool) -> Problem:
        text, suggestion = entry.text, None
        fault = self._for_what_it_is(text, fault)
        if suggested and len(text) <= LONGEST:
            fault, suggestion = self._mend(text, fault)
        start, end = fault.span
        text = text.removesuffix(".")  # it may end an abbreviation or the order; it is not marked
        start = min(start, len(text))
        end = min(end, len(text)) if start < len(text) else start + 1
        return Problem(
            code=fault.code,
            family=Family.NOT_UNDERSTOOD,
            line=entry.line_at(start),
            span=(start, end),
            text=text,
            words=text[start:end],
            rules=REASONS[fault.code],
            suggestion=suggestion,
            data=fault.data,
            order=number,
        )

    def _mend(self, text: str, fault: Fault) -> tuple[Fault, str | None]:
        names = self._near(fault.code, text[slice(*fault.span)])
        if names:
            fault = replace(fault, data={**fault.data, "near": tuple(self._described(n) for n in names)})
        start, end = fault.span
        kept = understood(self._names, text) - understood(self._names, text[start:end])  # but BY RAIL is kept
        for change in self._changes(text, fault, names):
            order = self._settle(change.line, kept)
            if order is not None:
                mended = replace(fault, code=change.code, span=change.span, data={**fault.data, **change.data})
                guessed = change.code != "misspelt-word" and _CHOICES.intersection(map(str, change.data.values()))
                return fault if guessed else mended, order.printed().partition("\n")[0]
        for line in rephrased(text):
            order = self._settle(line, kept)
            if order is not None:
                return fault, order.printed().partition("\n")[0]
        if ":" in text and verb_of(text) in _BATTLES:  # ATTACK SARA: Markin, as a MOVE is written
            fault = replace(fault, code="battle-words", span=(text.index(":"), text.index(":") + 1))
        if fault.code == "unknown-piece":
            fault = replace(fault, data={**fault.data, **self._town(text[fault.span[1] :])})
        example = _example(text, fault.code)
        return replace(fault, data={**fault.data, "example": example}) if example else fault, example

    def _for_what_it_is(self, text: str, fault: Fault) -> Fault:
        """Known things that an order cannot be about: what is no Marker and no Leader is not traded, and nobody
        assassinates an Imperial unit. No Leader was meant, so none is suggested."""
        if fault.code not in ("unknown-leader", "not-a-leader"):
            return fault
        verb, words = verb_of(text), text[slice(*fault.span)]
        named = self._names.piece(words)
        imperial = named is not None and named.one.is_imperial
        if (verb == "give" and (named or _CHIT.search(words))) or (verb == "accept" and imperial):
            return replace(fault, code="not-traded")
        if verb == "assassinate" and imperial:
            return replace(fault, code="not-assassinated")
        return fault

    def _near(self, code: str, words: str) -> list[str]:
        if code == "unknown-province":
            return near_names.near_places(self._names, words)
        if code == "unknown-piece":
            return near_names.near_pieces(self._names, words)
        if code in ("unknown-leader", "not-a-leader"):
            found = [p.name for p in near_names.near_leaders(self._names, words)]
            named = self._names.piece(words)
            at_home = [p.name for p in self._names.board.leaders if named and p.home == named.one.home]
            return list(dict.fromkeys([*at_home, *found]))
        if code == "unknown-player":
            return list(near_names.near_players(self._players, words)) if len(words) > 1 else []
        if code == "unknown-order":
            return [verb.upper() for verb in near_keys(words, (*KEYWORDS, "press"))]
        return ["Czar", "Gold"] if code == "not-imperial" else []

    def _described(self, name: str) -> str:
        """A province's code with its name behind it; whatever else explains itself."""
        province = self._names.board.provinces.get(name)
        return f"{name} ({province.name})" if province else name

    def _town(self, text: str) -> dict[str, object]:
        """The first place in a text that no province is called after, and where it lies: Moscow in TVER."""
        for word in text.split():
            name = word.strip(".,;:!?")
            place = self._names.place(name)
            if place and fold(name) not in (fold(place), fold(self._names.board.provinces[place].name)):
                return {"town": name, "lies": place}
        return {}

    def _settle(self, line: str, kept: frozenset[Hashable], tries: int = 4) -> m.Order | None:
        """The order in a line, after correcting further names in it to their nearest; None if it says less than was
        understood, or names a piece for a province."""
        try:
            order = self._parse(line)
        except Unexpected:
            return None
        except Refused as error:
            word = line[error.word.start : error.word.end]
            a_place = error.code == "unknown-piece" and self._names.place(word) is not None
            names = self._near(error.code, word) if tries and not a_place else []
            span = (error.word.start, error.word.end)
            return self._settle(_put(line, span, names[0]), kept, tries - 1) if names else None
        return order if kept <= understood(self._names, order.printed()) else None

    def _changes(self, text: str, fault: Fault, names: Iterable[str]) -> Iterator[LineEdit]:
        for name in names:
            yield LineEdit(_put(text, fault.span, name), fault.code, fault.span, {})
        if fault.code == "unknown-order" and len(text.split()) > 1:
            for verb in KEYWORDS:
                yield LineEdit(f"{verb.upper()} {text}", "verb-missing", fault.span, {"missing": verb.upper()})
        elif fault.code in ("unexpected", "unfinished"):
            yield from _around(text, fault)
        elif fault.code == "too-many-of-a-kind":
            yield LineEdit(_put(text, fault.span, str(fault.data["exist"])), fault.code, fault.span, {})
        elif fault.code == "sign-missing":
            yield LineEdit(_insert(text, fault.span[0], "+"), fault.code, fault.span, {})
        elif fault.code == "clause-twice":
            yield LineEdit(_without_clause(text, fault.span), fault.code, fault.span, {})
        elif fault.code.startswith("unknown-"):
            keywords = [WRITTEN[t] for t in dict.fromkeys(KEYWORDS.get(verb_of(text), {}).values())][1:]
            yield from _misspelt(text, fault.span, keywords)
            yield from _between_words(text, fault.span, [",", ":", *keywords])


def _around(text: str, fault: Fault) -> Iterator[LineEdit]:
    """Changes where a token stands that cannot be there."""
    words = lex(text)
    wanted = [WRITTEN[t] for t in fault.expected if t in WRITTEN]
    at = words[fault.index] if fault.index < len(words) else None
    before = words[fault.index - 1] if fault.index else None
    for token in (at, before):
        if token is not None and token.type == "NAME":
            yield from _misspelt(text, (token.start, token.end), wanted)
    if before is not None and before.type == "NAME":
        yield from _between_words(text, (before.start, before.end), wanted)
    position = at.start if at else len(text)
    for sign in wanted:
        span = (at.start, at.end) if at else (position, position + 1)
        yield LineEdit(_insert(text, position, sign), "missing", span, {"missing": _called(sign)})
    if at is not None:
        for sign in wanted:
            change = _insert(_put(text, (at.start, at.end), ""), at.start, sign)
            yield LineEdit(change, "wrong-word", (at.start, at.end), {"instead": _called(sign)})
        yield LineEdit(_put(text, (at.start, at.end), ""), "superfluous", (at.start, at.end), {})


def _misspelt(text: str, span: tuple[int, int], wanted: list[str]) -> Iterator[LineEdit]:
    """`GIVE 2 PM TOO B`, `PSKO BY RALI`: words of a name that are nearly the keyword that is missing."""
    for words in (1, 2):
        keywords = {fold(w): w for w in wanted if w[0].isalpha() and len(w.split()) == words}
        if not keywords:
            continue
        for found in re.finditer(rf"(?=\b({_WORDS[words]}))", text[: span[1]]):
            start, end = found.span(1)
            if start < span[0]:
                continue
            for key in near_keys(found[1], keywords, 0.5):
                change = _put(text, (start, end), keywords[key])
                yield LineEdit(change, "misspelt-word", (start, end), {"instead": keywords[key]})


def _between_words(text: str, span: tuple[int, int], signs: list[str]) -> Iterator[LineEdit]:
    """`ATTACK WU2 SARA SARA WITH Lenin`: two names that run together for want of a word between them."""
    starts = [found.start() for found in re.finditer(r"(?<=\s)\S+", text[slice(*span)])][:8]
    for start in starts:
        position = span[0] + start
        following = text[position : span[1]].split()[0]
        for sign in sorted(signs, key=lambda s: ("-" in following) != (s == ":")):
            change = _insert(text, position, sign)
            yield LineEdit(change, "missing", (position, position + len(following)), {"missing": _called(sign)})


def _without_clause(text: str, span: tuple[int, int]) -> str:
    """`PURGE B USING 3 PM USING 4 PM`: without the clause that holds these words."""
    words = lex(text)
    at = next((i for i, w in enumerate(words) if w.start == span[0]), 0)
    clauses = ("_WITH", "_USING", "_DIVIDE", "_TAKING", "_IF", "SEPARATELY", "CONDITION")
    start = next((words[i].start for i in range(at, 0, -1) if words[i].type in clauses), span[0])
    end = next((w.start for w in words[at + 1 :] if w.type in clauses), len(text))
    return text[:start] + text[end:]


def _example(text: str, code: str) -> str | None:
    """Nothing near was found: then at least how such an order looks."""
    verb = verb_of(text)
    if code.startswith("guard-"):
        return f"ORDERS {phase_name(1, Phase.FIRST)}"
    if verb == "cancel":
        return "CANCEL ALL"
    if code == "dateline-without-quotes":
        dateline, _, rest = re.sub(r"(?i)press\s+as\s*", "", text).partition(":")
        return f'PRESS AS "{dateline.strip()}" {rest.strip()}'.rstrip()
    if code == "press-to-whom":
        return m.Press.about.examples[1]
    found = about_verb(verb) if code != "unknown-order" else ()
    return found[0].examples[0] if found else None


def _put(text: str, span: tuple[int, int], words: str) -> str:
    return f"{text[: span[0]]}{words}{text[span[1] :]}"


def _insert(text: str, position: int, sign: str) -> str:
    before = text[:position].rstrip()
    return f"{before}{'' if sign in _SPACED else ' '}{sign} {text[position:]}"
