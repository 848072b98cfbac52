"""The deal and the initial deployment (15.2-15.5, 17/15.0, J40): an empty table becomes the position of Bell #1."""

from __future__ import annotations

from gm.adjudicator.outcome import RANDOMIZER, Change, Dealt, Marked, Restacked
from gm.adjudicator.play import Play
from gm.board.model import Board, Color, Piece
from gm.orders.model import Goods
from gm.position import Player, Stack

PM, AM = "PM", "AM"
REVOLUTION = ("Lenin", "Trotsky")  # one more Politburo Marker for whoever has him (15.32)


def deal(play: Play) -> None:
    board, markers = play.board, play.board.markers
    names = {leader.name: leader for leader in board.leaders}
    # J38: without Purges no Politburo Markers; 52 counters are dealt.
    politburo = 0 if play.options.masses else markers.politburo_dealt
    cards = [*names, *[PM] * politburo, *[AM] * markers.assassins_dealt]
    players = play.table.players
    dealt = play.luck.deal("deal", cards, players)
    owners = {names[card]: player for player, hand in dealt.items() for card in hand if card in names}
    hands: dict[Player, Goods] = {}
    for player in players:
        hand = dealt[player]
        extra = 0 if play.options.masses else sum(name in hand for name in REVOLUTION)
        leaders = tuple(names[card] for card in hand if card in names)
        hands[player] = Goods(hand.count(PM) + extra, hand.count(AM), leaders)
    changes: list[Change] = [Restacked((), tuple(deployment(board, owners, imperial=not play.options.masses)))]
    for player, goods in hands.items():
        changes += [Marked(player, PM, goods.pm), Marked(player, AM, goods.am)]
    changes.append(Marked(RANDOMIZER, AM, markers.assassins_in_randomizer))
    changes += [Marked(RANDOMIZER, chit, 1) for chit in markers.randomizer_chits]
    play.table.emit(Dealt(rules=("15.31", "15.32", "15.4", "15.5", "J40"), hands=hands, changes=tuple(changes)))


def deployment(board: Board, owners: dict[Piece, Player], *, imperial: bool) -> list[Stack]:
    """Every counter in its place, Leaders with their owners."""
    stacks: list[Stack] = []
    led: set[Piece] = set()
    groups: dict[tuple[Player, str, Color | None], list[Piece]] = {}
    for leader, owner in owners.items():
        groups.setdefault((owner, leader.home, leader.color), []).append(leader)
    for (owner, province, color), leaders in groups.items():
        leaders.sort(key=lambda p: (not p.starred, p.code))
        pieces = list(leaders)
        if leaders[0].starred:
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
