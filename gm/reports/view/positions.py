"""The positions of an issue in Bell notation, with what changed since the last one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gm.adjudicator.outcome import (
    Abandoned,
    AssassinationTried,
    ChitDrawn,
    Corrected,
    EpidemicStruck,
    Event,
    ExecutionAnswered,
    ExecutionOrdered,
    Fought,
    Left,
    Marked,
    Moved,
    Outcome,
    PurgeRolled,
    PurgeSpoils,
    Quit,
    Replaced,
    Restacked,
    RevolutionShaken,
    Seized,
    Stacked,
    Traded,
)
from gm.adjudicator.solitaire.event_types import CzarShot, Deployed, LeadersDetermined
from gm.board.model import Piece
from gm.notation import format_position
from gm.position import Phase, Player, Position
from gm.reports.prose import Prose
from gm.reports.view.model import Cause, Holding, PositionLine, Positions
from gm.reports.view.names import DisplayNames

BOX = "BOX"
_LINE = re.compile(r"^(?:(?P<owner>--?|[A-Z])\s+)?(?P<label>[A-Z]+):?\s+(?P<body>.*)$")
_CODE = re.compile(r" #\d+")  # identity codes: not a change that anybody can see


_GAINED: Mapping[type[Event], str] = {
    Traded: "traded",
    PurgeSpoils: "purged",
    Seized: "seized",
    Fought: "captured",
    ChitDrawn: "drawn",
    AssassinationTried: "spared",
    Moved: "joined",
    Stacked: "joined",
    Replaced: "replaced",
    Deployed: "deployed",
    Corrected: "corrected",
}
_DESTROYED: Mapping[type[Event], str] = {
    Fought: "battle",
    EpidemicStruck: "epidemic",
    AssassinationTried: "murdered",
    ChitDrawn: "withdrawn",
    Left: "left",
    LeadersDetermined: "left",
    ExecutionOrdered: "shot",
    ExecutionAnswered: "shot",
    CzarShot: "shot",
    Corrected: "corrected",
}
_TAKEN: Mapping[type[Event], str] = {
    Traded: "traded",
    PurgeSpoils: "purged",
    Seized: "seized",
    Fought: "captured",
    Corrected: "corrected",
}
_LEFT: Mapping[type[Event], str] = {
    Moved: "dropped",
    Stacked: "dropped",
    Abandoned: "dropped",
    Corrected: "corrected",
}
_SPENT: Mapping[type[Event], str] = {
    Traded: "traded",
    PurgeSpoils: "purged",
    AssassinationTried: "used",
    RevolutionShaken: "shaken",
    Corrected: "corrected",
}


@dataclass(frozen=True, slots=True)
class _Shift:
    """A piece, or so many markers of a kind, that came to a player or went from them by an event."""

    player: Player
    gained: bool
    event: Event
    what: str
    number: int = 1
    province: str = ""
    other: Player | None = None  # whose it was, or is now
    on_map: bool = True  # a piece that went: whether it is still there
    countered: bool = False  # in a Purge: by a Counterpurge


@dataclass(frozen=True, slots=True)
class _Entry:
    owner: str
    label: str
    body: str


def positions_of(names: DisplayNames, outcome: Outcome) -> Positions:
    before, after = outcome.before, outcome.after
    new, old = _entries(after), {(e.owner, e.label): _CODE.sub("", e.body) for e in _entries(before)}
    first = before.phase is Phase.SETUP
    known: Mapping[tuple[str, str], str] | None = None if first else old
    shifts = [] if first else [*_shifted_pieces(outcome), *_shifted_markers(outcome)]
    holdings = tuple(_holding(names, player, new, known, outcome, shifts) for player in after.players)
    loose = [e for e in new if e.owner in ("-", "--")]
    return Positions(
        as_of=as_of(names.words, after),
        holdings=holdings,
        unaligned=Holding(
            player=None,
            title=names.words.template("labels", "unaligned_units"),
            name="",
            lines=tuple(_line(names, e, known) for e in loose if e.label != BOX),
            box=_box(loose),
            box_changed=_box_changed(loose, known),
        ),
        randomizer=next((e.body for e in new if e.label == "RANDOMIZER"), ""),
        state=tuple(_line(names, e, None) for e in new if not e.owner and e.label != "RANDOMIZER"),
    )


def as_of(words: Prose, after: Position) -> str:
    """What the positions are those of, named by the orders that come next."""
    month, year = words.month(after.turn)
    key = {Phase.PREGAME: "setup", Phase.FINISHED: "finished", Phase.SECOND: "first"}.get(after.phase)
    if key is None:
        key = "pregame" if after.turn <= 1 and after.solitaire is None else "second"  # alone nobody trades
    return words.say("words", f"as_of.{key}", month=month, year=year)


def _entries(position: Position) -> list[_Entry]:
    found = (_LINE.match(line) for line in format_position(position).splitlines())
    return [_Entry(m["owner"] or "", m["label"], m["body"]) for m in found if m]


def _holding(
    names: DisplayNames,
    player: Player,
    new: list[_Entry],
    old: Mapping[tuple[str, str], str] | None,
    outcome: Outcome,
    shifts: Sequence[_Shift],
) -> Holding:
    mine = [e for e in new if e.owner == player]
    had, has, given_up = Counter[str](), Counter[str](), Counter[str]()
    if old is not None:
        had, has = _belongings(outcome.before, player), _belongings(outcome.after, player)
        given_up = _given_up(outcome, player)
    return Holding(
        player=player,
        title=names.title(player),
        name=names.players.get(player, ""),
        lines=tuple(_line(names, e, old) for e in mine if e.label != BOX),
        box=_box(mine),
        box_changed=_box_changed(mine, old),
        gained=listed(has - had),
        lost=listed(had - has),
        given_up=listed(given_up),
        causes=(*_causes(names, [shift for shift in shifts if shift.player == player]), *_void(names, outcome, player)),
    )


def _line(names: DisplayNames, entry: _Entry, old: Mapping[tuple[str, str], str] | None) -> PositionLine:
    # `--`: nobody's, although somebody has the nation's Control Marker; a reader must be able to tell.
    province = f"-- {entry.label}" if entry.owner == "--" else entry.label
    changed = old is not None and old.get((entry.owner, entry.label)) != _CODE.sub("", entry.body)
    name = names.place(entry.label) if entry.owner else ""
    return PositionLine(province, name, entry.body, changed)


def _box(entries: list[_Entry]) -> str:
    return next((e.body for e in entries if e.label == BOX), "")


def _box_changed(entries: list[_Entry], old: Mapping[tuple[str, str], str] | None) -> bool:
    return old is not None and any(e.label == BOX and old.get((e.owner, BOX)) != _CODE.sub("", e.body) for e in entries)


def _belongings(position: Position, player: Player) -> Counter[str]:
    """All of a player's pieces on the map, and their markers."""
    found = Counter(piece.bell for stack in position.owned(player) for piece in stack.pieces)
    found.update(position.box(player).markers.as_list())
    return found


