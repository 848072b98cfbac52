"""A whole listing of positions, as in a case, a saved position or an issue of The Bell -> a Position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from gm.board.model import Board, Color, Piece
from gm.board.names import names_of, near
from gm.board.ways import next_steps
from gm.notation.pieces import (
    NOTHING,
    Counters,
    NotationError,
    NotationProblem,
    problem,
    read_box,
    read_marker,
    read_markers,
    read_pieces,
    read_stacks,
    split_items,
)
from gm.position import Box, Markers, Phase, Player, Position, Solitaire, Stack, canonical

FLAGS: Final = (
    "subversion-doubled",
    "purge-done",
    "red-replacement-suspended",
    "execution-pending",
    # solitaire
    "leaders-to-deploy",
    "determination-suspended",
    "combat-part",
    "contested",
)
# The flags that say how many, or how often they still apply.
COUNTED: Final = frozenset({"red-replacement-suspended", "leaders-to-deploy", "determination-suspended", "combat-part"})

# Owners as they stand before a province. `--`: nobody's, though a player has the nation's Control Marker.
UNALIGNED, NOBODY = "-", "--"

_BLANKS = re.compile(r"\s{10,}")  # folded before any other pattern looks: a run of them costs its square
_COMMENT = re.compile(r"\s*#(?!\d{1,3}\b(?!\.)).*$")  # `#129` is an identity code, `# 5.27` a comment
_IDENTITY = re.compile(r"#([0-9]{1,3})\b")
_ENTRY = re.compile(r"^(?:(?P<owner>--?|[–—]|[A-Za-z])\s+)?(?P<label>[^:,;#]+?)\s*:\s*(?P<body>.*)$")
_INNER = re.compile(r"(?<=[\w.])\s+(?=(?:(?!BOX\b)[A-Z]{3,4}|IN (?:VICTORY|NEUTRAL) BOX)\s*:)")
_HEADING = (
    re.compile(r"^.*?\bplayer\s+[\"“'(]*(?P<owner>[A-Z])[\"”')]*\s*[:;.]?\s*$", re.IGNORECASE),
    re.compile(r"^[^:\d\t/]*\([\"“']?(?P<owner>[A-Z])[\"”']?\)\s*[:;.]?\s*(?:no change\.?)?$", re.IGNORECASE),
    re.compile(r"^(?P<none>unaligned)(?:\s+(?:units|pieces|stacks))?\s*[:;.]?\s*$", re.IGNORECASE),
)
_BOX = re.compile(r"^(?:in\s+)?(?:(?P<neutral>neutral)\s+|victory\s+)?(?:point\s+)?box$", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:[,;]|\b[RWGB][LU]\d)$")
_BEGINS_WITH_PIECE = re.compile(r"^(?:[RWGB][LU]\d?\s|(?:GOLD|CZAR)\b)")
_TURN = re.compile(r"^(?:turn|phase)\s*:?\s*(?P<turn>[0-9]{1,3})\s*,?\s*(?P<phase>[a-z]+)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One statement of a listing: an owner where it has one, what it is about, and the rest."""

    line: int
    owner: str | None
    label: str
    body: str


@dataclass(slots=True)
class _Draft:
    """What has been read so far."""

    board: Board
    players: list[Player]
    counters: Counters
    free_players: bool  # no list was given: whoever appears plays
    turn: int = 0
    phase: Phase = Phase.SETUP
    stacks: list[tuple[str, Stack]] = field(default_factory=list)  # with the owner as written
    boxes: dict[Player, Box] = field(default_factory=dict)
    neutral: Box | None = None
    randomizer: Markers = field(default_factory=Markers)
    gone: list[Piece] = field(default_factory=list)
    gone_chits: list[str] = field(default_factory=list)
    flags: dict[str, int] = field(default_factory=dict)
    quitters: list[Player] = field(default_factory=list)
    votes: dict[Player, bool] = field(default_factory=dict)
    victory: Color | None = None
    # solitaire
    ways: dict[str, str] | None = None
    reserve: list[Piece] = field(default_factory=list)
    attacked: list[Piece] = field(default_factory=list)
    defended: list[Piece] = field(default_factory=list)


def read_position(
    board: Board,
    text: str | Iterable[str],
    players: Sequence[Player] = (),
    *,
    turn: int = 0,
    phase: Phase = Phase.SETUP,
    first_line: int = 1,
    solitaire: bool = False,
) -> Position:
    """Read a listing. Raises NotationError with every problem in it; lines are counted from first_line.

    Without `players` those of its PLAYERS line play, or whoever owns something in it. A listing with a WAYS line is
    of a solitaire game; `solitaire` says so of one without.
    """
    lines = text.splitlines() if isinstance(text, str) else list(text)
    lines = [_COMMENT.sub("", _BLANKS.sub(" " * 10, line.replace("**", ""))) for line in lines]
    reserved = [int(code) for line in lines for code in _IDENTITY.findall(line)]
    draft = _Draft(board, list(players), Counters(board, reserved), not players, turn, phase)
    draft.ways = {} if solitaire else None
    problems: list[NotationProblem] = []
    for entry in _entries(lines, first_line, problems):
        draft.counters.line = entry.line
        try:
            _read_entry(draft, entry)
        except NotationError as error:
            problems += error.problems
    if problems:
        raise NotationError(sorted(problems, key=lambda p: p.line))
    return _finish(draft)


