"""Check a judged Phase by its own record, without judging it again: recompute its dice and replay its events.

So an archive can be verified whatever version of the reading its Phases were judged by. What a draw was made from is on
record since version 2 of the reading. Before, it follows from the recorded events, except who was tied where a tie
was drawn: those draws are counted, not recomputed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.engine.working_position import WorkingPosition, replay
from gm.adjudicator.outcome import (
    RANDOMIZER,
    AssassinationTried,
    ChitDrawn,
    DrawEvent,
    EpidemicStruck,
    Fought,
    Outcome,
    PurgeRolled,
    Roll,
    SubversionDoubled,
)
from gm.adjudicator.outcome_json import encode, outcome_from_json
from gm.adjudicator.steps.setup import pots
from gm.board.model import Board

# Every version of the dice there was; 2 and 3 are keyed by other digests.
DICE_OF: Mapping[int, type[ProvableChance]] = {1: ProvableChance, 2: ProvableChance, 3: ProvableChance}
TOTALS = frozenset({"assassination", "purge", "counterpurge"})  # rolls of two dice of which only the sum counts
TOLD = TOTALS | {"combat", "subversion", "event"}  # rolls that have an event of their own
Problem = tuple[str, str]  # the check, and what about it


def chance_of(phase: Mapping[str, Any], dice_name: str) -> ProvableChance | None:
    """The dice of a Phase by the version that it records (none: 1); None for a version that is not known here."""
    made_by = DICE_OF.get(phase.get("dice", 1))
    if made_by is None:
        return None
    secret = bytes.fromhex(phase["secret"])
    return made_by(secret, dice_name, phase["turn"], phase["phase"], phase["orders_digest"])


class RecordCheck:
    """The record of one Phase: `problems` names what does not fit, `unproven` counts draws of ties."""

    def __init__(self, board: Board, phase: Mapping[str, Any], chance: ProvableChance, options: GameOptions) -> None:
        self.phase = phase
        self.outcome: Outcome = outcome_from_json(board, phase["outcome"])
        self.chance = chance
        self.board = board
        self.unproven = 0
        self.drawn_from = drawings(board, self.outcome, options)

    def problems(self) -> Iterator[Problem]:
        outcome, recorded = self.outcome, self.phase["outcome"]
        if recorded["before"]["position"] != self.phase["position"]:
            yield "outcome", "before: is not the position of the Phase"
        if encode(replay(self.board, outcome.before, outcome.events)) != recorded["after"]:
            yield "outcome", "after: the recorded events lead to something else"
        for roll in outcome.rolls:
            drawing = self.drawn_from.get(roll.occasion)
            if roll.options and drawing != Drawing(roll.options, roll.among):
                yield "dice", f"{roll.occasion} was not drawn from what lay there"
            elif not self._as_rolled(roll):
                yield "dice", f"the dice of {roll.occasion} are not those that the secret gives"
        if _told(outcome) != _thrown(outcome.rolls):
            yield "dice", "the events do not tell of the dice that were rolled"

    def _as_rolled(self, roll: Roll) -> bool:
        chance, occasion = self.chance, roll.occasion
        match _kind(roll):
            case "die":
                return roll.dice == (chance.die(occasion),)
            case "total":
                return roll.dice == (chance.two_dice(occasion),)
            case "pair":
                return roll.dice == chance.pair(occasion)
        drawing = self.drawn_from.get(occasion)
        if drawing is None:
            self.unproven += 1
            return roll.drawn in self.outcome.before.active
        if drawing.among:
            what, _, player = occasion.partition("/")
            return roll.drawn == ", ".join(chance.deal(what, drawing.options, drawing.among)[player])
        return roll.drawn == chance.pick(occasion, drawing.options)


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a draw was made from; a deal goes round `among`."""

    options: tuple[str, ...]
    among: tuple[str, ...] = ()


def drawings(board: Board, outcome: Outcome, options: GameOptions) -> dict[str, Drawing]:
    """What each draw was made from, by occasion: chits by replaying the events, players, the deal, recorded ties."""
    players = tuple(sorted(outcome.before.active))
    found: dict[str, Drawing] = {}
    chits: list[str] = []
    dealt_from = {pot.occasion: Drawing(pot.cards, pot.players) for pot in pots(board, options, players)}
    for roll in outcome.rolls:
        match _kind(roll):
            case "chit":
                chits.append(roll.occasion)
            case "recipient":
                found[roll.occasion] = Drawing(players)
            case "deal":
                found[roll.occasion] = dealt_from[roll.occasion.partition("/")[0]]
            case _ if roll.options:
                found[roll.occasion] = Drawing(roll.options)
    table = WorkingPosition(board, outcome.before)
    for event in outcome.events:
        if isinstance(event, ChitDrawn) and event.chit is not None and chits:
            found[chits.pop(0)] = Drawing(tuple(table.markers[RANDOMIZER].as_list()))
        table.emit(event)
    return found


def _kind(roll: Roll) -> str:
    """What sort of luck a roll on record was: its occasion says so."""
    first = roll.occasion.partition("/")[0]
    if roll.drawn is None:
        return "pair" if first == "event" else "total" if first in TOTALS else "die"
    return "chit" if first in ("randomizer", "event") else first.partition("-")[0]  # a deal of several pots: deal-2


def _thrown(rolls: Sequence[Roll]) -> Counter[tuple[str, object]]:
    """The rolls as events tell of them; of a tie that was drawn, and of the deal, no event tells in these words."""
    found: Counter[tuple[str, object]] = Counter()
    for roll in rolls:
        if roll.dice:
            if (first := roll.occasion.partition("/")[0]) in TOLD:
                found[first, roll.dice] += 1
        elif (kind := _kind(roll)) in ("chit", "recipient"):
            found[kind, roll.drawn] += 1
    return found


def _told(outcome: Outcome) -> Counter[tuple[str, object]]:
    """The dice that the events tell of."""
    found: Counter[tuple[str, object]] = Counter()
    for event in outcome.events:
        match event:
            case Fought():
                found["subversion" if event.subversion else "combat", (event.die,)] += 1
            case AssassinationTried():
                found["assassination", (event.dice,)] += 1
            case PurgeRolled():
                found["counterpurge" if event.counter else "purge", (event.dice,)] += 1
            case EpidemicStruck() | SubversionDoubled():
                found["event", event.dice] += 1
            case DrawEvent():
                found["event", event.dice] += 1
                if event.recipient is not None and outcome.before.solitaire is None:  # alone nobody is drawn
                    found["recipient", event.recipient] += 1
            case ChitDrawn(chit=str()):
                found["chit", event.chit] += 1
    return found
