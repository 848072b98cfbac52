"""Both Phases of the postal game as a table of steps, in the order of 17/4.2, and the function that plays one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gm.adjudicator.chance import Chance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.working_position import WorkingPosition
from gm.adjudicator.outcome import Flagged, Outcome, PhaseEnded, Status
from gm.adjudicator.reasons import because
from gm.adjudicator.solitaire.sequence import play_on
from gm.adjudicator.steps.assassination import assassinate
from gm.adjudicator.steps.combat import combat
from gm.adjudicator.steps.execution import answer_pending, execute
from gm.adjudicator.steps.movement import move
from gm.adjudicator.steps.purge import purge
from gm.adjudicator.steps.random_events import random_events
from gm.adjudicator.steps.randomizer import randomizer
from gm.adjudicator.steps.replacement import replace_units
from gm.adjudicator.steps.seizure import seize
from gm.adjudicator.steps.setup import deal
from gm.adjudicator.steps.trades import trade
from gm.adjudicator.steps.victory import check_victory, resign, standings, vote
from gm.board.load import for_shorter_game
from gm.board.model import Board
from gm.orders import kinds as m
from gm.orders.kinds.catalogue import kinds_of
from gm.orders.standing import is_standing
from gm.position import Phase, Player, Position

STANDARD = GameOptions()
Step = Callable[[PhaseInPlay], None]

STEPS: Mapping[Phase, tuple[Step, ...]] = {
    Phase.SETUP: (deal,),
    Phase.PREGAME: (trade, resign),
    Phase.FIRST: (
        answer_pending,  # J22: before the trades, by whoever holds the Czar then
        vote,
        trade,
        seize,
        move,
        assassinate,
        execute,  # J22: before the Purge of the same step
        purge,
        random_events,
        resign,  # J37: after the Phase
    ),
    Phase.SECOND: (
        answer_pending,
        vote,
        trade,
        seize,
        combat,
        execute,
        purge,
        randomizer,
        replace_units,
        random_events,
        check_victory,  # J35: after the last Random Event
        resign,
    ),
}

ALLOWED = {phase: kinds_of(phase) for phase in Phase}


def adjudicate(
    board: Board,
    position: Position,
    orders_by_player: Mapping[Player, m.Sheet],
    chance: Chance,
    options: GameOptions = STANDARD,
    watch: Callable[[str, WorkingPosition], None] | None = None,
) -> Outcome:
    """Play one Phase: the same Position, orders and luck give the same Outcome, whatever order they come in.

    `watch` sees the table after every step, with the step's name. A solitaire game is played by its own table of
    steps, up to the human's next sheet.
    """
    if position.solitaire is not None:
        return play_on(board, position, orders_by_player, chance, watch)
    if options.masses:  # from here on the board alone says it
        board = for_shorter_game(board)
    admitted = {p: _admitted(sheet, position) for p, sheet in orders_by_player.items()}
    play = PhaseInPlay(board, position, admitted, chance, options)
    for step in STEPS[position.phase]:
        step(play)
        if watch is not None:
            watch(step.__name__, play.table)
    _turn_over(play)
    _close_the_rest(play, orders_by_player)
    after = play.table.position()
    return Outcome(
        before=position,
        after=after,
        events=tuple(play.table.events),
        results=play.results(),
        rolls=tuple(play.luck.rolls),
        points=standings(board, after),
    )


def _admissible(sheet: m.Sheet, position: Position) -> frozenset[type[m.Order]]:
    """The orders that may be given in this Phase; a guard for another Phase keeps the whole sheet out."""
    guard = sheet.guard
    if guard is not None and (guard.turn, guard.phase) != (position.turn, position.phase):
        return frozenset()
    return ALLOWED[position.phase]


def _admitted(sheet: m.Sheet, position: Position) -> m.Sheet:
    """The sheet with every order of another Phase put aside, numbers kept."""
    kinds = _admissible(sheet, position)
    orders = tuple([o if type(o) in kinds else m.Unread(line=o.line, source=o.source) for o in sheet.orders])
    return m.Sheet(orders, sheet.guard, sheet.add, sheet.cancel)


def _close_the_rest(play: PhaseInPlay, given: Mapping[Player, m.Sheet]) -> None:
    """Give a result to every order that no step has closed: lines not understood, orders of the other Phase, press.

    What is STANDING may wait on file for its own Phase.
    """
    for player in play.sheets:
        sheet = given.get(player, m.Sheet())
        play.sheets[player] = sheet
        kinds = _admissible(sheet, play.before)
        for number, order in enumerate(sheet.orders, start=1):
            if not play.is_open(player, number):
                continue
            if isinstance(order, m.Unread | m.Hold):  # HOLD is not sealed; in old sheets it was not understood
                play.close(player, number, Status.UNREAD, because("not-understood"))
            elif type(order) not in kinds and not (is_standing(order) and sheet.guard is None):
                play.fail(player, number, "wrong-phase", *order.about.not_now)
            else:
                play.done(player, number)


def _turn_over(play: PhaseInPlay) -> None:
    """Turn and phase move on; what belonged to the Game-Turn is forgotten."""
    before = play.before
    if play.table.flag("victory") is not None:
        if play.table.flag("purge_done"):
            play.table.emit(PhaseEnded(rules=("17/4.2", "J19"), changes=(Flagged("purge_done", False),)))
        return
    following = {
        Phase.SETUP: (0, Phase.PREGAME),
        Phase.PREGAME: (1, Phase.FIRST),
        Phase.FIRST: (before.turn, Phase.SECOND),
        Phase.SECOND: (before.turn + 1, Phase.FIRST),
    }
    turn, phase = following[before.phase]
    changes = [Flagged("turn", turn), Flagged("phase", phase)]
    if before.phase is Phase.SECOND:
        changes.append(Flagged("purge_done", False))
    play.table.emit(PhaseEnded(rules=("17/4.2",), changes=tuple(changes)))
