"""Trades of either Phase (J5): gifts and mirrored exchanges of markers, paid from what was held at the start."""

from __future__ import annotations

from dataclasses import dataclass

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import Change, Marked, Restacked, Traded
from gm.adjudicator.steps.pregame import leaders_with_units
from gm.board.model import Piece
from gm.orders.kinds import Accept, Give, Goods, RefuseGifts
from gm.position import Phase, Player


@dataclass
class Purse:
    """What a player may still give away: what they held at the start of the Phase, less what they gave."""

    pm: int
    am: int
    leaders: set[Piece]  # only before the game do they change hands

    def covers(self, goods: Goods) -> bool:
        return self.pm >= goods.pm and self.am >= goods.am and self.leaders.issuperset(goods.leaders)

    def pay(self, goods: Goods) -> None:
        self.pm -= goods.pm
        self.am -= goods.am
        self.leaders.difference_update(goods.leaders)


Entry = tuple[Player, int, Give | Accept]


def trade(play: PhaseInPlay) -> None:
    pregame = play.before.phase is Phase.PREGAME
    entries = _rounds(play)
    mirrors = _mirrors(entries)
    purses = {p: _purse(play, p, pregame) for p in play.table.players} if entries else {}
    tried: set[tuple[Player, int]] = set()
    for player, number, order in entries:
        tried.add((player, number))
        if isinstance(order, Accept):
            play.done(player, number)
            partner = mirrors.get((player, number))
            if partner and partner[:2] in tried:
                _settle_gift(play, purses, partner)
            continue
        refusal = _refusal(play, player, order, pregame)
        if refusal:
            play.fail(player, number, refusal)
        elif order.for_ is None and not order.what.leaders:
            _settle_gift(play, purses, (player, number, order))
        else:
            partner = mirrors.get((player, number))
            if partner is None:
                play.fail(player, number, "no-mirror", partner=order.to)
            elif partner[:2] in tried:  # J5: tried when the later of the two comes up
                if isinstance(partner[2], Accept):
                    _settle_gift(play, purses, (player, number, order))
                else:
                    _settle_exchange(play, purses, (player, number, order), partner)
    for player, number, _ in play.orders(RefuseGifts):
        play.done(player, number)


def _rounds(play: PhaseInPlay) -> list[Entry]:
    """All first trade orders by player letter, then all second ones (J5)."""
    lists: list[list[Entry]] = [[(p, n, o) for n, o in play.both(p, Give, Accept)] for p in play.sheets]
    longest = max(map(len, lists), default=0)
    return [entries[i] for i in range(longest) for entries in lists if i < len(entries)]


def _mirrors(entries: list[Entry]) -> dict[tuple[Player, int], Entry]:
    """Each exchange with its mirror order, first come first paired."""
    found: dict[tuple[Player, int], Entry] = {}
    for first in entries:
        if first[:2] in found:
            continue
        for second in entries:
            if second[:2] not in found and second[:2] != first[:2] and _mirror(first, second):
                found[first[:2]] = second
                found[second[:2]] = first
                break
    return found


def _mirror(a: Entry, b: Entry) -> bool:
    x, y = a[2], b[2]
    if isinstance(x, Give) and isinstance(y, Give):
        return x.to == b[0] and y.to == a[0] and x.for_ is not None and _same(x.what, y.for_) and _same(x.for_, y.what)
    if isinstance(x, Accept):
        x, y, a, b = y, x, b, a
    if isinstance(x, Give) and isinstance(y, Accept):
        return x.to == b[0] and y.giver == a[0] and x.for_ is None and set(x.what.leaders) == set(y.leaders) != set()
    return False


def _same(a: Goods, b: Goods | None) -> bool:
    return b is not None and (a.pm, a.am, set(a.leaders)) == (b.pm, b.am, set(b.leaders))


def _purse(play: PhaseInPlay, player: Player, pregame: bool) -> Purse:
    markers = play.table.markers[player]
    leaders = {p for s in play.table.owned(player) for p in s.leaders} if pregame else set()
    return Purse(markers.pm, markers.am, leaders)


def _refusal(play: PhaseInPlay, player: Player, order: Give, pregame: bool) -> str | None:
    if order.to == player or order.to not in play.table.players:
        return "not-a-partner"
    leaders = (*order.what.leaders, *(order.for_.leaders if order.for_ else ()))
    if leaders and not pregame:
        return "leaders-only-before"
    if order.for_ is None and not order.what.leaders and _refuses(play, order.to, player):
        return "gift-refused"
    return None


def _refuses(play: PhaseInPlay, receiver: Player, giver: Player) -> bool:
    return any(order.giver in (None, giver) for order in play.of(receiver, RefuseGifts))


def _settle_gift(play: PhaseInPlay, purses: dict[Player, Purse], entry: Entry) -> None:
    player, number, order = entry
    assert isinstance(order, Give)
    if not purses[player].covers(order.what):
        play.fail(player, number, "cannot-pay")
        return
    purses[player].pay(order.what)
    changes = _hand_over(play, player, order.to, order.what)
    play.table.emit(
        Traded(rules=("17/4.2", "J5"), giver=player, receiver=order.to, given=order.what, changes=tuple(changes))
    )
    play.done(player, number)


def _settle_exchange(play: PhaseInPlay, purses: dict[Player, Purse], later: Entry, earlier: Entry) -> None:
    (a, a_number, a_order), (b, b_number, b_order) = earlier, later
    assert isinstance(a_order, Give) and isinstance(b_order, Give)
    if not (purses[a].covers(a_order.what) and purses[b].covers(b_order.what)):
        play.fail(a, a_number, "cannot-pay")
        play.fail(b, b_number, "cannot-pay")
        return
    purses[a].pay(a_order.what)
    purses[b].pay(b_order.what)
    # The two sides' stacks are different ones, so both halves may be worked on the table as it stands.
    changes = _hand_over(play, a, b, a_order.what) + _hand_over(play, b, a, b_order.what)
    play.table.emit(
        Traded(
            rules=("15.33", "J5") if play.before.phase is Phase.PREGAME else ("17/4.2", "J5"),
            giver=a,
            receiver=b,
            given=a_order.what,
            returned=b_order.what,
            changes=tuple(changes),
        )
    )
    play.done(a, a_number)
    play.done(b, b_number)


def _hand_over(play: PhaseInPlay, giver: Player, receiver: Player, goods: Goods) -> list[Change]:
    changes: list[Change] = []
    for marker, number in (("PM", goods.pm), ("AM", goods.am)):
        if number:
            changes += [Marked(giver, marker, -number), Marked(receiver, marker, number)]
    changes += [Restacked(*split) for split in leaders_with_units(play.table, goods.leaders, receiver)]
    return changes
