"""What a case expects: one line, one small value that checks itself against an Outcome."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gm.adjudicator.outcome import Outcome, Status
from gm.adjudicator.solitaire.event_types import SolitaireEnded
from gm.board.model import Board, Color, Piece
from gm.board.names import names_of
from gm.notation import (
    FLAGS,
    format_box,
    format_stack,
    read_box,
    read_marker,
    read_markers,
    read_pieces,
    read_stacks,
    split_items,
)
from gm.position import Box, Markers, Phase, Player, Solitaire

Mismatch = str


class CaseError(Exception):
    """A case that cannot be read, with the line that is wrong."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")


@dataclass(frozen=True)
class Expectation:
    line: int
    text: str
    only: bool = False

    def check(self, outcome: Outcome) -> Mismatch | None:
        """What is otherwise than expected; None if it is as it should be."""
        return None

    def stacks(self) -> Counter[tuple[str, str, str]]:
        """The stacks that the line lists, for ONLY."""
        return Counter()


def on_the_map(outcome: Outcome) -> Counter[tuple[str, str, str]]:
    return Counter((s.province, s.owner or "-", format_stack(s.pieces)) for s in outcome.after.stacks)


@dataclass(frozen=True)
class StacksAt(Expectation):
    owner: str = "-"
    province: str = ""
    listed: tuple[str, ...] = ()

    def stacks(self) -> Counter[tuple[str, str, str]]:
        return Counter((self.province, self.owner, stack) for stack in self.listed)

    def check(self, outcome: Outcome) -> Mismatch | None:
        there = on_the_map(outcome)
        if not self.listed:  # nothing listed: the owner must have nothing there
            wrong = any(p == self.province and o == self.owner for p, o, _ in there)
        else:
            wrong = bool(self.stacks() - there)
        if not wrong:
            return None
        found = [f"{o} {s}" for (p, o, s), n in sorted(there.items()) for _ in range(n) if p == self.province]
        return f"{self.province} holds {' | '.join(found) or 'nothing'}"


@dataclass(frozen=True)
class BoxHolds(Expectation):
    owner: str = "-"
    content: str = ""

    def check(self, outcome: Outcome) -> Mismatch | None:
        box = outcome.after.neutral if self.owner == "-" else outcome.after.box(self.owner)
        found = _content(box.markers, box)
        return None if found == self.content else f"{self.owner} BOX: {found}"


def _content(markers: Markers, box: Box) -> str:
    return format_box(markers, sorted(box.held, key=lambda h: (h.piece.bell, h.how)))


@dataclass(frozen=True)
class RandomizerHolds(Expectation):
    content: str = ""

    def check(self, outcome: Outcome) -> Mismatch | None:
        found = format_box(outcome.after.randomizer)
        return None if found == self.content else f"RANDOMIZER: {found}"


@dataclass(frozen=True)
class IsGone(Expectation):
    pieces: tuple[str, ...] = ()  # and chits

    def check(self, outcome: Outcome) -> Mismatch | None:
        gone = outcome.after.gone_chits + tuple(p.bell for p in outcome.after.gone)
        missing = Counter(self.pieces) - Counter(gone)
        return f"still in the game: {', '.join(sorted(missing))}" if missing else None


@dataclass(frozen=True)
class OrderCameTo(Expectation):
    player: Player = ""
    number: int = 0
    status: Status = Status.DONE
    rule: str | None = None

    def check(self, outcome: Outcome) -> Mismatch | None:
        result = outcome.result(self.player, self.number)
        if result is None:
            return f"{self.player} has no order {self.number}"
        reasons = " ".join(f"{r.code} ({' '.join(r.rules)})" for r in result.reasons)
        if result.status is not self.status or (self.rule and self.rule not in result.rules):
            return f"order {self.player}{self.number} {result.status}: {reasons or 'no reason'}"
        return None


@dataclass(frozen=True)
class VictoryIs(Expectation):
    color: Color | None = None

    def check(self, outcome: Outcome) -> Mismatch | None:
        found = outcome.after.victory
        return None if found is self.color else f"victory: {found or 'none'}"


@dataclass(frozen=True)
class ReserveHolds(Expectation):
    """Solitaire: the Red Leaders who are not on the map and not dead."""

    names: tuple[str, ...] = ()

    def check(self, outcome: Outcome) -> Mismatch | None:
        found = sorted(p.bell for p in outcome.after.solitaire.reserve) if outcome.after.solitaire else []
        return None if found == sorted(self.names) else f"reserve: {', '.join(found) or 'nobody'}"


@dataclass(frozen=True)
class EndsWith(Expectation):
    """Solitaire: how the game ended (`red substantive`, `draw`), and if asked what was left of the others."""

    result: str = ""
    strength: int | None = None

    def check(self, outcome: Outcome) -> Mismatch | None:
        ended = next((e for e in outcome.events if isinstance(e, SolitaireEnded)), None)
        if ended is None:
            return "the game goes on"
        found = f"{ended.winner} {ended.level}" if ended.winner else ended.level
        wrong = found != self.result or self.strength not in (None, ended.strength)
        return f"ended: {found}, {ended.strength} left" if wrong else None


@dataclass(frozen=True)
class GoesOnWith(Expectation):
    """The Game-Turn and Phase that come next."""

    turn: int = 0
    phase: Phase = Phase.FIRST

    def check(self, outcome: Outcome) -> Mismatch | None:
        found = outcome.after.turn, outcome.after.phase
        return None if found == (self.turn, self.phase) else f"next: {found[0]} {found[1]}"


_ENDED = re.compile(r"(?P<result>(?:red|white) [a-z]+|draw)(?:, (?P<strength>\d+) left)?")


