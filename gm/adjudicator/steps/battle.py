"""One attack, normal or subversive, from odds to the last captured Imperial unit (8.0, 8.4, J26, J31, J32)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from gm.adjudicator.engine.casualties import into_box, is_revolution, shake
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.outcome import Change, Fought, Restacked
from gm.adjudicator.steps.battlefield import Battlefield
from gm.adjudicator.steps.exchange import by_priority, choose_losses
from gm.board.model import Piece
from gm.orders.kinds import Lose, Named, Take
from gm.orders.rules.odds import Prospect, StackId, column_of, odds, results_of
from gm.position import Player, Stack


class Engagement(Struct, frozen=True):
    """An attack that takes place."""

    player: Player
    number: int
    province: str
    attackers: tuple[StackId, ...]
    target: StackId
    attack: int
    defence: int
    subversion: bool = False
    lose: tuple[Named, ...] | None = None
    take: tuple[Named, ...] | None = None
    because: tuple[str, ...] = ()  # rules that made it happen, if no order did

    @classmethod
    def of(
        cls,
        player: Player,
        number: int,
        prospect: Prospect,
        lose: tuple[Named, ...] | None = None,
        take: tuple[Named, ...] | None = None,
    ) -> Engagement:
        """The attack that an order has come to."""
        assert prospect.target is not None
        return cls(
            player,
            number,
            prospect.province,
            prospect.attackers,
            prospect.target,
            prospect.attack,
            prospect.defence,
            subversion=prospect.subversion,
            lose=lose,
            take=take,
        )


def fight(play: PhaseInPlay, field: Battlefield, engagement: Engagement) -> Fought:
    """Roll, apply the result, report."""
    e = engagement
    label = odds(e.attack, e.defence)
    assert label is not None
    column = column_of(play.board, label)
    kind = "subversion" if e.subversion else "combat"
    die = play.luck.die(f"{kind}/{e.province}/{e.player}/{e.number}")
    result = results_of(play.board, label)[die]
    play.luck.cell(f"8.5 {column}/{die} = {result}")
    field.fought.update(e.attackers)
    field.struck.add((e.player, e.target))
    attackers = tuple(_current(field, c) for c in e.attackers)
    defender = _current(field, e.target)
    lost_a, lost_d = _losses(play, e, attackers, defender, result)
    credit = play.table.controller(defender)
    changes, captured = _remove(play, field, e, lost_a, lost_d)
    changes += into_box(lost_d, e.player) + into_box(lost_a, credit)
    martyrs: dict[Piece, Player | None] = {p: e.player for p in lost_a if is_revolution(p)}
    martyrs |= {p: defender.owner for p in lost_d if is_revolution(p)}
    fought = Fought(
        rules=(
            *e.because,
            *_rules(play, e, result, captured, martyrs),
            *_circumstances(e, attackers, result, credit, beyond=label != column),
            *(("23.16", "S6") if result == "Ex" and play.system and play.system in (e.player, credit) else ()),
        ),
        player=e.player,
        number=e.number,
        province=e.province,
        subversion=e.subversion,
        attackers=attackers,
        defender=defender,
        attack=e.attack,
        defence=e.defence,
        odds=label,
        die=die,
        result=result,
        no_effect=e.subversion and result != "De",
        lost_by_attacker=tuple(lost_a),
        lost_by_defender=tuple(lost_d),
        credited_to_attacker=e.player,
        credited_to_defender=credit,
        captured=tuple(captured),
        changes=tuple(changes),
    )
    play.table.emit(fought)
    for leader, owner in martyrs.items():
        shake(play, leader, owner)
    return fought


def _current(field: Battlefield, corps: StackId) -> Stack:
    stack = field.remnant(corps)
    assert stack is not None
    return stack


def _rules(
    play: PhaseInPlay, e: Engagement, result: str, captured: Sequence[Piece], martyrs: Mapping[Piece, Player | None]
) -> tuple[str, ...]:
    rules = ["8.3", "8.31", "8.33", "J27"] if e.subversion else list(_RESULT[result])
    if e.subversion and play.table.flag("subversion_doubled"):
        rules += ["12.12", "17/12.0", "J23"]
    if captured:
        rules += ["13.41", "J32"]
    if martyrs:
        rules += ["11.32", "J33"]
    return tuple(rules)


def _circumstances(
    e: Engagement, attackers: Sequence[Stack], result: str, defender: Player | None, *, beyond: bool
) -> tuple[str, ...]:
    """What else decided: odds beyond the table, stacks that joined, an enemy whom nobody commands."""
    rules: list[str] = []
    if beyond:
        rules.append("8.48")
    if len(attackers) > 1:
        rules += ["7.33", "J30"]
        if len({stack.province for stack in attackers}) > 1:
            rules.append("8.32")
        if len({stack.color for stack in attackers}) > 1:
            rules.append("8.22")
    if defender is None and result == "Ae" and not e.subversion:
        rules.append("8.46")
    return tuple(rules)


_RESULT = {"Ae": ("8.41", "8.45"), "De": ("8.42", "8.45"), "Ex": ("8.43", "8.44", "8.46", "J31")}


def _losses(
    play: PhaseInPlay, e: Engagement, attackers: Sequence[Stack], defender: Stack, result: str
) -> tuple[list[Piece], list[Piece]]:
    """Who falls on either side (8.41-8.43, 8.33, 8.46, J31): in an Exchange the weaker side whole."""
    if result == "De":
        return [], _combatants(defender)
    if e.subversion:
        return [], []
    ours = [p for stack in attackers for p in _combatants(stack)]
    if result == "Ae":
        return ours, []
    theirs = _combatants(defender)
    if e.attack == e.defence:
        return ours, theirs
    if e.attack > e.defence:
        return _lost(play, e.player, ours, e.defence, e.lose), theirs
    owner = play.table.controller(defender)
    if owner is None:  # 8.46: the attacker chooses
        wishes = e.take if e.take is not None else _on_file(play, e.player, Take)
        return ours, choose_losses(theirs, e.attack, wishes, spare_leaders=False)
    return ours, _lost(play, owner, theirs, e.attack, None)


def _lost(
    play: PhaseInPlay, owner: Player, pieces: list[Piece], needed: int, wishes: tuple[Named, ...] | None
) -> list[Piece]:
    """Whom the owner of a force gives up in an Exchange."""
    if owner == play.system:
        return by_priority(pieces, needed)
    return choose_losses(
        pieces, needed, wishes if wishes is not None else _on_file(play, owner, Lose), spare_leaders=True
    )


def _combatants(stack: Stack) -> list[Piece]:
    return [p for p in stack.pieces if not p.is_imperial]


def _on_file(play: PhaseInPlay, player: Player, kind: type[Lose] | type[Take]) -> tuple[Named, ...]:
    """A player's list for the whole Phase."""
    return tuple(named for order in play.of(player, kind) for named in order.pieces)