def _entries(lines: Sequence[str], first: int, problems: list[NotationProblem]) -> list[_Entry]:
    """Lines put together and taken apart as The Bell's typist should have done."""
    entries: list[_Entry] = []
    section: str | None = None  # the heading we stand under
    for number, line in enumerate(lines, first):
        line = line.strip()
        if not line:
            continue
        heading = next((found for pattern in _HEADING if (found := pattern.match(line))), None)
        if heading:
            section = heading.groupdict().get("owner") or UNALIGNED
            continue
        if _TURN.match(line):
            entries.append(_Entry(number, None, "TURN", line))
            continue
        for part in _parts(line):
            found = _ENTRY.match(part)
            if found:
                entries.append(_Entry(number, found["owner"] or section, found["label"], found["body"].strip()))
            elif entries and (_GOES_ON.search(entries[-1].body) or _BEGINS_WITH_PIECE.match(part)):
                last = entries.pop()
                entries.append(_Entry(last.line, last.owner, last.label, f"{last.body} {part}"))
            else:
                problems.append(NotationProblem(number, part, "not a line of a listing"))
    return entries


def _parts(line: str) -> list[str]:
    """Several provinces in one line: `KALU: RU3 KALU PETR: RL3 Lenin`."""
    head, colon, rest = line.partition(":")
    parts = _INNER.split(rest)
    return [f"{head}{colon}{parts[0]}", *parts[1:]]


def _read_entry(draft: _Draft, entry: _Entry) -> None:
    special = _SPECIAL.get(entry.label.strip().casefold())
    if special:
        special(draft, entry.body)
        return
    box = _BOX.match(entry.label)
    if box:
        _read_box(draft, entry, bool(box["neutral"]))
        return
    names = names_of(draft.board)
    province = names.province(entry.label)
    if province is None:
        raise problem(entry.label, "unknown province", names.near_province(entry.label), entry.line)
    owner = _owner(draft, entry)
    for pieces in read_stacks(draft.board, entry.body, draft.counters):
        stack = Stack(province, None if owner in (UNALIGNED, NOBODY) else owner, tuple(pieces))
        draft.stacks.append((owner, stack))


def _owner(draft: _Draft, entry: _Entry) -> str:
    if entry.owner is None:
        raise problem(entry.label, f"whose? (a player's letter or {UNALIGNED!r} goes before it)", line=entry.line)
    if entry.owner in (UNALIGNED, NOBODY, "–", "—"):
        return NOBODY if entry.owner == NOBODY else UNALIGNED
    return _player(draft, entry.owner)


def _player(draft: _Draft, text: str) -> Player:
    letter = text.strip().strip("\"“”'").upper()
    if letter not in draft.players:
        if not draft.free_players or not re.fullmatch("[A-Z]", letter):
            raise problem(text, f"no such player (players: {' '.join(draft.players)})", line=draft.counters.line)
        draft.players.append(letter)
    return letter


def _read_box(draft: _Draft, entry: _Entry, neutral: bool) -> None:
    owner = UNALIGNED if neutral else _owner(draft, entry)
    markers, held = read_box(draft.board, entry.body, draft.counters)
    box = Box(markers, tuple(held))
    if owner in (UNALIGNED, NOBODY):
        if draft.neutral is not None:
            raise problem(entry.label, "the neutral box is listed twice", line=entry.line)
        draft.neutral = box
        return
    if owner in draft.boxes:
        raise problem(entry.label, f"the box of player {owner} is listed twice", line=entry.line)
    draft.boxes[owner] = box


def _read_turn(draft: _Draft, body: str) -> None:
    found = _TURN.match(body) or _TURN.match(f"TURN {body}")
    if not found or found["phase"].lower() not in list(Phase):
        raise problem(body, f"not a Game-Turn and phase ({', '.join(Phase)})", line=draft.counters.line)
    draft.turn, draft.phase = int(found["turn"]), Phase(found["phase"].lower())


def _read_players(draft: _Draft, body: str) -> None:
    if draft.free_players:
        for letter in re.split(r"[\s,]+", body.strip()):
            _player(draft, letter)
        draft.free_players = False


def _read_randomizer(draft: _Draft, body: str) -> None:
    draft.randomizer = read_markers(draft.board, body, draft.counters)


