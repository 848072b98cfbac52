"""Events that only the game for one person has."""

from __future__ import annotations

from collections.abc import Mapping

from gm.adjudicator.outcome import Event, Moved
from gm.board.model import Color, Piece
from gm.position import Player, Stack


class SolitaireBegun(Event, frozen=True, kw_only=True):
    """27: the initial deployment, and the ways of all provinces (S2)."""

    drawn: Mapping[str, str]  # the provinces with several ways equally short, and what the die chose


class SystemMoved(Moved, frozen=True, kw_only=True):
    """21: a force of the system went as many provinces along its way as its die said. `number` is 0: no order."""

    die: int


class SystemStacked(Event, frozen=True, kw_only=True):
    """22: the system's pieces of a province and colour or nation, as they stand from now on."""

    province: str
    stacks: tuple[Stack, ...]


class AttackWithheld(Event, frozen=True, kw_only=True):
    """23.14: the system's forces would attack, but the odds are below 1-1."""

    province: str
    target: Stack
    attack: int
    defence: int


class LeadersDetermined(Event, frozen=True, kw_only=True):
    """24: Red Leaders left the map, and so many may come back."""

    die: int | None  # None: no determination (24.16, 24.17)
    number: int
    left: tuple[Piece, ...]


class Deployed(Event, frozen=True, kw_only=True):
    """24.11: a Red Leader came back, on a unit or alone."""

    player: Player
    number: int
    leader: Piece
    province: str
    on: Piece | None = None


class CzarShot(Event, frozen=True, kw_only=True):
    """26: a Red Leader stood in one stack with the Czar."""

    province: str
    leader: Piece


class CombatPlayed(Event, frozen=True, kw_only=True):
    """A part of the Red Combat Phase is over; `done`: the whole of it."""

    part: int
    done: bool


class SolitaireEnded(Event, frozen=True, kw_only=True):
    """28: who won and how well, and what is left of the others where Red must have cleared the map."""

    winner: Color | None  # None: a draw
    level: str  # decisive, substantive, marginal, draw
    turn: int
    strength: int  # of all that is not Red in the four regions
    provinces: tuple[str, ...]  # where it stands