def _given_up(outcome: Outcome, player: Player) -> Counter[str]:
    """All that a player gives up who leaves the game: markers, and units without a Leader (14.2)."""
    found: Counter[str] = Counter()
    for change in (c for e in outcome.events if isinstance(e, Quit) and e.player == player for c in e.changes):
        if isinstance(change, Marked) and change.place == player:
            found[change.marker] -= change.number
        elif isinstance(change, Restacked):
            found.update(piece.bell for stack in change.before for piece in stack.pieces)
    return found


def _shifted_pieces(outcome: Outcome) -> Iterator[_Shift]:
    """Every piece that came to a player or went, event by event: what came and went in one Phase too.

    But for what the player's own marches put down and took up again.
    """
    found: dict[tuple[Piece, Player], list[_Shift]] = {}
    countered = False
    for event in outcome.events:
        countered = event.counter if isinstance(event, PurgeRolled) else countered
        for piece, (had, has) in _handed(event).items():
            (giver, start), (taker, end) = had or (None, ""), has or (None, "")
            for player, gained in ((giver, False), (taker, True)):
                if player is None or giver == taker:
                    continue
                other = giver if gained else taker
                stands = gained or (other is None and type(event) in _LEFT)  # what was put down stands where it was
                place = end if stands and has else start
                place = start if gained and had and isinstance(event, Moved) else place  # where it joined
                shift = _Shift(player, gained, event, piece.bell, 1, place, other, has is not None, countered)
                known = found.setdefault((piece, player), [])
                if known and _undone(known[-1], shift):
                    known.pop()
                else:
                    known.append(shift)
    for shifts in found.values():
        yield from shifts


def _undone(one: _Shift, other: _Shift) -> bool:
    """Both by marching, and between the player and nobody: at the end all is as it was."""
    both = (one, other)
    return all(s.other is None and s.on_map and isinstance(s.event, Moved | Stacked | Abandoned) for s in both)


