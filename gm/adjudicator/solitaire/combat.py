"""Combat in the solitaire game: the system attacks the weakest (23, S5), Red attacks as ordered (8, 23.18)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle
from gm.adjudicator.outcome import Change, Flagged, Fought, PhaseEnded
from gm.adjudicator.solitaire.czar import execute_czar
from gm.adjudicator.solitaire.event_types import AttackWithheld, CombatPlayed
from gm.adjudicator.solitaire.orders import refuse, written
from gm.adjudicator.solitaire.state import remember, state_of
from gm.adjudicator.steps.battle import Engagement, fight
from gm.adjudicator.steps.battlefield import Battlefield
from gm.adjudicator.steps.combat import attack, subvert
from gm.board.model import Color, Piece
from gm.orders.kinds import Attack, Done, Lose, Order, Subvert, Take
from gm.position import RED_PLAYER, SYSTEM_PLAYER, Stack, canonical

# --- A4: the system ---


def system_combat(play: PhaseInPlay) -> None:
    field = Battlefield(play)
    for province in sorted({s.province for s in play.table.owned(SYSTEM_PLAYER)}):
        attackers, targets = _sides(canonical(play.table.at(province)))
        if attackers and targets:
            _attack_weakest(play, field, province, attackers, targets)
    if play.table.flag("subversion_doubled"):  # 12.12: nobody subverts in this Player-Turn
        play.table.emit(PhaseEnded(rules=("12.12", "S13"), changes=(Flagged("subversion_doubled", False),)))
    settle(play.table)


def _sides(stacks: Sequence[Stack]) -> tuple[list[Stack], list[Stack]]:
    """Who attacks and who may be attacked: Red by everybody (23.11); only without Red Green by White (23.12, 23.13)."""
    ours = [s for s in stacks if s.owner == SYSTEM_PLAYER and s.strength]
    red = [s for s in stacks if s.color is Color.RED]
    if red:
        return ours, red
    return [s for s in ours if s.color is Color.WHITE], [s for s in stacks if s.color is Color.GREEN]


def _attack_weakest(
    play: PhaseInPlay, field: Battlefield, province: str, attackers: Sequence[Stack], targets: Sequence[Stack]
) -> None:
    target = _weakest(play, province, targets)
    strength = sum(s.strength for s in attackers)
    if strength < target.strength:  # 23.14
        play.table.emit(
            AttackWithheld(
                rules=("23.14", "23.15", "S5"),
                province=province,
                target=target,
                attack=strength,
                defence=target.strength,
            )
        )
        return
    corps = tuple(field.id_of(s.pieces[0]) for s in attackers)
    why = ("23.11", "S5") if target.color is Color.RED else ("23.12", "S5")
    aim = field.id_of(target.pieces[0])
    fight(play, field, Engagement(SYSTEM_PLAYER, 0, province, corps, aim, strength, target.strength, because=why))


def _weakest(play: PhaseInPlay, province: str, targets: Sequence[Stack]) -> Stack:
    least = min(s.strength for s in targets)
    tied = {f"#{s.pieces[0].code}": s for s in targets if s.strength == least}
    if len(tied) == 1:
        return next(iter(tied.values()))
    chosen = play.luck.pick(f"target/{province}", list(tied))
    play.luck.cell(f"23.11 {tied[chosen].pieces[0].bell}")
    return tied[chosen]


# --- B9: Red, in the order written ---


def red_combat(play: PhaseInPlay) -> None:
    state = state_of(play)
    attacked, defended = set(state.attacked), set(state.defended)
    done = False
    for number, order in written(play):
        if done:
            refuse(play, number, "combat-over")
        elif isinstance(order, Attack | Subvert):
            _carry_out(play, number, order, attacked, defended)
        elif isinstance(order, Lose | Take | Done):
            play.done(RED_PLAYER, number)
            done = isinstance(order, Done)
        else:
            refuse(play, number)
    _end_part(play, attacked, defended, done)


def _carry_out(play: PhaseInPlay, number: int, order: Order, attacked: set[Piece], defended: set[Piece]) -> None:
    """One attack, on the positions that the one before left."""
    field = Battlefield(play, attacked, {RED_PLAYER: defended})
    begun = len(play.table.events)
    if isinstance(order, Attack):
        attack(play, field, RED_PLAYER, number, order)
    elif isinstance(order, Subvert):
        subvert(play, field, RED_PLAYER, number, order)
    for event in play.table.events[begun:]:
        if isinstance(event, Fought):
            attacked.update(p for stack in event.attackers for p in stack.pieces)
            defended.update(event.defender.pieces)
    settle(play.table)
    execute_czar(play)


def _end_part(play: PhaseInPlay, attacked: set[Piece], defended: set[Piece], done: bool) -> None:
    part = state_of(play).part + 1
    changes: list[Change] = []
    if done:
        changes.append(remember(play, attacked=(), defended=(), part=0))
        changes.append(Flagged("subversion_doubled", False))  # 12.12: spent, used or not
    else:
        changes.append(remember(play, attacked=tuple(attacked), defended=tuple(defended), part=part))
    play.table.emit(CombatPlayed(rules=("8.0", "19.2", "S14"), part=part, done=done, changes=tuple(changes)))
