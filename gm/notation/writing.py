"""A Position and its parts -> Bell notation, in the one canonical form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gm.board.model import Piece
from gm.notation.reading import COUNTED, FLAGS, NOBODY, UNALIGNED, marker_holder
from gm.position import Held, How, Markers, Position, Solitaire, Stack


def format_pieces(pieces: Iterable[Piece], identify: frozenset[str] = frozenset()) -> str:
    """Pieces as The Bell prints them; those in `identify` (twin keys) with their identity codes."""
    return ", ".join(f"{p.bell} #{p.code}" if p.twin_key in identify else p.bell for p in pieces)


def format_stack(pieces: Iterable[Piece]) -> str:
    """One stack, top to bottom."""
    return format_pieces(pieces)


def format_markers(markers: Markers) -> list[str]:
    """`3 PM`, `1 AM`, then the chits."""
    counts = ((markers.pm, "PM"), (markers.am, "AM"))
    return [f"{number} {name}" for number, name in counts if number] + list(markers.chits)


def format_held(held: Held, identify: frozenset[str] = frozenset()) -> str:
    name = held.piece.name if held.piece.is_imperial else format_pieces([held.piece], identify)
    return name if held.how is How.ELIMINATED else f"{name} {held.how}"


def format_box(markers: Markers, held: Iterable[Held] = (), identify: frozenset[str] = frozenset()) -> str:
    """A box or the Randomizer in one line; `nothing` if it is empty."""
    pieces = sorted(held, key=lambda h: h.piece.code)
    return ", ".join([*format_markers(markers), *(format_held(h, identify) for h in pieces)]) or "nothing"


def format_position(position: Position) -> str:
    """The listing of a Position: by player, then unaligned, then the neutral box, Randomizer and state.

    Reading it gives the same Position again; interchangeable counters get codes only where that needs it.
    """
    identify = _to_identify(position)
    lines = [f"PLAYERS: {' '.join(position.players)}", f"TURN {position.turn} {position.phase}"]
    for player in position.players:
        lines += _stack_lines(player, position.owned(player), identify)
        box = position.box(player)
        lines.append(f"{player}  BOX: {format_box(box.markers, box.held, identify)}")
    lines += _unaligned_lines(position, identify)
    lines.append(f"-  BOX: {format_box(position.neutral.markers, position.neutral.held, identify)}")
    lines.append(f"RANDOMIZER: {format_box(position.randomizer)}")
    lines += _state_lines(position, identify)
    return "\n".join(lines) + "\n"


def _stack_lines(owner: str, stacks: Iterable[Stack], identify: frozenset[str]) -> list[str]:
    """One line a province, `;` between its stacks."""
    provinces: dict[str, list[str]] = {}
    for stack in stacks:
        provinces.setdefault(stack.province, []).append(format_pieces(stack.pieces, identify))
    return [f"{owner:<2} {province}: {'; '.join(found)}" for province, found in provinces.items()]


def _unaligned(position: Position) -> tuple[list[Stack], list[Stack]]:
    """Unaligned stacks, apart from those that a plain `-` would hand to the holder of a Control Marker."""
    chits = {c: p for p in position.players for c in position.box(p).markers.chits}
    plain: list[Stack] = []
    nobody: list[Stack] = []
    for stack in position.stacks:
        if stack.owner is None:
            (plain if marker_holder(stack, chits) is None else nobody).append(stack)
    return plain, nobody


def _unaligned_lines(position: Position, identify: frozenset[str]) -> list[str]:
    plain, nobody = _unaligned(position)
    return _stack_lines(UNALIGNED, plain, identify) + _stack_lines(NOBODY, nobody, identify)


def _state_lines(position: Position, identify: frozenset[str]) -> list[str]:
    values = zip(FLAGS, _flag_values(position), strict=True)
    flags = [f"{name} {value}" if name in COUNTED else name for name, value in values if value]
    gone = Counter(position.gone_chits)
    out = [f"{gone[c]} {c}" if c in ("PM", "AM") else c for c in gone]
    out += [format_pieces([p], identify) for p in position.gone]
    votes = [f"{p} {'end' if vote else 'continue'}" for p, vote in sorted(position.votes.items())]
    lines = [("GONE", ", ".join(out)), ("FLAG", ", ".join(flags)), ("QUIT", " ".join(position.quitters))]
    lines += [("VOTES", ", ".join(votes)), ("VICTORY", position.victory or "")]
    return [f"{label}: {body}" for label, body in lines if body] + _solitaire_lines(position, identify)


def _solitaire_lines(position: Position, identify: frozenset[str]) -> list[str]:
    state = position.solitaire
    if state is None:
        return []
    ways = [f"{here}-{there}" for here, there in sorted(state.drawn.items())]
    lines = [("RESERVE", state.reserve), ("ATTACKED", state.attacked), ("DEFENDED", state.defended)]
    return [
        f"WAYS: {', '.join(ways) or 'nothing'}",
        *(f"{label}: {format_pieces(pieces, identify)}" for label, pieces in lines if pieces),
    ]


def _flag_values(position: Position) -> tuple[int, ...]:
    p = position
    s = p.solitaire or Solitaire()
    return (
        p.subversion_doubled,
        p.purge_done,
        p.red_suspended,
        p.execution_pending,
        s.deployable,
        s.undetermined,
        s.part,
        s.contested,
    )


def _to_identify(position: Position) -> frozenset[str]:
    """Twin keys whose counters do not stand in the ascending order in which a reader would assign them."""
    plain, nobody = _unaligned(position)
    seen: Counter[str] = Counter()
    wrong: set[str] = set()

    def see(pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            seen[piece.twin_key] += 1
            if piece.serial != seen[piece.twin_key]:
                wrong.add(piece.twin_key)

    for player in position.players:
        for stack in position.owned(player):
            see(stack.pieces)
        see(held.piece for held in position.box(player).held)
    for stack in (*plain, *nobody):
        see(stack.pieces)
    see(held.piece for held in position.neutral.held)
    see(position.gone)
    if position.solitaire:  # who has fought already must be told from those who look the same
        wrong |= {p.twin_key for p in (*position.solitaire.attacked, *position.solitaire.defended) if p.nation}
    return frozenset(wrong)
