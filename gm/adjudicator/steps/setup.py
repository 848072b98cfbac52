"""The deal and the initial deployment (15.2-15.5, 17/15.0, J40): an empty table becomes the position of Bell #1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gm.adjudicator.engine.casualties import REVOLUTION
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import RANDOMIZER, Change, Dealt, Marked, Restacked
from gm.board.model import Board, Color, Piece
from gm.orders.kinds import Goods
from gm.position import Player, Stack

PM, AM = "PM", "AM"


@dataclass(frozen=True, slots=True)
class Pot:
    """Cards that are shuffled together and dealt round, beginning with the first of `players`."""

    occasion: str
    cards: tuple[str, ...]
    players: tuple[Player, ...]


def pots(board: Board, options: GameOptions, players: Sequence[Player]) -> list[Pot]:
    """What is dealt, pot by pot (15.31, H1); each pot goes on with the player at whom the last stopped."""
    found: list[Pot] = []
    dealt = 0
    for number, cards in enumerate(_POTS[options.deal](_cards(board)), start=1):
        first = dealt % len(players)
        occasion = "deal" if options.deal == "one-pot" else f"deal-{number}"
        found.append(Pot(occasion, tuple(cards), (*players[first:], *players[:first])))
        dealt += len(cards)
    return found


@dataclass(frozen=True, slots=True)
class Cards:
    major: list[str]  # Leaders of 2 and more
    minor: list[str]
    leaders: list[str]  # both, as the board lists them
    politburo: list[str]
    assassins: list[str]


def _cards(board: Board) -> Cards:
    """Leaders, Politburo and Assassin Markers before they are shuffled (15.31)."""
    values = {leader.card: leader.value for leader in board.leaders}
    # J38: without Purges no Politburo Markers; 52 counters are dealt.
    politburo = 0 if board.shorter else board.markers.politburo_dealt
    return Cards(
        major=[name for name, value in values.items() if value >= 2],
        minor=[name for name, value in values.items() if value < 2],
        leaders=list(values),
        politburo=[PM] * politburo,
        assassins=[AM] * board.markers.assassins_dealt,
    )


_POTS: Mapping[str, Callable[[Cards], tuple[list[str], ...]]] = {
    "one-pot": lambda c: ([*c.leaders, *c.politburo, *c.assassins],),
    "three-pots": lambda c: (c.major, c.minor, [*c.politburo, *c.assassins]),
    "majors-first": lambda c: (c.major, c.politburo, [*c.minor, *c.assassins]),
}


def deal(play: PhaseInPlay) -> None:
    board, markers = play.board, play.board.markers
    names = {leader.card: leader for leader in board.leaders}
    players = play.table.players
    dealt: dict[Player, list[str]] = {player: [] for player in players}
    for pot in pots(board, play.options, players):
        for player, cards in play.luck.deal(pot.occasion, pot.cards, pot.players).items():
            dealt[player] += cards
    owners = {names[card]: player for player, hand in dealt.items() for card in hand if card in names}
    hands: dict[Player, Goods] = {}
    for player in players:
        hand = dealt[player]
        extra = 0 if board.shorter else sum(name in hand for name in REVOLUTION)  # 15.32
        leaders = tuple(names[card] for card in hand if card in names)
        hands[player] = Goods(hand.count(PM) + extra, hand.count(AM), leaders)
    changes: list[Change] = [Restacked((), tuple(deployment(board, owners, imperial=not board.shorter)))]
    for player, goods in hands.items():
        changes += [Marked(player, PM, goods.pm), Marked(player, AM, goods.am)]
    changes.append(Marked(RANDOMIZER, AM, markers.assassins_in_randomizer))
    changes += [Marked(RANDOMIZER, chit, 1) for chit in markers.randomizer_chits]
    house = () if play.options.deal == "one-pot" else ("H1",)
    rules = ("15.31", "15.32", "15.4", "15.5", "J40", *house)
    play.table.emit(Dealt(rules=rules, hands=hands, changes=tuple(changes)))


def deployment(
    board: Board, owners: dict[Piece, Player], *, imperial: bool, at: Mapping[Piece, str] | None = None
) -> list[Stack]:
    """Every counter in its place, Leaders with their owners. `at`: Leaders who start on the units of another province
    than their own (27.12)."""
    at = at or {}
    stacks: list[Stack] = []
    led: set[Piece] = set()
    groups: dict[tuple[Player, str, Color | None], list[Piece]] = {}
    for leader, owner in owners.items():
        groups.setdefault((owner, at.get(leader, leader.home), leader.color), []).append(leader)
    for (owner, province, color), leaders in groups.items():
        leaders.sort(key=lambda p: (not (p.starred or p in at), p.code))
        pieces = list(leaders)
        if leaders[0].starred or leaders[0] in at:
            pieces += [u for u in board.units if u.home == province and u.color is color]
            led.update(pieces)
        stacks.append(Stack(province, owner, tuple(_with_imperial(board, pieces, imperial))))
    unled: dict[tuple[str, object], list[Piece]] = {}
    for unit in board.units:
        if unit not in led:
            # 15.42: one nation in one province is one stack; unled Red and White units stand alone.
            unled.setdefault((unit.home, unit.nation or unit.code), []).append(unit)
    stacks += [Stack(home, None, tuple(_with_imperial(board, units, imperial))) for (home, _), units in unled.items()]
    return stacks


def _with_imperial(board: Board, pieces: list[Piece], imperial: bool) -> list[Piece]:
    if not imperial:
        return pieces
    codes = {p.code for p in pieces}
    return pieces + [piece for piece, escort in board.escort.items() if escort in codes]
