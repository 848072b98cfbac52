"""What the system did and how the game ended, in the game for one person."""

from __future__ import annotations

from collections.abc import Iterator

from gm.adjudicator.outcome import Event, Outcome
from gm.adjudicator.solitaire import event_types as s
from gm.adjudicator.solitaire.victory import lost_capitals
from gm.board.model import Color
from gm.position import Phase
from gm.reports.view.model import Item
from gm.reports.view.names import DisplayNames

# Which sections an issue has even if they say that nothing happened.
ALWAYS_ALONE = {
    Phase.SETUP: ("system", "events"),
    Phase.FIRST: ("movement",),
    Phase.SECOND: ("attacks",),
}


def told_alone(names: DisplayNames, outcome: Outcome) -> Iterator[Item]:
    """The system's turn in the order in which it was played, deployments and the Czar's end."""
    for event in outcome.events:
        yield from _told(names, event)


def _told(names: DisplayNames, event: Event) -> Iterator[Item]:
    match event:
        case s.SolitaireBegun():
            ways = ", ".join(f"{here}-{there}" for here, there in sorted(event.drawn.items()))
            yield _item(names, event, "begun", ways=ways)
        case s.SystemMoved():
            facts = {"pieces": names.pieces(event.pieces), "die": event.die}
            if len(event.path) > 1:
                yield _item(names, event, "moved", path="-".join(event.path), **facts)
            else:
                yield _item(names, event, "stayed", at=names.at(event.path[0]), **facts)
            if event.picked:
                taken = names.words.many(names.leader(piece) for _, piece in event.picked)
                yield _item(names, event, "picked", pieces=taken)
        case s.SystemStacked():
            stacks = "; ".join(names.stack(stack) for stack in event.stacks)
            yield _item(names, event, "stacked", at=names.at(event.province), stacks=stacks)
        case s.AttackWithheld():
            yield _item(
                names,
                event,
                "withheld",
                at=names.at(event.province),
                target=names.stack(event.target),
                attack=event.attack,
                defence=event.defence,
            )
        case s.LeadersDetermined():
            if event.left:
                yield _item(names, event, "left", leaders=names.pieces(event.left))
            key = "undetermined" if event.die is None else "determined"
            yield _item(names, event, key, die=event.die, number=event.number)
        case s.Deployed():
            yield _item(names, event, "deployed", leader=names.leader(event.leader), at=names.at(event.province))
        case s.CzarShot():
            yield _item(names, event, "shot", leader=names.leader(event.leader), at=names.at(event.province))


def _item(names: DisplayNames, event: Event, key: str, **facts: object) -> Item:
    return Item(names.words.say("happened", f"system.{key}", **facts), event.rules, key)


def how_it_ended(names: DisplayNames, outcome: Outcome) -> str:
    """The verdict of a game for one person; empty while it goes on, and in all other games."""
    ended = next((e for e in outcome.events if isinstance(e, s.SolitaireEnded)), None)
    if ended is None:
        return ""
    key = str(ended.winner) if ended.winner else "draw"
    if key == "red":
        key = f"red_{ended.level}"
    facts = {"turn": ended.turn, "strength": str(ended.strength), "provinces": len(ended.provinces)}
    told = names.words.say("happened", f"alone.{key}", **facts)
    return " ".join((told, *_why_lost(names, outcome))) if ended.winner is Color.WHITE else told


def _why_lost(names: DisplayNames, outcome: Outcome) -> Iterator[str]:
    """Which capital was lost, and to whom."""
    alone = outcome.after.solitaire
    if alone is None:
        return
    key = "alone.taken_empty" if alone.contested else "alone.taken"
    for capital, stacks in lost_capitals(outcome.after.stacks, contested=alone.contested).items():
        yield names.words.say(
            "happened", key, at=names.at(capital), strength=str(sum(stack.strength for stack in stacks))
        )
