"""Who wrote the sheets of an archive: stand-ins' are written again, from the position, the history and the secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gm.adjudicator.chance import ProvableChance
from gm.adjudicator.corrections import corrections_of
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.outcome_json import outcome_from_json
from gm.adjudicator.versions import BEACON_DICE, DICE, READING
from gm.board.model import Board
from gm.orders.kinds import Sheet
from gm.orders.parser import parse
from gm.position import Player, Position
from gm.reports.proof.beacon import line_of
from gm.reports.proof.fairness import digest_of
from gm.standin.record import KNOWN, PlayedPhase, tracks_after, written
from gm.standin.strategy import Style

PhaseRecord = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class House:
    """What keys the draws of a campaign, beside its orders."""

    board: Board
    dice_name: str
    options: GameOptions


def standin_problems(
    board: Board, phases: Sequence[tuple[str, PhaseRecord]], dice_name: str, options: GameOptions
) -> Iterator[tuple[str, str]]:
    """(file, what is wrong) of every sheet that its stand-in would not have written.

    A stand-in of a version that is not known here is left alone; so is a commander, who plays by trial, under another
    reading.
    """
    house = House(board, dice_name, options)
    lived = [(path, phase) for path, phase in phases if phase["state"] != "void"]
    for index, (path, phase) in enumerate(lived):
        seats = _seats(phase)
        checked = [seat for seat in sorted(seats) if _can_be_repeated(phase, seat, seats[seat])]
        if not checked:
            continue
        outcome = outcome_from_json(board, phase["outcome"])
        position = replay(board, outcome.before, corrections_of(outcome)[0])
        past = [_played(house, earlier) for _, earlier in lived[:index]]
        chance = _chance(house, phase)
        for seat in checked:
            previous = _previous(board, position, lived[index - 1][1] if index else None, seat)
            version = phase["orders"][seat]["standin"]
            tracks = tracks_after(board, past, version)
            sheet = written(board, position, tracks, seat, chance, seats, previous, version)
            if Sheet(sheet.orders).printed() != phase["orders"][seat]["text"]:
                yield path, f"the orders of {seat} are not those that the stand-in gives"


def _seats(phase: PhaseRecord) -> dict[Player, Style]:
    orders: Mapping[str, Mapping[str, Any]] = phase["orders"]
    return {seat: Style(o["style"]) for seat, o in orders.items() if o["source"] == "standin" and o.get("style")}


def _can_be_repeated(phase: PhaseRecord, seat: Player, style: Style) -> bool:
    if phase["orders"][seat].get("standin") not in KNOWN or phase.get("dice", 1) not in (DICE, BEACON_DICE):
        return False
    return style is Style.FANATIC or phase.get("reading", 1) == READING


def _played(house: House, phase: PhaseRecord) -> PlayedPhase:
    return PlayedPhase(outcome_from_json(house.board, phase["outcome"]), _seats(phase), _chance(house, phase))


def _chance(house: House, phase: PhaseRecord) -> ProvableChance:
    """The draws of a Phase's stand-ins: keyed by the people's sealed orders."""
    orders: Mapping[str, Mapping[str, Any]] = phase["orders"]
    people = {seat: o.get("counted") or "" for seat, o in orders.items() if o["source"] != "standin"}
    digest = digest_of(people, house.options, house.board, line_of(phase.get("beacon")))
    return ProvableChance(bytes.fromhex(phase["secret"]), house.dice_name, phase["turn"], phase["phase"], digest)


def _previous(board: Board, position: Position, before: PhaseRecord | None, seat: Player) -> Sheet | None:
    text = before["orders"].get(seat, {}).get("text") if before is not None else None
    return parse(board, text, position.players, sealed=True).sheet if text else None
