"""Random Positions and pieces for property tests of every package."""

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st
from msgspec.structs import replace

from gm.board.load import standard_board
from gm.board.model import Board, Color, Piece
from gm.position import Box, Held, How, Markers, Phase, Player, Position, Stack, canonical

LETTERS = "ABCDEF"
LARGEST_STACK = 5  # 7.11: without the Imperial units


def pieces(board: Board | None = None) -> st.SearchStrategy[Piece]:
    """Any counter of the box."""
    return st.sampled_from(list((board or standard_board()).pieces.values()))


@st.composite
def positions(
    draw: st.DrawFn,
    board: Board | None = None,
    players: Sequence[Player] | None = None,
    phase: Phase | None = None,
) -> Position:
    """A Position that a game could come to: every counter and marker is somewhere, stacks are legal by 7.1 and J1."""
    board = board or standard_board()
    letters = tuple(players or LETTERS[: draw(st.integers(2, 6))])
    return random_position(board, draw(st.randoms(use_true_random=False)), letters, phase)


@st.composite
def wild_positions(draw: st.DrawFn, board: Board | None = None) -> Position:
    """A Position that the types allow, legal or not: odd owners, odd stacks, counters that are nowhere."""
    board = board or standard_board()
    position = draw(positions(board))
    dice = draw(st.randoms(use_true_random=False))
    stacks = []
    for stack in position.stacks:
        roll = dice.random()
        if roll < 0.2:
            continue
        found = list(stack.pieces)
        if roll < 0.4:
            dice.shuffle(found)
        owner = dice.choice([None, *position.players]) if roll > 0.8 else stack.owner
        stacks.append(Stack(dice.choice(list(board.provinces)), owner, tuple(found)))
    return replace(position, stacks=canonical(stacks))


def random_position(board: Board, dice: Random, players: tuple[Player, ...], phase: Phase | None = None) -> Position:
    """What `positions` draws, for whoever has a seeded generator instead of hypothesis."""
    off, on_map = _split(board, dice)
    boxes, randomizer, gone_chits = _markers(board, dice, players)
    neutral = Box()
    gone: list[Piece] = []
    for piece in off:
        place = dice.choice([*players, "-", "gone"])
        if place == "gone":
            gone.append(piece)
        elif place == "-":
            neutral = Box(neutral.markers, (*neutral.held, Held(piece)))
        else:
            box = boxes[place]
            boxes[place] = Box(box.markers, (*box.held, Held(piece, _how(piece, dice))))
    return Position(
        players=players,
        turn=dice.randint(1, 12),
        phase=phase or dice.choice([Phase.FIRST, Phase.SECOND]),
        stacks=canonical(_stacks(board, dice, players, boxes, on_map)),
        boxes=boxes,
        neutral=neutral,
        randomizer=randomizer,
        gone=tuple(gone),
        gone_chits=gone_chits,
        quitters=tuple(sorted(dice.sample(players, dice.choice([0, 0, 0, 1])))),
        votes={p: dice.random() < 0.5 for p in players if dice.random() < 0.3},
        subversion_doubled=dice.random() < 0.2,
        purge_done=dice.random() < 0.2,
        red_suspended=dice.choice([0, 0, 0, 1, 2]),
        execution_pending=dice.random() < 0.1,
    )


def _split(board: Board, dice: Random) -> tuple[list[Piece], list[Piece]]:
    lost = dice.choice([0.0, 0.1, 0.4])
    off: list[Piece] = []
    on_map: list[Piece] = []
    for piece in board.pieces.values():
        (off if dice.random() < lost else on_map).append(piece)
    dice.shuffle(on_map)
    return off, on_map


def _how(piece: Piece, dice: Random) -> How:
    if piece.is_imperial:
        return dice.choice([How.EMIGRATED, How.EXECUTED])
    return dice.choice([How.ELIMINATED, How.EXITED]) if piece.nation == "CZ" else How.ELIMINATED


def _markers(
    board: Board, dice: Random, players: tuple[Player, ...]
) -> tuple[dict[Player, Box], Markers, tuple[str, ...]]:
    held = {p: Markers() for p in players}
    randomizer = Markers()
    gone: list[str] = []
    assassins = board.markers.assassins_dealt + board.markers.assassins_in_randomizer
    for marker in ["PM"] * board.markers.politburo + ["AM"] * assassins + list(board.markers.randomizer_chits):
        place = dice.choice([*players, "randomizer", "randomizer", "gone"])
        if place == "gone" and marker.endswith("withdrawal"):
            gone.append(marker)
        elif place in held and not marker.endswith("withdrawal"):
            held[place] = held[place].plus(marker)
        else:
            randomizer = randomizer.plus(marker)
    return {p: Box(markers) for p, markers in held.items()}, randomizer, tuple(gone)


def _stacks(
    board: Board, dice: Random, players: tuple[Player, ...], boxes: dict[Player, Box], on_map: list[Piece]
) -> list[Stack]:
    provinces = dice.sample(list(board.provinces), dice.choice([12, 40]))
    holders = {chit: p for p, box in boxes.items() for chit in box.markers.chits}
    stacks: list[Stack] = []
    for color in (Color.RED, Color.WHITE):
        leaders = [p for p in on_map if p.is_leader and p.color is color]
        units = [p for p in on_map if p.is_unit and p.color is color]
        while leaders:
            stack = [leaders.pop() for _ in range(min(len(leaders), dice.choice([1, 1, 1, 2])))]
            room = min(sum(p.value for p in stack), LARGEST_STACK - len(stack))
            stack += [units.pop() for _ in range(min(len(units), dice.randint(0, room)))]
            stacks.append(Stack(dice.choice(provinces), dice.choice(players), tuple(stack)))
        stacks += [Stack(dice.choice(provinces), None, (unit,)) for unit in units]
    for piece in on_map:
        if piece.nation is not None:
            allowed = board.nations[piece.nation].provinces or board.provinces
            stacks.append(Stack(dice.choice(sorted(allowed)), holders.get(f"{piece.nation} control"), (piece,)))
    for piece in on_map:
        if piece.is_imperial:
            _place_imperial(dice, provinces, stacks, piece)
    return stacks


def _place_imperial(dice: Random, provinces: list[str], stacks: list[Stack], imperial: Piece) -> None:
    if stacks and dice.random() < 0.8:
        at = dice.randrange(len(stacks))
        stacks[at] = replace(stacks[at], pieces=(*stacks[at].pieces, imperial))
    else:
        stacks.append(Stack(dice.choice(provinces), None, (imperial,)))
