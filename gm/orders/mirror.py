"""The other side of an order that needs partners: what each of them must order for it to take place."""

from __future__ import annotations

from collections.abc import Mapping

from gm.orders import kinds as m
from gm.orders.rules.quorums import EXECUTION_QUORUM, PURGE_QUORUM
from gm.position import Player


def mirrored(order: m.Order, player: Player, asked: Mapping[Player, int]) -> dict[Player, m.Order]:
    """The partners' orders, by letter; none if the order needs nobody's.

    `asked`: Politburo Markers that each partner of a committee is to assign. A single partner who is not asked for a
    number assigns what is missing of the quorum; of several each must be asked, or they are left out.
    """
    if isinstance(order, m.Give):
        if order.for_ is not None:
            return {order.to: m.Give(what=order.for_, to=player, for_=order.what)}
        return {order.to: m.Accept(leaders=order.what.leaders, giver=player)} if order.what.leaders else {}
    if isinstance(order, m.Purge):
        needed = _markers(order.partners, order.using, PURGE_QUORUM, asked)
        return {
            partner: m.Purge(
                object=order.object,
                partners=_others(order.partners, partner, player),
                using=number,
                division=order.division,
                separately=order.separately,
            )
            for partner, number in needed.items()
        }
    if isinstance(order, m.Execute):
        needed = _markers(order.partners, order.using, EXECUTION_QUORUM, asked)
        return {p: m.Execute(partners=_others(order.partners, p, player), using=n) for p, n in needed.items()}
    return {}


def same_matter(one: m.Order, other: m.Order) -> bool:
    """Two orders of a player of which only one can be meant: trades with the same player, Purges of the same one."""
    if isinstance(one, m.Give) and isinstance(other, m.Give):
        return one.to == other.to and one.for_ is not None and other.for_ is not None
    if isinstance(one, m.Purge) and isinstance(other, m.Purge):
        return one.object == other.object
    return isinstance(one, m.Execute) and isinstance(other, m.Execute)


def _others(partners: tuple[Player, ...], partner: Player, player: Player) -> tuple[Player, ...]:
    return tuple(sorted({player, *partners} - {partner}))


def _markers(partners: tuple[Player, ...], using: int, quorum: int, asked: Mapping[Player, int]) -> dict[Player, int]:
    if len(partners) == 1 and partners[0] not in asked:
        return {partners[0]: max(1, quorum - using)}
    return {partner: asked[partner] for partner in partners if partner in asked}
