"""The form of an archive's public files: which entries each has, of which kind, and what goes with what.

Anything else in them is named: nothing would account for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from gm.reports.proof.checks.bells import INDEX, PhaseRecord, Problem

Number = Annotated[int, Meta(ge=0, le=999_999_999)]
Name = Literal["setup", "pregame", "first", "second", "finished"]
Moment = Annotated[datetime, Meta(tz=True)]
Letter = Annotated[str, Meta(pattern="^[A-Z]$")]
Text = Annotated[str, Meta(max_length=100_000)]  # a sheet may have 60,000


class _Sealed(Struct, forbid_unknown_fields=True):
    text: Text
    version: Number
    salt: str
    receipt: str
    source: str
    counted: Text | UnsetType = UNSET
    style: str | UnsetType | None = UNSET
    standin: Number | UnsetType = UNSET


class _Phase(Struct, forbid_unknown_fields=True):
    turn: Number
    phase: Name
    incarnation: Number
    ordinal: Number
    state: Literal["open", "published", "void"]
    erratum: str | None
    position: dict[str, Any] | None
    opened_at: Moment | None
    deadline: Moment | None
    published_at: Moment | None
    commitment: str
    secret: str | None
    orders_digest: str | None
    orders: dict[Letter, _Sealed]
    outcome: dict[str, Any] | None
    reading: Number | None = None  # archives of reading 1 do not say
    dice: Number | None = None
    corrections: list[dict[str, Any]] = []
    beacon_round: int | UnsetType = UNSET
    beacon: dict[str, Any] | UnsetType = UNSET


class _Beacon(Struct, forbid_unknown_fields=True):
    address: str
    public_key: str
    genesis_time: int
    period: Number
    scheme: str


class _Campaign(Struct, forbid_unknown_fields=True):
    id: str
    dice_name: str
    status: Literal["inviting", "running", "paused", "finished"]
    options: dict[str, Any]
    name: str
    paper: str
    gamesmaster: str
    gamesmaster_plays: Letter | None
    players: dict[Letter, str]
    created_at: Moment
    made_by: str
    board: str | UnsetType = UNSET
    beacon: _Beacon | UnsetType = UNSET


class _Line(Struct, forbid_unknown_fields=True):
    number: Number
    kind: str
    turn: Number
    phase: Name
    incarnation: Number
    subject: str
    headline: str
    published_at: Moment
    chain: str
    commitments: list[str]
    void: bool = False  # archives of before do not say


class _Index(Struct, forbid_unknown_fields=True):
    bells: list[_Line]


class _Piece(Struct, forbid_unknown_fields=True):
    sender: str
    text: str
    dateline: str | None
    bell: Number
    at: Moment


class _Press(Struct, forbid_unknown_fields=True):
    press: list[_Piece]


SHAPES: Mapping[str, type[Struct]] = {"campaign.json": _Campaign, INDEX: _Index, "press.json": _Press}


def shape_problems(path: str, data: Mapping[str, Any] | None) -> Iterator[Problem]:
    """What is wrong with the form of a file, told of the first entry that is."""
    if data is None:
        yield path, "shape", "is missing or holds no JSON that an archive has"
        return
    try:
        msgspec.convert(data, SHAPES.get(path, _Phase))
    except (msgspec.ValidationError, RecursionError) as error:
        yield path, "shape", f"does not have the entries that it should: {error}"


class _Position(Struct):
    """As far as it can make work without end: every player and every piece is there once."""

    players: Annotated[list[Letter], Meta(max_length=26)]
    stacks: Annotated[list[tuple[str, str | None, list[int]]], Meta(max_length=1000)]
    gone: Annotated[list[int], Meta(max_length=1000)]
    gone_chits: Annotated[list[str], Meta(max_length=1000)]
    quitters: Annotated[list[Letter], Meta(max_length=26)]
    boxes: Annotated[dict[Letter, dict[str, Any]], Meta(max_length=26)]


def size_problems(phases: Sequence[tuple[str, PhaseRecord]]) -> Iterator[Problem]:
    """Whatever is too large for a game: such an archive is not looked at any further."""
    for path, phase in phases:
        try:
            outcome = phase.get("outcome") or {}
            stands = [phase.get("position"), *(outcome[name]["position"] for name in ("before", "after") if outcome)]
            for data in (data for data in stands if data is not None):
                position = msgspec.convert(data, _Position)
                pieces = [*position.gone, *(code for _, _, codes in position.stacks for code in codes)]
                if len(set(pieces)) < len(pieces) or len(set(position.players)) < len(position.players):
                    yield path, "size", "has a player or a piece twice"
            msgspec.convert(phase.get("orders"), Annotated[dict[Letter, _Sealed], Meta(max_length=26)])
        except (msgspec.ValidationError, AttributeError, KeyError, TypeError, RecursionError) as error:
            yield path, "size", f"its position or orders are of no game: {error}"


def phases_problems(phases: Sequence[tuple[str, PhaseRecord]], status: str) -> Iterator[Problem]:
    """Each Phase has what its state says; they follow one another; the campaign stands where they end."""
    begun: dict[tuple[int, str], int] = {}
    for path, phase in phases:
        if path != f"phases/{phase['ordinal']:03d}-{phase['turn']:02d}-{phase['phase']}.json":
            yield path, "name", "is not named after its Phase"
        key = (phase["turn"], phase["phase"])
        if phase["incarnation"] != begun.get(key, 0):
            yield path, "incarnation", "is not the number of times that it was begun before"
        begun[key] = begun.get(key, 0) + 1
        yield from _of_state(path, phase)
    states = [name for name, _ in groupby(phase["state"] for _, phase in phases if phase["state"] != "void")]
    still_open = [(path, phase) for path, phase in phases if phase["state"] == "open"]
    if states not in ([], ["open"], ["published"], ["published", "open"]) or len(still_open) > 2:
        yield still_open[0][0], "state", "is open, and later ones are over"
    if not phases or status != _status(phases, still_open, status):
        yield "campaign.json", "status", f"says {status}, which is not where the Phases end"


def _of_state(path: str, phase: PhaseRecord) -> Iterator[Problem]:
    """What a Phase in a state must have, and must not have."""
    judged, ends = phase["outcome"] is not None, phase["phase"] == "finished"
    hidden = ("published_at", "secret", "orders_digest", "outcome", "reading", "dice", "beacon")
    if phase["state"] == "open":
        told = [name for name in hidden if phase.get(name) is not None] + ["orders"] * bool(phase["orders"])
        if told:
            yield path, "state", f"is open, but has {', '.join(told)}"
        return
    if phase["secret"] is None or phase["position"] is None:
        yield path, "state", "is over, but does not have its secret and its position"
    if phase["state"] == "published" and (judged == ends or phase["published_at"] is None):
        yield path, "state", "was published, but does not have what it came to, and when"
    if ends and phase["orders"]:
        yield path, "state", "is the end, and has orders"
    if phase.get("corrections") and judged:
        yield path, "state", "has its corrections twice"
    if judged and not ((phase["orders_digest"] and phase["opened_at"]) or phase["phase"] == "setup"):
        yield path, "state", "was judged, but never opened or sealed"


def _status(phases: Sequence[tuple[str, PhaseRecord]], still_open: Sequence[tuple[str, PhaseRecord]], said: str) -> str:
    last = phases[-1][1]
    if not still_open:
        return "finished" if last["phase"] == "finished" else ""
    if len(phases) == 1 and last["phase"] == "setup" and said == "inviting":
        return said
    return said if said in ("running", "paused") else "running"