def _read_flags(draft: _Draft, body: str) -> None:
    for item in split_items(body):
        name, _, number = item.casefold().partition(" ")
        if name not in FLAGS or (number and (name not in COUNTED or not re.fullmatch("[0-9]{1,2}", number.strip()))):
            raise problem(item, "unknown flag", near(name, FLAGS), draft.counters.line)
        draft.flags[name] = int(number or 1)


def _read_gone(draft: _Draft, body: str) -> None:
    for item in split_items("" if body.strip().casefold() in NOTHING else body):
        marker = read_marker(draft.board, item, draft.counters)
        if marker:
            draft.gone_chits += [marker[0]] * marker[1]
        else:
            draft.gone += read_pieces(draft.board, item, draft.counters)


def _read_quitters(draft: _Draft, body: str) -> None:
    draft.quitters += [_player(draft, letter) for letter in re.split(r"[\s,]+", body.strip()) if letter]


def _read_votes(draft: _Draft, body: str) -> None:
    for item in split_items(body):
        letter, _, vote = item.partition(" ")
        if vote.strip().casefold() not in ("end", "continue"):
            raise problem(item, "a vote is `A end` or `A continue`", line=draft.counters.line)
        draft.votes[_player(draft, letter)] = vote.strip().casefold() == "end"


def _read_victory(draft: _Draft, body: str) -> None:
    name = body.strip().casefold()
    if name not in (Color.RED, Color.WHITE, "none"):
        raise problem(body, "victory is red, white or none", line=draft.counters.line)
    draft.victory = None if name == "none" else Color(name)


def _read_ways(draft: _Draft, body: str) -> None:
    """`OREL-SMOL`: of the equally short ways of a province, the one that was drawn (S2)."""
    draft.ways = draft.ways or {}
    choices = next_steps(draft.board)
    for item in split_items("" if body.strip().casefold() in NOTHING else body):
        here, _, there = item.upper().partition("-")
        if there not in choices.get(here, ()):
            raise problem(item, "not the beginning of a shortest way", line=draft.counters.line)
        draft.ways[here] = there


def _read_reserve(draft: _Draft, body: str) -> None:
    draft.reserve += read_pieces(draft.board, body, draft.counters)


def _read_attacked(draft: _Draft, body: str) -> None:
    draft.attacked += read_pieces(draft.board, body)


def _read_defended(draft: _Draft, body: str) -> None:
    draft.defended += read_pieces(draft.board, body)


_SPECIAL: dict[str, Callable[[_Draft, str], None]] = {
    "turn": _read_turn,
    "phase": _read_turn,
    "players": _read_players,
    "randomizer": _read_randomizer,
    "in randomizer": _read_randomizer,
    "flag": _read_flags,
    "flags": _read_flags,
    "gone": _read_gone,
    "quit": _read_quitters,
    "vote": _read_votes,
    "votes": _read_votes,
    "victory": _read_victory,
    "ways": _read_ways,
    "reserve": _read_reserve,
    "attacked": _read_attacked,
    "defended": _read_defended,
}


def _finish(draft: _Draft) -> Position:
    players = tuple(sorted(draft.players)) if draft.free_players else tuple(draft.players)
    chits = {chit: player for player, box in draft.boxes.items() for chit in box.markers.chits}
    stacks = []
    for written, stack in draft.stacks:
        if written == UNALIGNED:
            stack = Stack(stack.province, marker_holder(stack, chits), stack.pieces)
        stacks.append(stack)
    return Position(
        players=players,
        turn=draft.turn,
        phase=draft.phase,
        stacks=canonical(stacks),
        boxes=draft.boxes,
        neutral=draft.neutral or Box(),
        randomizer=draft.randomizer,
        gone=tuple(draft.gone),
        gone_chits=tuple(draft.gone_chits),
        quitters=tuple(draft.quitters),
        votes=draft.votes,
        subversion_doubled="subversion-doubled" in draft.flags,
        purge_done="purge-done" in draft.flags,
        red_suspended=draft.flags.get("red-replacement-suspended", 0),
        execution_pending="execution-pending" in draft.flags,
        victory=draft.victory,
        solitaire=_solitaire(draft) if draft.ways is not None else None,
    )


def _solitaire(draft: _Draft) -> Solitaire:
    return Solitaire(
        draft.ways or {},
        tuple(draft.reserve),
        draft.flags.get("leaders-to-deploy", 0),
        draft.flags.get("determination-suspended", 0),
        tuple(draft.attacked),
        tuple(draft.defended),
        draft.flags.get("combat-part", 0),
        "contested" in draft.flags,
    )


def marker_holder(stack: Stack, chits: dict[str, Player]) -> Player | None:
    """J1: units of one nation without a Leader belong to whoever has its Control Marker."""
    nations = {p.nation for p in stack.pieces if not p.is_imperial}
    return chits.get(f"{nations.pop()} control") if len(nations) == 1 else None
