"""The Combat step (8, 17/8.0, J27-J30): subversion first, then province by province, the stronger player first."""

from __future__ import annotations

from msgspec import Struct

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.stacks import settle
from gm.adjudicator.outcome import Flagged, PhaseEnded, Status
from gm.adjudicator.reasons import because
from gm.adjudicator.steps.battle import Engagement, fight
from gm.adjudicator.steps.battlefield import Battlefield
from gm.orders.kinds import Attack, Lose, Subvert, Take
from gm.orders.rules.odds import Prospect, assess
from gm.orders.rules.shorter import does_without
from gm.position import Player


def combat(play: PhaseInPlay) -> None:
    for kind in (Lose, Take):
        for player, number, _ in play.orders(kind):
            play.done(player, number)
    if any(play.orders(kind) for kind in (Subvert, Attack)):
        field = Battlefield(play)
        _subversion(play, field)
        for province, attacks in sorted(_by_province(play).items()):
            for player in _precedence(play, province, attacks):
                for number, order in attacks[player]:
                    attack(play, field, player, number, order)
    if play.table.flag("subversion_doubled"):  # J23: spent, used or not
        play.table.emit(PhaseEnded(rules=("17/12.0", "J23"), changes=(Flagged("subversion_doubled", False),)))
    settle(play.table)


# --- subversive attacks (8.3) ---


class Plot(Struct, frozen=True):
    player: Player
    number: int
    order: Subvert
    strength: int

    def precedence(self) -> tuple[int, Player, str, int]:
        """J27: descending attack strength, player letter, province."""
        return (-self.strength, self.player, self.order.province, self.number)


def _subversion(play: PhaseInPlay, field: Battlefield) -> None:
    plots: list[Plot] = []
    for player, number, order in play.orders(Subvert):
        if does_without(play.board, play.before, Subvert):
            play.fail(player, number, "not-in-masses")
            continue
        plots.append(Plot(player, number, order, _prospect(play, field, player, order).attack))
    for plot in sorted(plots, key=Plot.precedence):
        subvert(play, field, plot.player, plot.number, plot.order)


def subvert(play: PhaseInPlay, field: Battlefield, player: Player, number: int, order: Subvert) -> None:
    """Carry out one SUBVERT."""
    prospect = _allowed(play, field, player, number, order)
    if prospect is None:
        return
    fought = fight(play, field, Engagement.of(player, number, prospect))
    if fought.no_effect:
        play.fail(player, number, "no-effect", *fought.rules, result=fought.result)
    else:
        play.done(player, number, because("fought", *fought.rules, result=fought.result))


def _prospect(play: PhaseInPlay, field: Battlefield, player: Player, order: Attack | Subvert) -> Prospect:
    return assess(play.board, field, player, order, doubled=bool(play.table.flag("subversion_doubled")))


def _allowed(
    play: PhaseInPlay, field: Battlefield, player: Player, number: int, order: Attack | Subvert
) -> Prospect | None:
    """What it comes to, with who is left out noted; None where it is refused, which is noted too."""
    prospect = _prospect(play, field, player, order)
    reasons, code = field.reasons(prospect), prospect.refusal
    if code is None:
        play.note(player, number, *reasons)
        return prospect
    if code == "left-out":
        play.close(player, number, Status.FAILED, *(reasons or [because("not-opposed")]))
    elif code == "below-half":
        play.fail(player, number, code, attack=prospect.attack, defence=prospect.defence)
    elif code == "same-target-twice":
        play.fail(player, number, code)
    elif code == "target-not-there" and prospect.subversion:
        play.fail(player, number, code, "8.31", "J27", province=prospect.province)
    else:
        play.fail(player, number, code, province=prospect.province)
    return None


# --- normal attacks ---

Attacks = dict[Player, list[tuple[int, Attack]]]


def _by_province(play: PhaseInPlay) -> dict[str, Attacks]:
    found: dict[str, Attacks] = {}
    for player, number, order in play.orders(Attack):
        found.setdefault(order.province, {}).setdefault(player, []).append((number, order))
    return found


def _precedence(play: PhaseInPlay, province: str, attacks: Attacks) -> list[Player]:
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


def attack(play: PhaseInPlay, field: Battlefield, player: Player, number: int, order: Attack) -> None:
    """Carry out one ATTACK."""
    prospect = _allowed(play, field, player, number, order)
    if prospect is None:
        return
    status = Status.PARTLY if field.reasons(prospect) else Status.DONE
    fought = fight(play, field, Engagement.of(player, number, prospect, order.lose, order.take))
    play.close(player, number, status, because("fought", *fought.rules, result=fought.result))
