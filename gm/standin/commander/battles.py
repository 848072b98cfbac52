"""Attacks by what they can be expected to bring: the Combat Results Table against the worth of what is risked."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board.model import OPPOSED, Board, Color, may_join
from gm.orders.rules.odds import odds, results_of
from gm.position import Player, Position, Stack
from gm.standin.commander.worth import Worth
from gm.standin.fanatic.attacks import PlannedAttack
from gm.standin.forces import OwnForce


def outlook_of(board: Board, attack: int, defence: int) -> tuple[float, float, float]:
    """The chances of De, Ex and Ae when so much strength attacks so much (8.5)."""
    label = odds(attack, defence) if defence else None
    if label is None:
        return 0.0, 0.0, 0.0
    results = list(results_of(board, label).values())
    return results.count("De") / 6, results.count("Ex") / 6, results.count("Ae") / 6


def gain(board: Board, worth: Worth, forces: Sequence[OwnForce], target: Stack) -> float:
    """What an attack brings on average, losses taken off."""
    attack, defence = sum(f.strength for f in forces), target.strength
    de, ex, ae = outlook_of(board, attack, defence)
    if not de:
        return -1.0
    prize = worth.victim(target)
    stake = sum(worth.force(f.pieces) for f in forces)
    part = min(attack, defence) / max(attack, defence)
    # J31: the weaker side goes whole, the other loses as much, units before Leaders.
    exchange = prize - 0.8 * stake * part if attack >= defence else prize * part - stake
    return de * prize + ex * exchange - ae * stake


def best_attacks(
    board: Board, position: Position, worth: Worth, seat: Player, forces: Sequence[OwnForce], least: float
) -> list[tuple[float, PlannedAttack]]:
    """A set of attacks from where everybody stands, the most profitable first; nobody attacks twice (8.25)."""
    free = list(forces)
    found: list[tuple[float, PlannedAttack]] = []
    while True:
        best = _best(board, position, worth, seat, free, [a.target for _, a in found])
        if best is None or best[0] <= least:
            return found
        found.append(best)
        free = [f for f in free if f not in best[1].forces]


def _best(
    board: Board, position: Position, worth: Worth, seat: Player, free: Sequence[OwnForce], done: Sequence[Stack]
) -> tuple[float, PlannedAttack] | None:
    best: tuple[float, PlannedAttack] | None = None
    for province in sorted({f.province for f in free}):
        here = [f for f in free if f.province == province]
        for target in position.at(province):
            if target.owner == seat or target in done or not target.strength:
                continue
            for chosen in _teams(here, target.color):
                value = gain(board, worth, chosen, target)
                if best is None or value > best[0] + 1e-9:
                    best = value, PlannedAttack(target, tuple(chosen))
    return best


def _teams(forces: Sequence[OwnForce], color: Color | None) -> list[list[OwnForce]]:
    """Forces that may attack a colour together (8.22), each one stronger than the last: one, two, all of them."""
    able = [f for f in forces if color in OPPOSED[f.color]]
    able.sort(key=lambda f: (-f.strength, f.pieces[0].code))
    teams: list[list[OwnForce]] = [[f] for f in able]
    team: list[OwnForce] = []
    for force in able:
        if all(may_join(f.color, force.color) for f in team):
            team = [*team, force]
            teams.append(team)
    return teams
