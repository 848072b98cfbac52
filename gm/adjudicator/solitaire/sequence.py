"""The sequence of play of the solitaire game (19.2) as a table of steps, and the functions that play it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gm.adjudicator.chance import Chance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.working_position import WorkingPosition
from gm.adjudicator.outcome import Flagged, OrderResult, Outcome, PhaseEnded, Reason
from gm.adjudicator.solitaire.combat import red_combat, system_combat
from gm.adjudicator.solitaire.event_types import CombatPlayed
from gm.adjudicator.solitaire.leaders import determine_leaders
from gm.adjudicator.solitaire.movement import system_movement
from gm.adjudicator.solitaire.red_movement import deploy_and_move
from gm.adjudicator.solitaire.replacement import replacement
from gm.adjudicator.solitaire.setup import set_up
from gm.adjudicator.solitaire.stacking import system_stacking
from gm.adjudicator.solitaire.victory import end_turn
from gm.adjudicator.steps.random_events import roll_event
from gm.adjudicator.steps.randomizer import draw
from gm.board.model import Board
from gm.orders.kinds import Sheet
from gm.position import RED_PLAYER, SYSTEM_PLAYER, Phase, Player, Position, Solitaire


def system_events(play: PhaseInPlay) -> None:
    roll_event(play, "A1", SYSTEM_PLAYER)


def system_randomizer(play: PhaseInPlay) -> None:
    draw(play, SYSTEM_PLAYER, f"randomizer/A5/{SYSTEM_PLAYER}")


def red_events(play: PhaseInPlay) -> None:
    roll_event(play, "B6", SYSTEM_PLAYER)  # 20.12


def red_randomizer(play: PhaseInPlay) -> None:
    draw(play, SYSTEM_PLAYER, f"randomizer/B10/{SYSTEM_PLAYER}")  # 20.12


def begin_red_turn(play: PhaseInPlay) -> None:
    """The system has played; the human writes the first sheet."""
    play.table.emit(PhaseEnded(rules=("19.2",), changes=(Flagged("phase", Phase.FIRST),)))


class Step(Struct, frozen=True):
    name: str  # as 19.2 numbers it
    sheet: Phase  # with which sheet it is played; SYSTEM: with none
    play: Callable[[PhaseInPlay], None]
    after_done: bool = False  # only once the human has said DONE


SEQUENCE = (
    Step("27", Phase.SETUP, set_up),
    # A. Non-Red Player-Turn
    Step("A1", Phase.SYSTEM, system_events),
    Step("A2", Phase.SYSTEM, system_movement),
    Step("A3", Phase.SYSTEM, system_stacking),
    Step("A4", Phase.SYSTEM, system_combat),
    Step("A5", Phase.SYSTEM, system_randomizer),
    # B. Red Player-Turn
    Step("B6", Phase.SYSTEM, red_events),
    Step("B7", Phase.SYSTEM, determine_leaders),
    Step("", Phase.SYSTEM, begin_red_turn),
    Step("B8", Phase.FIRST, deploy_and_move),  # with the deployment that ends B7: one sheet holds both
    Step("B9", Phase.SECOND, red_combat),
    Step("B10", Phase.SECOND, red_randomizer, after_done=True),
    # C and D
    Step("C", Phase.SECOND, replacement, after_done=True),
    Step("D", Phase.SECOND, end_turn, after_done=True),
)

PHASES = frozenset(step.sheet for step in SEQUENCE)
Watch = Callable[[str, WorkingPosition], None]


def opening(*, contested: bool = False) -> Position:
    """Before the set-up: an empty map. `contested`: the option S20."""
    state = Solitaire(contested=contested)
    return Position(players=(RED_PLAYER, SYSTEM_PLAYER), phase=Phase.SETUP, solitaire=state)


def play_phase(
    board: Board, position: Position, orders: Mapping[Player, Sheet], chance: Chance, watch: Watch | None = None
) -> Outcome:
    """Play the steps of one Phase: one sheet, or what the system does before the first."""
    sheets = {p: s for p, s in orders.items() if p == RED_PLAYER and position.phase in (Phase.FIRST, Phase.SECOND)}
    play = PhaseInPlay(board, position, sheets, chance, GameOptions())
    for step in SEQUENCE:
        if step.sheet is not position.phase or (step.after_done and not _said_done(play)):
            continue
        step.play(play)
        if watch is not None:
            watch(step.name, play.table)
    return Outcome(
        before=position,
        after=play.table.position(),
        events=tuple([replace(event, rules=_in_force(event.rules)) for event in play.table.events]),
        results=tuple([_cited(result) for result in play.results()]),
        rolls=tuple(play.luck.rolls),
        points={},  # there are no Victory Points (28)
    )


def _said_done(play: PhaseInPlay) -> bool:
    return any(isinstance(event, CombatPlayed) and event.done for event in play.table.events)


def _in_force(rules: tuple[str, ...]) -> tuple[str, ...]:
    """Without the changes that only the postal game makes: nothing is simultaneous here."""
    return tuple([rule for rule in rules if not rule.startswith("17/") and rule not in ("J7", "J28")])


def _cited(result: OrderResult) -> OrderResult:
    reasons = [Reason(r.code, _in_force(r.rules), r.data) for r in result.reasons]
    return replace(result, reasons=tuple(reasons))


def play_on(
    board: Board, position: Position, orders: Mapping[Player, Sheet], chance: Chance, watch: Watch | None = None
) -> Outcome:
    """Play one sheet, and then all that the system does before the human's next one, with the same dice."""
    first = play_phase(board, position, orders, chance, watch)
    if first.after.phase is not Phase.SYSTEM:
        return first
    second = play_phase(board, first.after, {}, chance, watch)
    return Outcome(
        before=first.before,
        after=second.after,
        events=(*first.events, *second.events),
        results=first.results,
        rolls=(*first.rolls, *second.rolls),
        points={},
    )
