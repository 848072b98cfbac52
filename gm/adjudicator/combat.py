"""The Combat step (8, 17/8.0, J27-J30): subversion first, then province by province, the stronger player first."""

from __future__ import annotations

from gm.adjudicator.battle import Engagement, fight, odds
from gm.adjudicator.field import Corps, Field
from gm.adjudicator.outcome import Flagged, PhaseEnded, Reason, Status
from gm.adjudicator.play import Play
from gm.adjudicator.reasons import because
from gm.adjudicator.stacks import settle
from gm.board.model import Color
from gm.orders.model import Attack, Lose, Subvert, Take
from gm.position import Player
from gm.values import dataclass


def combat(play: Play) -> None:
    for kind in (Lose, Take):
        for player, number, _ in play.orders(kind):
            play.done(player, number)
    if any(play.orders(kind) for kind in (Subvert, Attack)):
        field = Field(play)
        _subversion(play, field)
        for province, attacks in sorted(_by_province(play).items()):
            for player in _precedence(play, province, attacks):
                for number, order in attacks[player]:
                    _attack(play, field, player, number, order)
    if play.table.flag("subversion_doubled"):  # J23: spent, used or not
        play.table.emit(PhaseEnded(rules=("17/12.0", "J23"), changes=(Flagged("subversion_doubled", False),)))
    settle(play.table)


# --- subversive attacks (8.3) ---


@dataclass(frozen=True)
class Plot:
    player: Player
    number: int
    order: Subvert
    strength: int

    def precedence(self) -> tuple[int, Player, str, int]:
        """J27: descending attack strength, player letter, province."""
        return (-self.strength, self.player, self.order.province, self.number)


def _subversion(play: Play, field: Field) -> None:
    plots: list[Plot] = []
    for player, number, order in play.orders(Subvert):
        if play.options.masses:
            play.fail(player, number, "not-in-masses")
            continue
        agitators, _ = _agitators(play, field, player, order)
        plots.append(Plot(player, number, order, _agitation(play, field, agitators)))
    for plot in sorted(plots, key=Plot.precedence):
        _subvert(play, field, plot)


def _subvert(play: Play, field: Field, plot: Plot) -> None:
    player, number, order = plot.player, plot.number, plot.order
    target = field.target(player, order.target, order.province)
    if target is None or field.start(target).province != order.province:
        play.fail(player, number, "target-not-there", "8.31", "J27", province=order.province)
        return
    if field.start(target).color is not Color.BLUE:
        play.fail(player, number, "not-blue", province=order.province)
        return
    agitators, reasons = _agitators(play, field, player, order)
    defender = field.remnant(target)
    if not agitators:
        play.close(player, number, Status.FAILED, *reasons)
    elif defender is None:
        play.fail(player, number, "target-gone", province=order.province)
    elif (player, target) in field.struck:
        play.fail(player, number, "same-target-twice")
    else:
        attack, defence = _agitation(play, field, agitators), defender.strength
        if odds(attack, defence) is None:
            play.fail(player, number, "below-half", attack=attack, defence=defence)
            return
        play.note(player, number, *reasons)
        engagement = Engagement(
            player, number, order.province, tuple(agitators), target, attack, defence, subversion=True
        )
        fought = fight(play, field, engagement)
        if fought.no_effect:
            play.fail(player, number, "no-effect", *fought.rules, result=fought.result)
        else:
            play.done(player, number, because("fought", *fought.rules, result=fought.result))


def _agitators(play: Play, field: Field, player: Player, order: Subvert) -> tuple[list[Corps], list[Reason]]:
    """Red stacks next door, the border passable for Red (8.31)."""
    found, reasons = field.attackers(player, order.attackers, None, None)
    fit: list[Corps] = []
    for corps in found:
        stack = field.remnant(corps)
        assert stack is not None
        if stack.color is not Color.RED:
            reasons.append(because("not-red", piece=stack.pieces[0]))
        elif not play.board.passable(stack.province, order.province, Color.RED):
            reasons.append(because("not-adjacent", piece=stack.pieces[0], province=order.province))
        else:
            fit.append(corps)
    return fit, reasons


def _agitation(play: Play, field: Field, agitators: list[Corps]) -> int:
    strength = sum(stack.strength for c in agitators if (stack := field.remnant(c)))
    return strength * 2 if play.table.flag("subversion_doubled") else strength  # 12.12


# --- normal attacks ---

Attacks = dict[Player, list[tuple[int, Attack]]]


def _by_province(play: Play) -> dict[str, Attacks]:
    found: dict[str, Attacks] = {}
    for player, number, order in play.orders(Attack):
        found.setdefault(order.province, {}).setdefault(player, []).append((number, order))
    return found


def _precedence(play: Play, province: str, attacks: Attacks) -> list[Player]:
    """Descending strength of all that a player has there (J28); equals in the order in which they are drawn."""
    if len(attacks) == 1:
        return list(attacks)
    strength = {p: sum(s.strength for s in play.table.at(province) if s.owner == p) for p in attacks}
    order: list[Player] = []
    for total in sorted(set(strength.values()), reverse=True):
        tied = sorted(p for p in attacks if strength[p] == total)
        # Who has nothing there attacks nothing there: no need to trouble the dice.
        while len(tied) > 1 and total > 0:
            first = play.luck.pick(f"precedence/{province}/{len(order) + 1}", tied)
            order.append(first)
            tied.remove(first)
        order += tied
    return order


def _attack(play: Play, field: Field, player: Player, number: int, order: Attack) -> None:
    target = field.target(player, order.target, order.province)
    if target is None or field.start(target).province != order.province:
        play.fail(player, number, "target-not-there", province=order.province)
        return
    defender = field.remnant(target)
    color = field.start(target).color
    attackers, reasons = field.attackers(player, order.attackers, order.province, color)
    attackers = [c for c in attackers if c != target]
    if defender is None:
        play.fail(player, number, "target-gone", province=order.province)
    elif not attackers:
        play.close(player, number, Status.FAILED, *(reasons or [because("not-opposed")]))
    elif (player, target) in field.struck:
        play.fail(player, number, "same-target-twice")
    else:
        attack = sum(stack.strength for c in attackers if (stack := field.remnant(c)))
        if odds(attack, defender.strength) is None:
            play.fail(player, number, "below-half", attack=attack, defence=defender.strength)
            return
        play.note(player, number, *reasons)
        engagement = Engagement(
            player,
            number,
            order.province,
            tuple(attackers),
            target,
            attack,
            defender.strength,
            lose=order.lose,
            take=order.take,
        )
        fought = fight(play, field, engagement)
        status = Status.PARTLY if reasons else Status.DONE
        play.close(player, number, status, because("fought", *fought.rules, result=fought.result))
