"""Interfaces (Protocols) of what the campaign needs from others: renderer, stand-in, mail. bootstrap supplies them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from gm.adjudicator.chance import Chance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.outcome import Outcome
from gm.board.model import Board
from gm.orders.kinds import Sheet
from gm.position import Player, Position
from gm.reports.issue import Issue, Reader
from gm.reports.proof.beacon import BeaconChain, BeaconRound
from gm.standin.strategy import Seats, Style
from gm.standin.tracks import Tracks


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    content_type: str
    data: str  # text; binary content travels by reference (the map of a Bell)


@dataclass(frozen=True, slots=True)
class BellDocument:
    """A Bell as everybody may read it."""

    subject: str
    headline: str
    text: str
    html: str
    json: Mapping[str, Any]
    png: bytes | None = None
    chart: bytes | None = None
    wordings: tuple[str, ...] = ()
    view: object = None  # whatever the renderer wants to see again for the copies


@dataclass(frozen=True, slots=True)
class Copy:
    """A Bell as one reader gets it by mail."""

    text: str
    html: str | None = None
    attachments: tuple[Attachment, ...] = ()


class Renderer(Protocol):
    def compose(self, issue: Issue) -> BellDocument:
        """The public Bell. May take its time: no transaction is open meanwhile."""
        ...

    def personal(self, issue: Issue, document: BellDocument, reader: Reader) -> Copy:
        """One reader's mail: their time zone, their own annotated orders."""
        ...


class Adjudicate(Protocol):
    def __call__(
        self, board: Board, position: Position, orders: Mapping[Player, Sheet], chance: Chance, options: GameOptions, /
    ) -> Outcome: ...


class StandIn(Protocol):
    def __call__(
        self,
        board: Board,
        position: Position,
        tracks: Tracks,
        seat: Player,
        chance: Chance,
        seats: Seats,
        previous: Sheet | None,
    ) -> Sheet:
        """Orders for a seat that nobody plays. `previous`: what the player last had sealed, for what is STANDING."""
        ...


class Beacon(Protocol):
    def chain(self) -> BeaconChain:
        """The beacon of this installation. Raises Invalid where it is none that can be used."""
        ...

    def value(self, chain: BeaconChain, round: int) -> BeaconRound:
        """What a beacon gave in a round. Raises NotNow where it cannot be had."""
        ...


class Settle(Protocol):
    def __call__(self, services: Any, before: datetime, /) -> bool:
        """Deal with all mail that was received before then. False: some of it cannot be reached just now."""
        ...


class Wake(Protocol):
    def __call__(self, at: datetime | None, mail: bool) -> None:
        """Something will be due then (or mail is waiting). A hint: losing it costs time, never work."""
        ...


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail that this worker may send now, until its lease ends."""

    id: int
    lease: str
    message_id: str
    key: str
    campaign: str | None
    letter: str | None
    address: str
    name: str
    kind: str
    subject: str
    text: str
    html: str | None
    attachments: tuple[Attachment, ...]
    headers: Mapping[str, str]
    in_reply_to: str | None
    references: tuple[str, ...]
    bell: int | None
    attempts: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Sending:
    """What became of one mail."""

    id: int
    lease: str
    ok: bool
    error: str = ""
    permanent: bool = False
    withdrawn: bool = False  # it must not go to that address any more, and nobody needs to look into it


class Sender(Protocol):
    def send(self, mails: Sequence[Outgoing]) -> Iterable[Sending]: ...


@dataclass(frozen=True, slots=True)
class NewPlayer:
    name: str
    address: str
    zone: str = "UTC"
    letter: Player | None = None
    standin: Style | None = None  # nobody: a stand-in of this style has the seat to itself


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail to be queued. The key says what it is about: the same key is never queued twice."""

    key: str
    kind: str
    address: str
    name: str
    subject: str
    text: str
    campaign: str | None = None
    letter: str | None = None
    html: str | None = None
    attachments: tuple[Attachment, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    in_reply_to: str | None = None
    bell: int | None = None
