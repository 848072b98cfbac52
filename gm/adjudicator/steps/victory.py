"""The end of the game (14.1, J35), Victory Points (14.4), and players who leave (14.2, J37)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from gm.adjudicator.engine.phase import PhaseInPlay
from gm.adjudicator.engine.working_position import WorkingPosition
from gm.adjudicator.outcome import RANDOMIZER, Change, Flagged, Marked, Points, Quit, Restacked, Voted, Won
from gm.board.model import Board, Color
from gm.orders.kinds import Resign, Vote
from gm.orders.rules.quorums import VOTE_QUORUM
from gm.position import Held, How, Phase, Player, Position, Stack

CONTESTED = ("Greater Russia", "White Russia", "Ukraine", "Cossack Territories")  # 28.11, H3
IMPERIAL_POINTS = 5
MARKER_POINTS = 2


def vote(play: PhaseInPlay) -> None:
    """Votes are on file until changed."""
    for player, number, order in play.orders(Vote):
        votes = dict(play.table.flag("votes"))  # type: ignore[call-overload]
        votes[player] = order.end
        change = Flagged("votes", dict(sorted(votes.items())))
        play.table.emit(Voted(rules=("14.1", "J35"), player=player, end=order.end, changes=(change,)))
        play.done(player, number)


@dataclass(frozen=True, slots=True)
class Ending:
    """Who has won, and why: condition 1 to 3 of 14.1, 4 by key areas, 5 by the last Game-Turn."""

    color: Color
    condition: int
    rules: tuple[str, ...]


def check_victory(play: PhaseInPlay) -> None:
    ending = next((found for check in ENDINGS[play.options.victory] if (found := check(play))), None)
    if ending is None:
        return
    color = ending.color
    points = standings(play.board, play.table.position())
    winners = {p: found.white if color is Color.WHITE else found.red for p, found in points.items()}
    changes = (Flagged("victory", color), Flagged("phase", Phase.FINISHED))
    rules = (*ending.rules, "14.4", "J35")
    play.table.emit(Won(rules=rules, color=color, condition=ending.condition, points=winners, changes=changes))


def annihilation(play: PhaseInPlay) -> Ending | None:
    condition = _condition(play)
    if condition is None:
        return None
    return Ending(Color.WHITE if condition == 1 else Color.RED, condition, ("14.1",))


def key_areas(play: PhaseInPlay) -> Ending | None:
    """H2: Red or White alone in every one of the named provinces."""
    colors = {province: {stack.color for stack in _stacks_in(play, province)} for province in play.options.key_areas}
    for color in (Color.RED, Color.WHITE):
        if colors and all(found == {color} for found in colors.values()):
            return Ending(color, 4, ("H2",))
    return None


def last_turn(play: PhaseInPlay) -> Ending | None:
    """H3: after the last Game-Turn the stronger colour in the contested regions has won; Red if they are equal."""
    if not play.options.last_turn or play.before.turn < play.options.last_turn:
        return None
    red, white = in_contested(play.board, play.table.stacks())
    return Ending(Color.WHITE if white > red else Color.RED, 5, ("H3",))


def in_contested(board: Board, stacks: Iterable[Stack]) -> tuple[int, int]:
    """The Red and the White strength in the contested regions."""
    there = [s for s in stacks if board.provinces[s.province].region in CONTESTED]
    return sum(s.strength for s in there if s.color is Color.RED), sum(
        s.strength for s in there if s.color is Color.WHITE
    )


def _stacks_in(play: PhaseInPlay, province: str) -> list[Stack]:
    """The stacks there with a Leader or unit; Green units in the pay of a White Leader are White (13.26)."""
    return [s for s in play.table.stacks() if s.province == province and any(not p.is_imperial for p in s.pieces)]


# Which endings are looked for, in this order, by the option `victory`.
ENDINGS: Mapping[str, tuple[Callable[[PhaseInPlay], Ending | None], ...]] = {
    "annihilation": (annihilation, last_turn),
    "key-areas": (annihilation, key_areas, last_turn),
}


def _condition(play: PhaseInPlay) -> int | None:
    """Which of the three conditions of 14.1 holds, in their order."""

    def outside_siberia(color: Color, leaders: bool) -> bool:
        # The colour of the stack: Green units in the pay of a White Leader are White (13.26).
        return any(
            stack.color is color and piece.is_leader is leaders and not play.board.in_siberia(stack.province)
            for piece, stack in play.table.where.items()
            if not piece.is_imperial
        )

    if not outside_siberia(Color.RED, leaders=True):
        return 1
    if not outside_siberia(Color.WHITE, leaders=False):
        return 2
    if not outside_siberia(Color.WHITE, leaders=True):
        votes: dict[Player, bool] = play.table.flag("votes")  # type: ignore[assignment]
        if sum(play.table.markers[p].pm for p in play.table.players if votes.get(p)) >= VOTE_QUORUM:
            return 3
    return None


# --- points ---


def standings(board: Board, position: Position) -> dict[Player, Points]:
    """What every player still in the game would score for either outcome."""
    red = {p: MARKER_POINTS * position.box(p).pm for p in position.active}
    white = dict.fromkeys(red, 0)
    for player in red:
        for held in position.box(player).held:
            red[player] += _boxed_red(board, held)
            white[player] += _boxed_white(board, held)
    for stack in position.stacks:
        owner = stack.owner
        if owner is None or owner not in red:
            continue
        # 14.42, 14.44; Green units under the Gold count with their Leader (13.26).
        if stack.color is Color.RED:
            red[owner] += stack.strength
        elif stack.color is Color.WHITE:
            white[owner] += stack.strength
        if len(stack.pieces) > 1:
            if board.gold in stack.pieces:
                red[owner] += IMPERIAL_POINTS
                white[owner] += IMPERIAL_POINTS
            if board.czar in stack.pieces:
                white[owner] += IMPERIAL_POINTS
    return {player: Points(red[player], white[player]) for player in red}


def _boxed_red(board: Board, held: Held) -> int:
    """14.41, 14.45, 14.46."""
    piece = held.piece
    if piece is board.czar:
        return IMPERIAL_POINTS if held.how is How.EXECUTED else 0
    if piece.is_imperial or held.how is not How.ELIMINATED or piece.color is Color.RED:
        return 0
    return piece.value


def _boxed_white(board: Board, held: Held) -> int:
    """14.43, 14.45, 14.46."""
    piece = held.piece
    if piece.is_imperial:
        return IMPERIAL_POINTS if held.how is How.EMIGRATED else 0
    if piece.color is Color.BLUE:
        return piece.value if held.how is How.EXITED else 0
    return piece.value if piece.color in (Color.RED, Color.GREEN) else 0


# --- leaving the game ---


def resign(play: PhaseInPlay) -> None:
    """RESIGN takes effect after the Phase (J37); after the last there is nothing left to leave (J42)."""
    over = play.table.flag("victory") is not None
    for player, number, _ in play.orders(Resign):
        if over:
            play.fail(player, number, "resigned-too-late")
            continue
        leave(play.table, player)
        play.done(player, number)


def leave(table: WorkingPosition, player: Player) -> None:
    """14.2: markers into the Randomizer, what they controlled to nobody; Leaders and their units stay."""
    quitters: tuple[Player, ...] = table.flag("quitters")  # type: ignore[assignment]
    if player in quitters:
        return
    markers = table.markers[player]
    changes: list[Change] = []
    for marker in dict.fromkeys(markers.as_list()):
        number = markers.count(marker)
        changes += [Marked(player, marker, -number), Marked(RANDOMIZER, marker, number)]
    lost = [s for s in table.owned(player) if not s.leaders]
    changes.append(Restacked(tuple(lost), tuple(Stack(s.province, None, s.pieces) for s in lost)))
    changes.append(Flagged("quitters", (*quitters, player)))
    table.emit(Quit(rules=("14.21", "14.22", "14.23", "J37"), player=player, changes=tuple(changes)))