_Spot = tuple[Player | None, str]  # owner and province


def _handed(event: Event) -> dict[Piece, tuple[_Spot | None, _Spot | None]]:
    """Of every piece in an event whose it was and where, and whose it is and where; None: not on the map."""
    found: dict[Piece, tuple[_Spot | None, _Spot | None]] = {}
    for change in event.changes:
        if isinstance(change, Restacked):
            for stack in change.before:
                found |= {p: (found[p][0] if p in found else (stack.owner, stack.province), None) for p in stack.pieces}
            for stack in change.after:
                at = (stack.owner, stack.province)
                found |= {p: (found[p][0] if p in found else None, at) for p in stack.pieces}
    return found


def _shifted_markers(outcome: Outcome) -> Iterator[_Shift]:
    countered = False
    for event in outcome.events:
        countered = event.counter if isinstance(event, PurgeRolled) else countered
        found: Counter[tuple[Player, str]] = Counter()
        for change in event.changes:
            if isinstance(change, Marked) and change.place in outcome.after.players:
                found[change.place, change.marker] += change.number
        for (player, marker), number in found.items():
            other = next((p for (p, m), n in found.items() if m == marker and n * number < 0), None)
            if number:
                yield _Shift(player, number > 0, event, marker, abs(number), other=other, countered=countered)


def _causes(names: DisplayNames, shifts: Sequence[_Shift]) -> tuple[Cause, ...]:
    """One for each way, place and, where the sentence names them, other player; gains before losses."""
    found: dict[tuple[bool, str, str, Player | None, str], Counter[str]] = {}
    for shift in sorted(shifts, key=lambda s: not s.gained):
        event, how = shift.event, _how(shift)
        if isinstance(event, Quit):
            continue  # told as given up
        named = "{who}" in names.words.template("labels", f"yours.{'got' if shift.gained else 'went'}.{how}")
        other = shift.other if named else None
        who = names.leader(event.leader) if isinstance(event, RevolutionShaken) else names.who(other) if other else ""
        province = event.province if isinstance(event, AssassinationTried) and how == "murdered" else shift.province
        key = (shift.gained, how, names.place(province) if province else "", other, who)
        found.setdefault(key, Counter())[shift.what] += shift.number
    return tuple(
        Cause(how, gained, listed(what), place, who, player)
        for (gained, how, place, player, who), what in found.items()
    )


def _void(names: DisplayNames, outcome: Outcome, player: Player) -> Iterator[Cause]:
    """Draws from the Randomizer that brought the player nothing to keep."""
    for event in outcome.events:
        if not isinstance(event, ChitDrawn) or event.player != player or event.set_aside:
            continue
        if event.chit is None or event.chit.endswith("withdrawal"):
            yield Cause("drawn_void" if event.chit else "drawn_none", True, (), who=names.chit(event.chit))


def _how(shift: _Shift) -> str:
    event, kind = shift.event, type(shift.event)
    if isinstance(event, PurgeSpoils) and shift.countered:
        return "counterpurged"
    if shift.gained:
        return _way(_GAINED, kind, "other")
    if not shift.province:
        return _way(_SPENT, kind, "other")
    if not shift.on_map:
        if isinstance(event, Fought) and (event.subversion or event.result == "Ex"):
            return "subversion" if event.subversion else "exchange"
        return _way(_DESTROYED, kind, "other")
    return _way(_TAKEN, kind, "other") if shift.other is not None else _way(_LEFT, kind, "unled")


def _way(ways: Mapping[type[Event], str], kind: type[Event], otherwise: str) -> str:
    return next((word for event, word in ways.items() if issubclass(kind, event)), otherwise)


def without(items: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """One such list without another: of `3 PM`, where `2 PM` are taken out, `1 PM`."""
    return listed(_counted(items) - _counted(others))


def _counted(items: Sequence[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in items:
        number, _, what = item.partition(" ")
        found.update({what: int(number)} if number.isdecimal() else {item: 1})
    return found


def listed(belongings: Counter[str]) -> tuple[str, ...]:
    """Leaders before units before markers; several alike with their number."""

    def rank(item: str) -> tuple[int, str]:
        kind = item[1:2] if re.match(r"[RWGB][LU]\d", item) else "Z"
        return ("LUZ".index(kind), item)

    return tuple(
        item if n == 1 and item not in ("PM", "AM") else f"{n} {item}"
        for item, n in sorted(belongings.items(), key=lambda pair: rank(pair[0]))
    )
