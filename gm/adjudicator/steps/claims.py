"""Pick-up ties between players (17/5.0, J11).

Each player's movement is walked as if nobody else moved; where two reach for the same uncontrolled piece the tie is
settled, the losers walk again without it, and so on until nobody is in anybody's way. Ties are settled for the
Gold first, then the Czar, then for combat units by ascending code of the claimant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.board.model import Color, Piece
from gm.orders.kinds import Attach, Move
from gm.orders.rules.force import Force
from gm.orders.rules.march import MovementContext
from gm.position import Player, Position

LAST = 10_000  # above every identity code: Blue and Green forces come after all Leaders


class Claim(Struct, frozen=True):
    piece: Piece
    province: str
    player: Player
    force: Force

    @property
    def code(self) -> int:
        if self.force.leader is not None:
            return self.force.leader.code
        assert self.force.first is not None
        return LAST + self.force.first.code  # J45


def walk_all(play: PhaseInPlay, snapshot: Position) -> dict[Player, list[Force]]:
    """Every player's forces as they really went."""
    orders = {p: play.both(p, Move, Attach) for p in play.sheets}
    winners: dict[Piece, Player] = {}
    barred: frozenset[tuple[Piece, Player]] = frozenset()
    forces = {p: _walk_player(play, snapshot, p, orders[p], winners, barred) for p in orders}
    while True:
        claims = _claims(forces)
        # A winner may no longer get there, because they lost what would have let them through.
        strayed = {
            (piece, player)
            for piece, player in winners.items()
            if all(c.player != player for c in claims.get(piece, ()))
        }
        if strayed:
            for piece, _ in strayed:
                del winners[piece]
            barred |= strayed
            again = set(orders)
        else:
            contested = {piece: found for piece, found in claims.items() if len({c.player for c in found}) > 1}
            if not contested:
                return forces
            winner = _settle(play, contested)
            winners[winner.piece] = winner.player
            again = {c.player for c in contested[winner.piece]} - {winner.player}
        for player in sorted(again):
            forces[player] = _walk_player(play, snapshot, player, orders[player], winners, barred)


def _walk_player(
    play: PhaseInPlay,
    snapshot: Position,
    player: Player,
    orders: Sequence[tuple[int, Move | Attach]],
    winners: Mapping[Piece, Player],
    barred: frozenset[tuple[Piece, Player]],
) -> list[Force]:
    sight = MovementContext(play.board, snapshot, play.before, player, dict(winners), barred, frozenset(play.seized))
    return [sight.march(number, order) for number, order in orders]


def _claims(forces: Mapping[Player, Sequence[Force]]) -> dict[Piece, list[Claim]]:
    found: dict[Piece, list[Claim]] = {}
    for player, own in forces.items():
        for force in own:
            for province, piece in force.claims:
                if all(c.player != player for c in found.get(piece, ())):  # only with the first of the player's forces
                    found.setdefault(piece, []).append(Claim(piece, province, player, force))
    return found


def _settle(play: PhaseInPlay, contested: Mapping[Piece, Sequence[Claim]]) -> Claim:
    """The next tie in order, and who wins it."""
    for imperial in (play.board.gold, play.board.czar):
        if imperial in contested:
            return _imperial_tie(play, contested[imperial])
    claims = [claim for found in contested.values() for claim in found]
    first = min(claims, key=lambda c: (not _has_gold_for(play, c), c.code))
    # Along the whole path: the first contested piece that it comes to.
    order = [piece for _, piece in first.force.claims]
    mine = [c for c in claims if c.force is first.force]
    return min(mine, key=lambda c: order.index(c.piece))


def _has_gold_for(play: PhaseInPlay, claim: Claim) -> bool:
    """For Green units a Leader with the Gold comes first (17/13.26)."""
    return claim.piece.color is Color.GREEN and play.board.gold in claim.force.been


def _imperial_tie(play: PhaseInPlay, claims: Sequence[Claim]) -> Claim:
    led = [c for c in claims if c.force.leader] or list(claims)
    if len({c.force.color for c in led}) == 1:
        return min(led, key=lambda c: c.code)
    best = max(_value(c) for c in led)
    top = [c for c in led if _value(c) == best]
    if len(top) == 1:
        return top[0]
    piece, province = top[0].piece, top[0].province
    players = sorted(c.player for c in top)
    chosen = play.luck.pick(f"tie/{piece.name}/{province}", players)
    return next(c for c in top if c.player == chosen)


def _value(claim: Claim) -> int:
    return claim.force.leader.value if claim.force.leader else 0
