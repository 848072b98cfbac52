"""The commander: plays to win, by trying its plans with the adjudicator itself.

Others are guessed as fanatics. The number of trials is fixed, never the time, so that the same inputs give the same
sheet. A commander gives nothing away, purges beside other stand-ins but never beside people, and answers every Purge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.adjudicator.chance import Chance, ProvableChance
from gm.adjudicator.sequence import adjudicate
from gm.board.bounds import MOST
from gm.board.model import Board, Color
from gm.orders import kinds as m
from gm.orders.rules.quorums import PURGE_QUORUM
from gm.orders.rules.shorter import does_without
from gm.position import Phase, Player, Position
from gm.standin.commander.battles import best_attacks, outlook_of
from gm.standin.commander.first_phase import TEMPERS, Planner, Temper, murder
from gm.standin.commander.worth import Worth, utility
from gm.standin.distances import Ground
from gm.standin.fanatic.attacks import PlannedAttack, attack_orders, standing_forces
from gm.standin.fanatic.committee import Conspiracy, conspiracies, purge_orders, strongest_leaders
from gm.standin.fanatic.sheet import fanatic_sheet
from gm.standin.forces import OwnForce, movement_orders, muster, seizures
from gm.standin.strategy import Seats, Style, strategies
from gm.standin.tracks import Tracks

TRIALS = 240  # about three seconds of processor time in a First Phase, one in a Second
EACH = 5  # trials that a plan should have on average: with more of them more plans are thought of
FEWEST = 5  # plans
MOST_COUNTERS = MOST["leaders"] + MOST["units"]  # on the map, for so many trials


def commander_sheet(
    board: Board,
    position: Position,
    tracks: Tracks,
    seat: Player,
    chance: Chance,
    seats: Seats,
    trials: int = TRIALS,
) -> m.Sheet:
    """The orders of a commander. Before the game there are none: it trades with nobody."""
    trials = bearable(position, trials)
    plans = candidates(board, position, tracks, seat, chance, seats, trials)
    if trials < 2 or len(plans) == 1:
        return plans[0]
    return Tryout(board, position, tracks, seat, chance).best(plans, trials)


def bearable(position: Position, trials: int) -> int:
    """Fewer trials where more counters stand than any pack may hold: a plan costs the cube of their number."""
    counters = sum(len(stack.pieces) for stack in position.stacks)
    return trials if counters <= MOST_COUNTERS else trials * MOST_COUNTERS**3 // counters**3


def candidates(
    board: Board, position: Position, tracks: Tracks, seat: Player, chance: Chance, seats: Seats, trials: int
) -> list[m.Sheet]:
    """The sheets of which so many trials choose one."""
    if position.phase not in (Phase.FIRST, Phase.SECOND):
        return [m.Sheet()]
    plans = first_plans if position.phase is Phase.FIRST else second_plans
    rolled = strategies(board, position, tracks, chance, seats)
    plots = conspiracies(board, position, tracks, chance, seats, rolled)
    politics = [*purge_orders(board, position, chance, plots, seat), *_politics(board, position, seat, plots)]
    most = max(FEWEST, trials // EACH) if trials > 1 else 1
    return list(dict.fromkeys(m.Sheet((*orders, *politics)) for orders in plans(board, position, seat, most)))


def _politics(board: Board, position: Position, seat: Player, plots: Sequence[Conspiracy] = ()) -> list[m.Order]:
    """The Czar, a Purge of its own and the answer to any: of all that the shorter game has nothing."""
    if does_without(board, position, m.Purge):
        return []
    orders: list[m.Order] = []
    worth = Worth.of(board, position, seat)
    czar = position.where.get(board.czar)
    if czar is not None and czar.owner == seat:
        orders.append(m.Comply() if worth.red > 0.5 else m.RefuseExecution())
    member = any(seat in plot.members for plot in plots)
    if position.box(seat).pm >= PURGE_QUORUM and not position.purge_done and not member:
        orders += _purge(board, position, seat)
    orders.append(m.Counterpurge(against=m.Against.STRONGEST))
    return orders


def _purge(board: Board, position: Position, seat: Player) -> list[m.Order]:
    """With eight markers of its own, a Purge alone of whoever leads most Red strength."""
    prizes = {p: strongest_leaders(board, position, p) for p in position.active if p != seat}
    victims = [p for p in prizes if prizes[p]]
    if not victims:
        return []
    victim = max(victims, key=lambda p: (sum(s.strength for s in position.owned(p) if s.color is Color.RED), p))
    return [m.Purge(object=victim, using=position.box(seat).pm, taking=prizes[victim])]


# --- plans ---


def first_plans(board: Board, position: Position, seat: Player, most: int) -> list[list[m.Order]]:
    """A plan of each temper, then those with one force after the other left where it stands."""
    ground, worth = Ground(board, position), Worth.of(board, position, seat)
    plans = [first_plan(ground, worth, seat, temper) for temper in TEMPERS[:most]]
    forces = len(muster(ground, seat))
    for temper in TEMPERS[:2]:
        for index in range(min(forces, most - len(plans))):
            plans.append(first_plan(ground, worth, seat, temper, stays=index))
    return plans


def first_plan(ground: Ground, worth: Worth, seat: Player, temper: Temper, stays: int | None = None) -> list[m.Order]:
    board, position = ground.board, ground.position
    forces = muster(ground, seat)
    if stays is not None:
        forces[stays].go(forces[stays].province)
    Planner(ground, seat, worth, temper).plan(forces)
    orders = movement_orders(board, forces)
    orders += _departures(board, worth, forces)
    killing = murder(board, position, seat, worth, forces)
    return [*orders, killing] if killing is not None else orders


def _departures(board: Board, worth: Worth, forces: Sequence[OwnForce]) -> list[m.Order]:
    """The Czar is safest abroad, for who wins with the Whites."""
    if worth.red > 0.5:
        return []
    escorts = [f for f in forces if board.czar in f.pieces and board.provinces[f.goal].port]
    return [m.Emigrate(piece=board.czar, province=f.goal) for f in escorts]


def second_plans(board: Board, position: Position, seat: Player, most: int) -> list[list[m.Order]]:
    """The profitable attacks, with more and with less courage, and each of them left out once."""
    worth = Worth.of(board, position, seat)
    taken: list[m.Order] = list(seizures(board, position, seat))
    plans = []
    for least in (0.0, 0.8, -0.6, 2.0)[:most]:
        forces = standing_forces(board, position, seat)
        attacks = [attack for _, attack in best_attacks(board, position, worth, seat, forces, least)]
        attacks += agitation(board, position, seat, attacks)
        plans.append(attacks)
    sure = plans[0]
    plans += [[a for a in sure if a is not left] for left in sure[: max(0, most - len(plans))]]
    return [[*taken, *attack_orders(board, position, attacks)] for attacks in plans]


def agitation(board: Board, position: Position, seat: Player, attacks: Sequence[PlannedAttack]) -> list[PlannedAttack]:
    """Subversion by every Red stack that attacks nobody: it risks nothing (8.3)."""
    if does_without(board, position, m.Subvert):
        return []
    busy = {f.stack for a in attacks for f in a.forces}
    free = [s for s in position.owned(seat) if s.color is Color.RED and s.leaders and s not in busy]
    done = [a.target for a in attacks]
    factor = 2 if position.subversion_doubled else 1
    found: list[PlannedAttack] = []
    targets = [s for s in position.stacks if s.color is Color.BLUE and s.owner != seat and s not in done]
    for target in sorted(targets, key=lambda s: (-s.strength, s.sort_key())):
        near = [s for s in free if board.passable(s.province, target.province, Color.RED)]
        if outlook_of(board, factor * sum(s.strength for s in near), target.strength)[0]:
            forces = [OwnForce(s.province, Color.RED, s.pieces, (), s) for s in near]
            found.append(PlannedAttack(target, tuple(forces), subversion=True))
            free = [s for s in free if s not in near]
    return found


# --- trials ---


class Tryout:
    """Plans against guesses of what the others do. Every plan meets the same guesses and the same dice."""

    def __init__(self, board: Board, position: Position, tracks: Tracks, seat: Player, chance: Chance) -> None:
        self.board = board
        self.position = position
        self.tracks = tracks
        self.seat = seat
        digits = "0123456789abcdef"
        picked = [chance.pick(f"stand-in/{seat}/trials/{n}", digits) for n in range(16)]
        self.seed = "".join(picked).encode()
        self.seats: Seats = {p: Style.FANATIC for p in position.active if p != seat}
        self._guesses: dict[int, Mapping[Player, m.Sheet]] = {}

    def best(self, candidates: Sequence[m.Sheet], trials: int) -> m.Sheet:
        """Halve the field until one is left: what does badly in the first guesses is not tried in all of them."""
        totals = dict.fromkeys(candidates, 0.0)
        field, number = list(candidates), 0
        rounds = max(1, (len(field) - 1).bit_length())
        for _ in range(rounds):
            each = max(1, trials // rounds // len(field))
            for _ in range(each):
                for sheet in field:
                    totals[sheet] += self.trial(sheet, number)
                number += 1
            field.sort(key=lambda s: -totals[s])
            field = field[: max(1, (len(field) + 1) // 2)]
        return field[0]

    def trial(self, sheet: m.Sheet, number: int) -> float:
        """One plan, played out to the end of the Game-Turn."""
        position, chance = self.position, self._luck(self.position, number)
        outcome = adjudicate(self.board, position, {**self._guess(number), self.seat: sheet}, chance)
        position = outcome.after
        if position.phase is Phase.SECOND:
            chance = self._luck(position, number)
            sheets = {p: self._other(position, p, chance) for p in position.active if p != self.seat}
            (orders,) = second_plans(self.board, position, self.seat, most=1)
            sheets[self.seat] = m.Sheet((*orders, *_politics(self.board, position, self.seat)))
            position = adjudicate(self.board, position, sheets, chance).after
        return utility(self.board, position, self.seat)

    def _guess(self, number: int) -> Mapping[Player, m.Sheet]:
        if number not in self._guesses:
            chance = self._luck(self.position, number)
            others = [p for p in self.position.active if p != self.seat]
            self._guesses[number] = {p: self._other(self.position, p, chance) for p in others}
        return self._guesses[number]

    def _other(self, position: Position, player: Player, chance: Chance) -> m.Sheet:
        return fanatic_sheet(self.board, position, self.tracks, player, chance, self.seats)

    def _luck(self, position: Position, number: int) -> ProvableChance:
        return ProvableChance(self.seed, "trial", position.turn, position.phase, str(number))
