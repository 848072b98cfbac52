"""A Phase in steps that a reader can go through one by one: what was done, the dice, the map after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gm.adjudicator import outcome as o
from gm.adjudicator.engine.working_position import WorkingPosition
from gm.adjudicator.solitaire import event_types as s
from gm.board.model import Board
from gm.position import Player, Position
from gm.reports.issue import PlayerInfo
from gm.reports.prose import standard_prose
from gm.reports.roads import road_of
from gm.reports.view.model import AttackRow
from gm.reports.view.names import DisplayNames, names_for
from gm.reports.view.what_happened import attacks, sections

# Events of one kind that follow each other are one step: nobody wants to click through them.
_TOGETHER = (
    (s.SystemStacked,),
    (o.PurgeFiled, o.PurgeRolled, o.PurgeSpoils),
    (o.ExecutionOrdered, o.ExecutionAnswered),
    (o.Replaced,),
    (o.Traded, o.Seized),
    (o.DrawEvent, o.ChitDrawn),
    (o.Stacked,),
    (o.Voted,),
)


@dataclass(frozen=True, slots=True)
class PlayStep:
    """One thing that was done. `outcome` holds it alone: the map before and after it, and its events."""

    words: tuple[str, ...]
    dice: tuple[int, ...]
    focus: str  # the province to look at; empty: none in particular
    outcome: o.Outcome


def steps_of(board: Board, outcome: o.Outcome, players: Mapping[Player, PlayerInfo]) -> tuple[PlayStep, ...]:
    """All that a Phase brought, in the order in which it was played."""
    names = names_for(board, standard_prose(), players, outcome)
    table, before = WorkingPosition(board, outcome.before), outcome.before
    found: list[PlayStep] = []
    for events in _chunks(outcome.events):
        for event in events:
            table.emit(event)
        after = table.position()
        step = _step(names, before, after, events)
        if step.words:
            found.append(step)
        before = after
    return tuple(found)


def _chunks(events: Sequence[o.Event]) -> Iterator[tuple[o.Event, ...]]:
    chunk: list[o.Event] = []
    for event in events:
        if chunk and not any(isinstance(event, kinds) and isinstance(chunk[-1], kinds) for kinds in _TOGETHER):
            yield tuple(chunk)
            chunk = []
        chunk.append(event)
    if chunk:
        yield tuple(chunk)


def _step(names: DisplayNames, before: Position, after: Position, events: tuple[o.Event, ...]) -> PlayStep:
    alone = o.Outcome(before, after, events, (), (), {})
    words = [_moved(names, e) for e in events if isinstance(e, o.Moved) and not isinstance(e, s.SystemMoved)]
    words += [_fought(names, row) for row in attacks(names, alone)]
    told = [section for section in sections(names, alone) if section.key != "movement" or not words]
    words += [i.text for section in told for i in section.items if i.kind not in ("none", "count")]
    return PlayStep(tuple(words), _dice(events), _focus(events), alone)


def _moved(names: DisplayNames, event: o.Moved) -> str:
    road = road_of(event, None)
    marched = road.marchers() or event.pieces
    facts = {"tag": names.tag(event.player), "pieces": names.pieces(marched), "path": "-".join(event.path)}
    said = names.words.say("happened", "steps.moved", **facts)
    return " ".join(filter(None, (said, names.on_the_way(road.changes()))))


def _fought(names: DisplayNames, row: AttackRow) -> str:
    lost = names.words.many(loss.piece for loss in row.eliminated)
    facts = {"place": row.name, "attackers": row.attackers, "defenders": row.defenders, "odds": row.odds}
    return names.words.say("happened", "steps.fought", **facts, die=str(row.die), result=row.result, lost=lost)


def _dice(events: Sequence[o.Event]) -> tuple[int, ...]:
    """The faces that were rolled, where they are faces of single dice."""
    found: list[int] = []
    for event in events:
        if isinstance(event, o.EpidemicStruck | o.SubversionDoubled | o.DrawEvent):
            found += event.dice
        elif isinstance(event, o.Fought | s.SystemMoved | s.LeadersDetermined) and event.die is not None:
            found.append(event.die)
    return tuple(found)


def _focus(events: Sequence[o.Event]) -> str:
    for event in events:
        if isinstance(event, o.Moved):
            return event.path[-1]
        if isinstance(event, o.EpidemicStruck) and event.provinces:
            return event.provinces[0]
        province = getattr(event, "province", "")
        if province:
            return str(province)
    return ""
