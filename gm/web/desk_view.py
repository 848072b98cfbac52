"""What the desk's forms offer: own forces, targets, Leaders of others, partners. Made from the published Position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gm.board.model import Board, Color, Piece
from gm.orders.printer import print_piece
from gm.position import Phase, Player, Position, Stack


@dataclass(frozen=True, slots=True)
class ForceLine:
    index: int
    province: str
    name: str
    text: str
    color: str
    strength: int


@dataclass(frozen=True, slots=True)
class Target:
    value: str  # "WU2 SARA IN SARA"
    province: str
    words: str


@dataclass(frozen=True, slots=True)
class Attacker:
    value: str
    province: str
    words: str


@dataclass(frozen=True, slots=True)
class DeskView:
    forces: tuple[ForceLine, ...]
    pm: int
    am: int
    chits: tuple[str, ...]
    provinces: tuple[tuple[str, str], ...]  # with own pieces
    leaders: tuple[tuple[str, str], ...]  # (order name, words) of other players' Leaders
    own_leaders: tuple[str, ...]
    targets: tuple[Target, ...]
    attackers: tuple[Attacker, ...]
    blue_targets: tuple[Target, ...]
    agitators: tuple[Attacker, ...]
    leave: tuple[str, ...]  # EMIGRATE and EXIT orders that could be given
    phase: str


def _color(stack: Stack) -> str:
    return stack.color.value if stack.color else "imperial"


def _line(stack: Stack) -> str:
    return ", ".join(p.bell for p in stack.pieces)


@lru_cache(maxsize=256)
def desk_view(board: Board, position: Position, player: Player) -> DeskView:
    own = [(n, s) for n, s in enumerate(position.stacks) if s.owner == player]
    forces = tuple(
        ForceLine(n, s.province, board.provinces[s.province].name, _line(s), _color(s), s.strength) for n, s in own
    )
    box = position.box(player)
    second = position.phase is Phase.SECOND
    here = {s.province for _, s in own}
    return DeskView(
        forces=forces,
        pm=box.pm,
        am=box.am,
        chits=box.markers.chits,
        provinces=tuple((code, board.provinces[code].name) for code in sorted(here)),
        leaders=tuple(_leaders(position, player)),
        own_leaders=tuple(print_piece(p) for _, s in own for p in s.leaders),
        targets=tuple(_targets(position, player, here)) if second else (),
        attackers=tuple(_attacker(s) for _, s in own) if second else (),
        blue_targets=tuple(_blue(board, position, own)) if second else (),
        agitators=tuple(_attacker(s) for _, s in own if s.color is Color.RED) if second else (),
        leave=tuple(_leaving(board, own)),
        phase=position.phase.value,
    )


def _leaders(position: Position, player: Player) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for stack in position.stacks:
        if stack.owner != player:
            found += [
                (print_piece(p), f"{p.bell} in {stack.province} ({stack.owner or 'unaligned'})") for p in stack.leaders
            ]
    return sorted(found)


def _named(piece: Piece) -> str:
    return piece.name if piece.is_imperial else piece.bell


def _target(stack: Stack) -> Target:
    owner = stack.owner or "unaligned"
    words = f"{stack.province}: {_line(stack)} ({owner}, strength {stack.strength})"
    return Target(f"{_named(stack.pieces[0])} IN {stack.province}", stack.province, words)


def _targets(position: Position, player: Player, here: set[str]) -> list[Target]:
    """Stacks of others where the player has one of his own (8.21)."""
    return [_target(s) for s in position.stacks if s.owner != player and s.province in here and s.strength]


def _blue(board: Board, position: Position, own: list[tuple[int, Stack]]) -> list[Target]:
    red = {s.province for _, s in own if s.color is Color.RED}
    near = {other for p in red for other in board.borders.get(p, {}) if board.passable(p, other, Color.RED)}
    return [_target(s) for s in position.stacks if s.color is Color.BLUE and s.province in near]


def _attacker(stack: Stack) -> Attacker:
    top = stack.pieces[0]
    return Attacker(print_piece(top), stack.province, f"{stack.province}: {_line(stack)} ({stack.strength})")


def _leaving(board: Board, own: list[tuple[int, Stack]]) -> list[str]:
    found: list[str] = []
    for _, stack in own:
        for piece in stack.pieces:
            if piece.is_imperial and board.provinces[stack.province].port:
                found.append(f"EMIGRATE {piece.name} FROM {stack.province}")
            nation = board.nations.get(piece.nation or "")
            if nation is not None and nation.exit_from == stack.province:
                found.append(f"EXIT {piece.bell}")
    return found
