"""Summary of earlier issues for the next Bell, carried from Phase to Phase.

Each Phase holds what was printed before it, as it holds the position with which it begins; so a rollback finds both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from gm.adjudicator.outcome import Points
from gm.adjudicator.outcome_json import outcome_from_json
from gm.board.model import Board
from gm.position import Player, from_json
from gm.reports.issue import BarometerRow, Issue, Past, Record
from gm.reports.story.headlines import KEPT
from gm.reports.story.memory import noted, relations_after
from gm.reports.view.map import barometer_rows
from gm.standin.tracks import tracks_of
from gm.store.repositories import paper, phases
from gm.store.tables import PhaseRow

# [number of the issue, figures of each player, wordings of its stories, what it leaves to later ones]
Entry = list[Any]


def issues_before(board: Board, session: Session, phase: PhaseRow) -> tuple[Past, ...]:
    """What was printed before this Phase, oldest first."""
    entries = phases.course(session, phases.key_of(phase))
    if entries is None:  # begun before summaries were carried, or imported from an archive without them
        return _with_relations(board, session, phase, _rebuilt(board, session, phase))
    found = tuple(
        Past(
            number,
            {player: BarometerRow(*figures) for player, figures in rows.items()},
            tuple(wordings),
            msgspec.convert(record[0] if record else {}, Record),  # none: printed before issues left one
        )
        for number, rows, wordings, *record in entries
    )
    return _with_relations(board, session, phase, found)


def _with_relations(board: Board, session: Session, phase: PhaseRow, past: tuple[Past, ...]) -> tuple[Past, ...]:
    """With how the players stood to each other before this Phase in the last of them, and in no other.

    Where no issue noted it yet, it comes from the history.
    """
    if not past or "solitaire" in phase.position:
        return past
    relations = past[-1].record.relations
    if not relations:
        lived = [row for row in phases.history(session, phase.campaign_id) if row.state != "void"]
        judged = [phases.adjudication(session, phases.key_of(row)) for row in lived if row.ordinal < phase.ordinal]
        outcomes = [outcome_from_json(board, row.outcome) for row in judged if row is not None]
        relations = noted(tracks_of(board, outcomes))
    known = [dict[str, int]()] * (len(past) - 1) + [relations]
    return tuple(replace(p, record=replace(p.record, relations=found)) for p, found in zip(past, known, strict=True))


def extended(board: Board, issue: Issue, wordings: Sequence[str], record: Mapping[str, Any]) -> list[Entry]:
    """The summary with one more issue, as the next Phase will hold it."""
    outcome = issue.outcome
    rows = barometer_rows(outcome.after, outcome.points)
    left = replace(msgspec.convert(record, Record), relations=relations_after(board, outcome, issue.past))
    issues = [*issue.past, Past(issue.number, rows, tuple(wordings), left)]
    forgotten = len(issues) - KEPT
    return [
        [
            past.number,
            {player: list(astuple(row)) for player, row in sorted(past.rows.items())},
            list(past.wordings) if n >= forgotten else [],
            msgspec.to_builtins(past.record),
        ]
        for n, past in enumerate(issues)
    ]


def _rebuilt(board: Board, session: Session, phase: PhaseRow) -> tuple[Past, ...]:
    """From the beginning of the campaign. What a Phase led to is what the next one began with."""
    lines = {(line.turn, line.phase, line.incarnation): line for line in paper.bell_lines(session, phase.campaign_id)}
    published = [found for found in phases.past(session, phase.campaign_id) if found[0].ordinal < phase.ordinal]
    began = [row.position for row, _ in published] + [phase.position]
    found: list[Past] = []
    for (row, points), position in zip(published, began[1:], strict=True):
        line = lines.get((row.turn, row.phase, row.incarnation))
        if line is not None:
            scores: dict[Player, Points] = {player: Points(*pair) for player, pair in points.items()}
            rows = barometer_rows(from_json(board, position), scores)
            record = msgspec.convert(paper.bell_record(session, phase.campaign_id, line.number), Record)
            found.append(Past(line.number, rows, tuple(line.wordings), record))
    return tuple(found)
