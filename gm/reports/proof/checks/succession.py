"""Check how the Phases of an archive follow one another, and what a Gamesmaster corrected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from gm.adjudicator.corrections import conserved, corrections_of
from gm.adjudicator.engine.working_position import WorkingPosition, replay
from gm.adjudicator.outcome import Corrected
from gm.adjudicator.outcome_json import decode, outcome_from_json
from gm.board.model import Board
from gm.position import from_json, to_json
from gm.reports.proof.checks.bells import BellsCheck, PhaseRecord, Problem, squeezed

Records = Sequence[tuple[str, PhaseRecord]]


def corrections_problems(board: Board, bells: BellsCheck, judged: Records) -> Iterator[Problem]:
    """No correction of a Gamesmaster loses or doubles a piece, and the issue on its Phase prints it."""
    for path, phase in judged:
        outcome = outcome_from_json(board, phase["outcome"])
        told = bells.reports(phase)
        table = WorkingPosition(board, outcome.before)
        for event in outcome.events:
            stood = table.position() if isinstance(event, Corrected) else None
            table.emit(event)
            if stood is None or not isinstance(event, Corrected):
                continue
            if not conserved(stood, table.position()):
                yield path, "correction", "loses or doubles a piece"
            if told is not None and squeezed(event.reason) not in squeezed(bells.texts[told]):
                yield path, "correction", f"issue {told} does not print it"


def succession_problems(board: Board, phases: Records) -> Iterator[Problem]:
    """Each Phase begins with what the one before it led to; a Gamesmaster's end changes only that it is the end.

    It may come in a Phase whose position had been corrected: that Phase is void, and has the corrections.
    """
    for path, phase in phases:
        stands = phase["position"]
        if stands is not None and (phase["turn"], phase["phase"]) != (stands["turn"], stands["phase"]):
            yield path, "position", "is of another Phase than the record says"
    lived = [(path, phase) for path, phase in phases if phase["state"] != "void"]
    for (_, earlier), (path, later) in pairwise(lived):
        if earlier["outcome"] is None or later["position"] is None:
            continue
        led_to = earlier["outcome"]["after"]["position"]
        stood = [led_to]
        if later["phase"] == "finished":
            between = (phase for _, phase in phases if earlier["ordinal"] < phase["ordinal"] < later["ordinal"])
            stood += [_corrected(board, phase) for phase in between if phase["position"] == led_to]
            stood = [position | {"phase": "finished"} for position in stood]
        if later["position"] not in stood:
            yield path, "position", "does not begin with the position that the Phase before led to"


def _corrected(board: Board, phase: PhaseRecord) -> dict[str, Any]:
    """The position of a Phase with all its corrections."""
    events = [decode(board, event) for event in phase.get("corrections", ())]
    if phase["outcome"]:
        events = list(corrections_of(outcome_from_json(board, phase["outcome"]))[0])
    stands: dict[str, Any] = phase["position"]
    if events:
        stands = json.loads(json.dumps(to_json(replay(board, from_json(board, stands), events))))
    return stands
