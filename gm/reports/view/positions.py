"""The positions of an issue in Bell notation, with what changed since the last one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.adjudicator.outcome import Marked, Outcome, Quit, Restacked
from gm.notation import format_position
from gm.position import Phase, Player, Position
from gm.reports.prose import Prose
from gm.reports.view.model import Holding, PositionLine, Positions
from gm.reports.view.names import DisplayNames

BOX = "BOX"
_LINE = re.compile(r"^(?:(?P<owner>--?|[A-Z])\s+)?(?P<label>[A-Z]+):?\s+(?P<body>.*)$")
_CODE = re.compile(r" #\d+")  # identity codes: not a change that anybody can see


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
    holdings = tuple(_holding(names, player, new, known, outcome) for player in after.players)
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
        key = "pregame" if after.turn <= 1 else "second"
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
        gained=_listed(has - had),
        lost=_listed(had - has),
        given_up=_listed(given_up),
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


def without(items: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """One such list without another: of `3 PM`, where `2 PM` are taken out, `1 PM`."""
    return _listed(_counted(items) - _counted(others))


def _counted(items: Sequence[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in items:
        number, _, what = item.partition(" ")
        found.update({what: int(number)} if number.isdecimal() else {item: 1})
    return found


def _listed(belongings: Counter[str]) -> tuple[str, ...]:
    """Leaders before units before markers; several alike with their number."""

    def rank(item: str) -> tuple[int, str]:
        kind = item[1:2] if re.match(r"[RWGB][LU]\d", item) else "Z"
        return ("LUZ".index(kind), item)

    return tuple(
        item if n == 1 and item not in ("PM", "AM") else f"{n} {item}"
        for item, n in sorted(belongings.items(), key=lambda pair: rank(pair[0]))
    )