@dataclass(frozen=True)
class PointsAre(Expectation):
    points: tuple[tuple[Player, int], ...] = ()

    def check(self, outcome: Outcome) -> Mismatch | None:
        color = outcome.after.victory
        if color is None:
            return "there is no victory, hence no points"
        found = {}
        for player, _ in self.points:
            score = outcome.points.get(player)
            found[player] = 0 if score is None else score.red if color is Color.RED else score.white
        if found == dict(self.points):
            return None
        return "points: " + ", ".join(f"{p} {n}" for p, n in found.items())


@dataclass(frozen=True)
class FlagIs(Expectation):
    name: str = ""
    value: int = 1

    def check(self, outcome: Outcome) -> Mismatch | None:
        after = outcome.after
        solitaire = after.solitaire or Solitaire()
        flags = {
            "subversion-doubled": int(after.subversion_doubled),
            "purge-done": int(after.purge_done),
            "red-replacement-suspended": after.red_suspended,
            "execution-pending": int(after.execution_pending),
            "leaders-to-deploy": solitaire.deployable,
            "determination-suspended": solitaire.undetermined,
            "combat-part": solitaire.part,
            "contested": int(solitaire.contested),
        }
        found = flags[self.name]
        wrong = found != self.value if self.value != -1 else found == 0
        return f"{self.name} is {found}" if wrong else None


@dataclass(frozen=True)
class QuittersAre(Expectation):
    letters: tuple[Player, ...] = ()

    def check(self, outcome: Outcome) -> Mismatch | None:
        found = tuple(sorted(outcome.after.quitters))
        return None if found == self.letters else f"quitters: {' '.join(found) or 'none'}"


_LINE = re.compile(r"^(?P<owner>[A-Z]|-)\s+(?P<place>[A-Za-z](?:[A-Za-z -]*[A-Za-z-])?)\s*+:\s*(?P<body>.*)$")
_ORDER = re.compile(r"^order\s+(?P<player>[A-Z])(?P<number>\d+)\s+(?P<status>[a-z]+)(?:\s+(?P<rule>\S+))?$")
_FLAG = re.compile(r"^(?P<no>no )?flag:\s*(?P<name>[a-z-]+)(?:\s+(?P<value>\d+))?$")


def read_expectation(board: Board, players: Sequence[Player], line: int, text: str) -> Expectation:
    """One line of EXPECT. Raises CaseError for what it does not know."""
    try:
        found = _read(board, players, line, text)
    except (ValueError, KeyError) as error:
        raise CaseError(line, f"EXPECT {text!r}: {error}") from None
    if found is None:
        raise CaseError(line, f"EXPECT does not know {text!r}")
    return found


def _read(board: Board, players: Sequence[Player], line: int, text: str) -> Expectation | None:
    if text == "ONLY":
        return Expectation(line, text, only=True)
    if match := _LINE.match(text):
        return _read_place(board, players, line, text, match)
    if match := _ORDER.match(text):
        return OrderCameTo(
            line, text, False, match["player"], int(match["number"]), Status(match["status"]), match["rule"]
        )
    if match := _FLAG.match(text):
        if match["name"] not in FLAGS:
            raise ValueError(f"unknown flag {match['name']}")
        value = 0 if match["no"] else int(match["value"]) if match["value"] else -1
        return FlagIs(line, text, False, match["name"], value)
    word, _, body = text.partition(":")
    body = body.strip()
    match word:
        case "RANDOMIZER":
            return RandomizerHolds(line, text, False, format_box(read_markers(board, body)))
        case "gone":
            return IsGone(line, text, False, tuple(name for item in split_items(body) for name in _gone(board, item)))
        case "victory":
            return VictoryIs(line, text, False, None if body == "none" else Color(body))
        case "points":
            pairs = [item.split() for item in body.split(",")]
            return PointsAre(line, text, False, tuple((p, int(n)) for p, n in pairs))
        case "reserve":
            return ReserveHolds(line, text, False, tuple(p.bell for p in read_pieces(board, body)) if body else ())
        case "ended" if found := _ENDED.fullmatch(body):
            strength = int(found["strength"]) if found["strength"] else None
            return EndsWith(line, text, False, found["result"], strength)
        case "next":
            turn, phase = body.split()
            return GoesOnWith(line, text, False, int(turn), Phase(phase))
        case "quitters":
            return QuittersAre(line, text, False, _letters(players, body))
        case "pending" if body == "execution":
            return FlagIs(line, text, False, "execution-pending", 1)
    return None


def _letters(players: Sequence[Player], body: str) -> tuple[Player, ...]:
    letters = () if body == "none" else tuple(sorted(body.replace(",", " ").split()))
    if strangers := [letter for letter in letters if letter not in players]:
        raise ValueError(f"no player {', '.join(strangers)}")
    if not body:
        raise ValueError("name the quitters, or none")
    return letters


def _gone(board: Board, item: str) -> list[str]:
    chit = read_marker(board, item)
    return [chit[0]] * chit[1] if chit else [p.bell for p in read_pieces(board, item)]


def _read_place(board: Board, players: Sequence[Player], line: int, text: str, match: re.Match[str]) -> Expectation:
    owner, place, body = match["owner"], match["place"], match["body"]
    if owner != "-" and owner not in players:
        raise ValueError(f"no player {owner}")
    if place.upper() == "BOX":
        markers, held = read_box(board, body)
        return BoxHolds(line, text, False, owner, _content(markers, Box(markers, tuple(held))))
    province = names_of(board).province(place)
    if province is None:
        raise ValueError(f"no province {place}")
    stacks: list[list[Piece]] = read_stacks(board, body)
    return StacksAt(line, text, False, owner, province, tuple(format_stack(pieces) for pieces in stacks))
