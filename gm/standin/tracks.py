"""Political Identity and Cooperation tracks of all players, kept from public events (A1-A4 of the stand-in's rules).

They belong to the game whether or not anybody is a stand-in, so that one who takes a seat over inherits its history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from gm.adjudicator.chance import Chance
from gm.adjudicator.outcome import AssassinationTried, Event, Fought, Outcome, PurgeRolled, Traded
from gm.board.model import Board, Color
from gm.orders.kinds import Goods
from gm.position import Phase, Player, Position

FRIENDLIEST, WORST = 2, 7  # the ends of the Cooperation track
SAME_OUTLOOK, OPPOSITE, OTHERWISE = 2, 5, 3
RED_SURPLUS = 15  # Leadership that Red has more than White at the start
AVERAGE = 3  # of it for each of the five players whom the article thinks of


class Outlook(StrEnum):
    RED = "red"
    WHITE = "white"
    UNDECIDED = "undecided"


class Rolled(Struct, frozen=True):
    """A seat's strategy for a Game-Turn: the die, and for a vindictive one whom it is played out against."""

    die: int
    grudge: Player | None = None
    imperial: str | None = None  # `Czar` or `Gold`: the first attack goes to whoever holds it


class Tracks(Struct, frozen=True):
    """How the players stand to each other, and the strategies that stand-ins rolled in this Game-Turn."""

    cooperation: Mapping[tuple[Player, Player], int] = field(default_factory=dict)  # by letters in their order
    strategies: Mapping[Player, Rolled] = field(default_factory=dict)

    def between(self, one: Player, other: Player) -> int:
        """Where a pair stands: 2 is friendliest, 7 worst."""
        return self.cooperation.get((min(one, other), max(one, other)), OTHERWISE)

    def shifted(self, shifts: Iterable[tuple[Player, Player, int]]) -> Tracks:
        """After some acts of one player towards another."""
        found = dict(self.cooperation)
        for one, other, by in shifts:
            pair = (min(one, other), max(one, other))
            if pair in found:
                found[pair] = min(WORST, max(FRIENDLIEST, found[pair] + by))
        return replace(self, cooperation=found)


def leadership(position: Position, player: Player) -> tuple[int, int]:
    """A player's Red and White Leadership on the map."""
    totals = {Color.RED: 0, Color.WHITE: 0}
    for stack in position.owned(player):
        for leader in stack.leaders:
            if leader.color is not None:
                totals[leader.color] += leader.value
    return totals[Color.RED], totals[Color.WHITE]


def outlook(board: Board, position: Position, player: Player) -> Outlook:
    """Red, White or Undecided (A2): the room for the Undecided shrinks every Game-Turn."""
    red, white = leadership(position, player)
    return outlook_at(red - white, position.turn, shift=_shift(board, position))


def outlook_at(lean: int, turn: int, shift: int = 0) -> Outlook:
    """The outlook of somebody with so much more Red than White Leadership in a Game-Turn."""
    if lean < 1:
        return Outlook.WHITE
    least_red = max(1, 7 - max(turn, 1) + shift)
    return Outlook.RED if lean >= least_red else Outlook.UNDECIDED


def _shift(board: Board, position: Position) -> int:
    return round(RED_SURPLUS / len(position.players) - AVERAGE) if board.fanatic.outlook_by_players else 0


def begun(board: Board, position: Position) -> Tracks:
    """The tracks as the outlooks of a Position set them (A3): at the start, or where no history is kept."""
    views = {player: outlook(board, position, player) for player in position.players}
    found = {}
    for index, one in enumerate(position.players):
        for other in position.players[index + 1 :]:
            pair = (min(one, other), max(one, other))
            if views[one] is views[other]:
                found[pair] = SAME_OUTLOOK
            else:
                found[pair] = OTHERWISE if Outlook.UNDECIDED in (views[one], views[other]) else OPPOSITE
    return Tracks(found)


def advance(board: Board, tracks: Tracks, outcome: Outcome, rolled: Mapping[Player, Rolled] | None = None) -> Tracks:
    """The tracks after a Phase. `rolled`: the strategies of its stand-ins, which hold for the Second Phase too."""
    if outcome.before.phase in (Phase.SETUP, Phase.PREGAME):
        return begun(board, outcome.after)
    start = tracks if tracks.cooperation else begun(board, outcome.before)  # a game that was taken over
    after = start.shifted(shift for event in outcome.events for shift in shifts(event))
    kept = rolled or {} if outcome.before.phase is Phase.FIRST else {}
    return replace(after, strategies=dict(kept))


def tracks_of(board: Board, outcomes: Iterable[Outcome]) -> Tracks:
    """The tracks after all the Phases of a game so far, without anybody's strategies."""
    tracks = Tracks()
    for outcome in outcomes:
        tracks = advance(board, tracks, outcome)
    return tracks


def shifts(event: Event) -> list[tuple[Player, Player, int]]:
    """What an event does to the Cooperation tracks (A4): whoever acted, towards whom, by how many columns."""
    if isinstance(event, Fought):
        owner = event.defender.owner
        return [(event.player, owner, 1)] if owner not in (None, event.player) and owner is not None else []
    if isinstance(event, PurgeRolled):  # each member of a committee, and each Counterpurge
        return [(player, event.object, 1) for player in event.participants]
    if isinstance(event, AssassinationTried):
        owner = event.owner
        return [(event.player, owner, 1)] if owner is not None and owner != event.player else []
    if isinstance(event, Traded):
        found = _gift(event.giver, event.receiver, event.given)
        return found + (_gift(event.receiver, event.giver, event.returned) if event.returned else [])
    return []


def _gift(giver: Player, receiver: Player, goods: Goods) -> list[tuple[Player, Player, int]]:
    return [(giver, receiver, -1)] * goods.am + [(giver, receiver, -2)] * goods.pm


def ranked(position: Position, tracks: Tracks, seat: Player, chance: Chance) -> Sequence[Player]:
    """The other players still in the game, from the friendliest to the worst enemy; equals by a draw."""
    others = [player for player in position.active if player != seat]
    if len(others) > 1:
        others = list(chance.deal(f"stand-in/{seat}/equals", others, ("all",))["all"])
    return sorted(others, key=lambda other: tracks.between(seat, other))
