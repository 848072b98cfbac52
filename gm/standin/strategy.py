"""The strategy that a fanatic rolls for a Game-Turn (A5, A6), and what it gives away for it (A9, A11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from gm.adjudicator.chance import Chance
from gm.board.model import Board, Piece
from gm.orders import kinds as m
from gm.position import Phase, Player, Position
from gm.standin.tracks import Rolled, Tracks, ranked

REROLLS = 200  # a table of nothing but the Czar and the Gold must not hang anybody
_PLACES = {"friendliest": 0, "second friendliest": 1, "second unfriendliest": -2, "unfriendliest": -1}


class Style(StrEnum):
    """How a stand-in plays."""

    FANATIC = "fanatic"  # by the tables of the article
    COMMANDER = "commander"  # to win


Seats = Mapping[Player, Style]  # the seats that stand-ins play, as The Bell lists them


def fanatics(position: Position, seats: Seats) -> list[Player]:
    """The seats still in the game that fanatics play, by letter."""
    return [p for p in sorted(position.active) if seats.get(p) is Style.FANATIC]


def strategies(board: Board, position: Position, tracks: Tracks, chance: Chance, seats: Seats) -> dict[Player, Rolled]:
    """What every fanatic plays by in this Phase: rolled in the First Phase, and the same in the Second."""
    found = {}
    for seat in fanatics(position, seats):
        known = tracks.strategies.get(seat) if position.phase is Phase.SECOND else None
        found[seat] = known or roll(board, position, tracks, seat, chance)
    return found


def roll(board: Board, position: Position, tracks: Tracks, seat: Player, chance: Chance) -> Rolled:
    """One die, and for a vindictive turn as many more as it takes to find somebody (A6)."""
    die = chance.die(f"stand-in/{seat}/strategy")
    if not board.fanatic.strategies[die].vindictive:
        return Rolled(die)
    order = ranked(position, tracks, seat, chance)
    for attempt in range(1, REROLLS) if order else ():
        whom = board.fanatic.vindictive[chance.die(f"stand-in/{seat}/vindictive/{attempt}")]
        if whom in _PLACES:
            return Rolled(die, place(order, _PLACES[whom]))
        holder = controller(position, board.czar if whom == board.czar.name else board.gold)
        if holder in order:
            return Rolled(die, holder, whom)
    return Rolled(die)


def place(order: Sequence[Player], index: int) -> Player:
    """Somebody by their place in the order; with few players the nearest place there is."""
    return order[max(-len(order), min(index, len(order) - 1))]


def controller(position: Position, imperial: Piece) -> Player | None:
    """Who controls an Imperial unit on the map (J4)."""
    stack = position.where.get(imperial)
    return stack.owner if stack is not None else None


def gifts(
    board: Board, position: Position, tracks: Tracks, chance: Chance, rolled: Mapping[Player, Rolled]
) -> dict[Player, m.Give]:
    """The one marker that a strategy makes its player give to the second friendliest (A9 step 1, A11)."""
    found = {}
    for seat, strategy in sorted(rolled.items()):
        row, box = board.fanatic.strategies[strategy.die], position.box(seat)
        order = ranked(position, tracks, seat, chance)
        goods = m.Goods(pm=int(row.purge and box.pm > 0), am=int(row.gives_assassin and box.am > 0))
        if order and goods != m.Goods():
            found[seat] = m.Give(what=goods, to=place(order, 1))
    return found
