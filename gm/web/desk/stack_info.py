"""What the desk says of a chosen stack: its reach, whom it threatens, who threatens it, and attacks with odds."""

from __future__ import annotations

from collections.abc import Iterator

from gm.board.model import Board
from gm.orders import kinds as m
from gm.orders.check.checker import belongs
from gm.orders.kinds import print_piece
from gm.orders.rules.odds import Prospect, column_of, odds, opposed, prospects, subversions
from gm.orders.rules.ranges import Threat, range_of, threats
from gm.position import Phase, Player, Position, Stack
from gm.web.desk.battle import battle_info
from gm.web.models import AttackInfo, StackLook
from gm.web.wording import say


def look(board: Board, position: Position, player: Player, index: int) -> StackLook:
    stack = position.stacks[index]
    own = stack.owner == player
    reach = range_of(board, position, stack) - {stack.province}
    second = position.phase is Phase.SECOND
    attacks = (
        [*_attacks(board, position, player, stack), *_subversions(board, position, player, stack)] if second else []
    )
    words = []
    if second and not attacks:
        words.append(say("fight.nobody-there" if own else "fight.none-there"))
    if own:
        told = threat_words(board, threats(board, position, stack))
        return StackLook(attacks=attacks, words=words if told else [*words, say("threat.none")], threats=told)
    if second:
        words.append(say("threat.still"))
    elif reach:
        words.append(say("threat.reach", player=stack.owner, count=len(reach)))
    else:
        words.append(say("threat.stays"))
    return StackLook(
        reach=sorted(reach), attacks=attacks, words=words, threats=list(_threatens(board, position, player, stack))
    )


def threat_words(board: Board, found: tuple[Threat, ...], key: str = "threat.by", **place: str) -> list[str]:
    return [
        say(
            key,
            **place,
            player=threat.player,
            attackers=_attackers(threat),
            attack=threat.attack,
            defence=threat.defence,
            odds=column_of(board, threat.odds),
        )
        for threat in found
    ]


def worst(board: Board, found: tuple[Threat, ...], key: str = "threat.by", **place: str) -> list[str]:
    """For a list of forces: the strongest in full, of the others only who and at which odds."""
    words = threat_words(board, found[:1], key, **place)
    if found[1:]:
        words.append(
            say("threat.besides", others=", ".join(f"{t.player} {column_of(board, t.odds)}" for t in found[1:]))
        )
    return words


NAMED = 4  # attackers; by rail almost everybody could come


def _attackers(threat: Threat) -> str:
    names = [print_piece(s.pieces[0]) for s in threat.attackers]
    if len(names) == 1:
        return names[0]
    if len(names) <= NAMED:
        return say("threat.several", names=", ".join(names))
    return say("threat.many", names=", ".join(names[: NAMED - 1]), more=len(names) - NAMED + 1)


def _threatens(board: Board, position: Position, player: Player, stack: Stack) -> Iterator[str]:
    """The player's own stacks that this one could attack alone."""
    for own in position.stacks:
        if own.owner != player:
            continue
        label = odds(stack.strength, own.strength) if own.strength else None
        if label is not None and any(stack in threat.attackers for threat in threats(board, position, own)):
            name, figures = board.provinces[own.province].name, {"attack": stack.strength, "defence": own.strength}
            yield say("threat.to", code=own.province, name=name, odds=column_of(board, label), **figures)


def _attacks(board: Board, position: Position, player: Player, stack: Stack) -> Iterator[AttackInfo]:
    """In the Second Phase: a stack of one's own against each other there, or all of one's own against a chosen one."""
    here = [s for s in position.at(stack.province) if s.strength]
    if stack.owner == player:
        pairs = [(other, [stack]) for other in here if other.owner != player and opposed(stack, other)]
    else:
        own = [s for s in here if s.owner == player and opposed(s, stack)]
        pairs = [(stack, own)] if own else []
    for target, attackers in pairs:
        order = m.Attack(
            target=m.Named((target.pieces[0],)),
            province=target.province,
            attackers=tuple(m.Named((s.pieces[0],)) for s in attackers),
        )
        yield from _offered(board, order, prospects(board, position, player, [order])[1], "fight.attack-it")


def _subversions(board: Board, position: Position, player: Player, stack: Stack) -> Iterator[AttackInfo]:
    """A Red stack of one's own against each Blue one next door, or all that can against a chosen Blue one (8.3)."""
    if not belongs(board, position, m.Subvert):
        return
    mine = stack.owner == player
    own, targets = ([stack], position.stacks) if mine else (list(position.owned(player)), (stack,))
    for order, found in subversions(board, position, player, own, targets):
        yield from _offered(board, order, found, "fight.subvert-it")


def _offered(board: Board, order: m.Attack | m.Subvert, found: Prospect, key: str) -> Iterator[AttackInfo]:
    battle, target = battle_info(board, found), found.defender
    if battle is not None and target is not None:
        words = say(
            key,
            whom=target.pieces[0].bell,
            owner=target.owner or say("fight.unaligned"),
            code=target.province,
            attackers=", ".join(print_piece(s.pieces[0]) for s in found.stacks),
        )
        yield AttackInfo(order=order.printed(), words=words, battle=battle)
