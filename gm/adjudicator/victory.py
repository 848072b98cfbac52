"""The end of the game (14.1, J35), Victory Points (14.4), and players who leave (14.2, J37)."""

from __future__ import annotations

from gm.adjudicator.outcome import RANDOMIZER, Change, Flagged, Marked, Points, Quit, Restacked, Voted, Won
from gm.adjudicator.play import Play
from gm.adjudicator.table import Table
from gm.board.model import Board, Color
from gm.orders.model import Resign, Vote
from gm.position import Held, How, Phase, Player, Position, Stack

QUORUM = 10  # 14.1(3)
IMPERIAL_POINTS = 5
MARKER_POINTS = 2


def vote(play: Play) -> None:
    """Votes are on file until changed."""
    for player, number, order in play.orders(Vote):
        votes = dict(play.table.flag("votes"))  # type: ignore[call-overload]
        votes[player] = order.end
        change = Flagged("votes", dict(sorted(votes.items())))
        play.table.emit(Voted(rules=("14.1", "J35"), player=player, end=order.end, changes=(change,)))
        play.done(player, number)


def check_victory(play: Play) -> None:
    condition = _condition(play)
    if condition is None:
        return
    color = Color.WHITE if condition == 1 else Color.RED
    points = standings(play.board, play.table.position())
    winners = {p: found.white if color is Color.WHITE else found.red for p, found in points.items()}
    changes = (Flagged("victory", color), Flagged("phase", Phase.FINISHED))
    play.table.emit(
        Won(rules=("14.1", "14.4", "J35"), color=color, condition=condition, points=winners, changes=changes)
    )


def _condition(play: Play) -> int | None:
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
        if sum(play.table.markers[p].pm for p in play.table.players if votes.get(p)) >= QUORUM:
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


def resign(play: Play) -> None:
    """RESIGN takes effect after the Phase (J37)."""
    for player, number, _ in play.orders(Resign):
        leave(play.table, player)
        play.done(player, number)


def leave(table: Table, player: Player) -> None:
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