def _remove(
    play: PhaseInPlay, field: Battlefield, e: Engagement, lost_a: list[Piece], lost_d: list[Piece]
) -> tuple[list[Change], list[Piece]]:
    """Losses off the map; an Imperial unit whose last companion fell goes to the victors (13.41, J32)."""
    changes: list[Change] = []
    orphans: list[tuple[Stack, bool]] = []  # Imperial units left alone, and whether the attackers had them
    for corps, lost, attacking in [*((c, lost_a, True) for c in e.attackers), (e.target, lost_d, False)]:
        if not lost or set(lost).isdisjoint(_current(field, corps).pieces):
            continue
        before, rest = field.update(corps, lost)
        changes.append(Restacked((before,), tuple(rest)))
        orphans += [(stack, attacking) for stack in rest if all(p.is_imperial for p in stack.pieces)]
    captured: list[Piece] = []
    for orphan, attacking in orphans:
        victor = _captor(play, field, e, orphan.province, of_attackers=not attacking)
        if victor is None:
            continue
        captor = _current(field, victor)
        after = Stack(captor.province, captor.owner, (captor.pieces[0], *orphan.pieces, *captor.pieces[1:]))
        changes.append(Restacked((orphan, captor), (after,)))
        field.set(victor, after)
        captured += orphan.pieces
    return changes, captured


def _captor(
    play: PhaseInPlay, field: Battlefield, e: Engagement, province: str, *, of_attackers: bool
) -> StackId | None:
    """The strongest surviving stack of the victors in the province, if it is a player's; ties: first named."""
    candidates = e.attackers if of_attackers else (e.target,)
    best: StackId | None = None
    for corps in candidates:
        stack = field.remnant(corps)
        if stack is None or stack.province != province or play.table.controller(stack) is None:
            continue
        if best is None or stack.strength > _current(field, best).strength:
            best = corps
    return best
