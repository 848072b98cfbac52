"""Read `.case` files. What cannot be read is a failure with its line, never skipped."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gm.adjudicator.chance import ScriptedChance
from gm.adjudicator.engine.options import DEALS, VICTORIES, GameOptions, game_options
from gm.board.model import Board
from gm.cases.expect import CaseError, Expectation, read_expectation
from gm.notation import NotationError, read_marker, read_pieces, read_position
from gm.position import RED_PLAYER, SYSTEM_PLAYER, Phase, Player, Position


@dataclass
class CaseLuck:
    """The CHANCE block."""

    rolls: dict[str, list[int]] = field(default_factory=dict)
    events: list[tuple[int, int]] = field(default_factory=list)
    chits: list[str] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    deal: dict[str, list[str]] | None = None

    def chance(self) -> ScriptedChance:
        return ScriptedChance(self.rolls, self.events, self.chits, self.recipients, self.deal)


@dataclass
class Case:
    id: str
    title: str
    path: str
    line: int
    rules: tuple[str, ...] = ()
    players: tuple[Player, ...] = ()
    position: Position | None = None
    luck: CaseLuck = field(default_factory=CaseLuck)
    orders: dict[Player, str] = field(default_factory=dict)
    expected: list[Expectation] = field(default_factory=list)
    options: GameOptions = field(default_factory=GameOptions)
    solitaire: bool = False
    error: str | None = None  # why it could not be read


Block = list[tuple[int, str]]  # line number and text, indentation kept
_COMMENT = re.compile(r"(^|\s)#(?!\d{1,3}\b(?!\.)).*$")  # `#129` is an identity code, `# 5.27` a comment
_HEADS = frozenset(("CASE", "RULES", "PLAYERS", "QUITTERS", "PHASE", "VARIANT", "OPTIONS"))
_HEADS |= {"POSITION", "CHANCE", "ORDERS", "EXPECT", "END"}


def read_cases(board: Board, paths: Sequence[Path]) -> Iterator[Case]:
    """All cases of files and folders, recursively, in a fixed order."""
    for path in paths:
        files = sorted(path.rglob("*.case")) if path.is_dir() else [path]
        for file in files:
            try:
                text = file.read_text("utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                yield Case(file.name, "cannot be read", str(file), 0, error=str(error))
                continue
            yield from read_text(board, text, str(file))


def read_text(board: Board, text: str, path: str = "") -> Iterator[Case]:
    """The cases of one file."""
    found = False
    for block in _cases(text):
        found = True
        yield _read_case(board, block, path)
    if not found:
        yield Case(Path(path).name or "-", "no case in this file", path, 1, error="the file holds no case")


def _cases(text: str) -> Iterator[Block]:
    """Split a file at its CASE lines; what stands outside a case spoils the case after it."""
    block: Block = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _COMMENT.sub("", raw).rstrip()
        if line.startswith("CASE") and any(entry.startswith("CASE") for _, entry in block):
            yield block
            block = []
        if line:
            block.append((number, line))
        if line == "END":
            yield block
            block = []
    if block:
        yield block


def _read_case(board: Board, block: Block, path: str) -> Case:
    first, head = block[0]
    words = head.split(None, 2)
    case = Case(words[1] if len(words) > 1 else "?", words[2] if len(words) > 2 else "", path, first)
    try:
        if words[0] != "CASE" or len(words) < 2:
            raise CaseError(first, f"a case begins with CASE and an id, not with {head!r}")
        _fill(board, case, _sections(block[1:]))
    except CaseError as error:
        case.error = str(error)
    except NotationError as error:
        case.error = "; ".join(str(p) for p in error.problems)
    return case


Section = tuple[int, str, str, Block]  # line, keyword, rest of its line, indented lines


def _sections(block: Block) -> list[Section]:
    sections: list[Section] = []
    ended = False
    for number, line in block:
        if line[0].isspace():
            if not sections:
                raise CaseError(number, f"nothing stands above {line.strip()!r}")
            sections[-1][3].append((number, line))
            continue
        word, _, rest = line.partition(" ")
        if word not in _HEADS:
            raise CaseError(number, f"unknown keyword {word!r}")
        ended = word == "END"
        sections.append((number, word, rest.strip(), []))
    if not ended:
        raise CaseError(block[-1][0] if block else 0, "the case does not end with END")
    return sections


def _fill(board: Board, case: Case, sections: list[Section]) -> None:
    turn, phase = 1, Phase.FIRST
    quitters: tuple[Player, ...] = ()
    listing: Block = []
    expecting: Block = []
    for number, word, rest, block in sections:
        if block and word not in ("POSITION", "CHANCE", "ORDERS", "EXPECT"):
            raise CaseError(block[0][0], f"nothing belongs under {word}")
        match word:
            case "RULES":
                case.rules = tuple(rest.split())
            case "PLAYERS":
                case.players = tuple(sorted(rest.split()))
            case "QUITTERS":
                quitters = tuple(sorted(rest.replace(",", " ").split()))
            case "PHASE":
                turn, phase = _phase(number, rest)
            case "VARIANT":
                case.solitaire = rest == "solitaire"
                if not case.solitaire:
                    raise CaseError(number, f"unknown variant {rest!r}")
                case.players = (RED_PLAYER, SYSTEM_PLAYER)
            case "OPTIONS":
                case.options = _options(board, number, rest)
            case "POSITION":
                listing += block
            case "CHANCE":
                _luck(board, case.luck, block)
            case "ORDERS":
                text = textwrap.dedent("\n".join(line for _, line in block))
                case.orders[rest] = f"{case.orders[rest]}\n{text}" if rest in case.orders else text
            case "EXPECT":
                expecting += _joined(block)
    if not case.players:
        raise CaseError(case.line, "PLAYERS is missing")
    for head, letters in (("ORDERS", [*case.orders]), ("QUITTERS", [*quitters])):
        for letter in letters:
            if letter not in case.players:
                raise CaseError(case.line, f"{head} {letter}: no such player")
    lines = _numbered(listing)
    position = read_position(board, lines, case.players, turn=turn, phase=phase, first_line=1, solitaire=case.solitaire)
    case.position = replace(position, quitters=tuple(sorted({*position.quitters, *quitters})))
    case.expected = [read_expectation(board, case.players, n, line.strip()) for n, line in expecting]
    if not case.expected:
        raise CaseError(case.line, "the case expects nothing")


def _options(board: Board, number: int, text: str) -> GameOptions:
    """The switches of the campaign: `masses`, and house rules as `name=value`."""
    chosen: dict[str, Any] = {}
    for word in text.split():
        name, _, value = word.rstrip(",").partition("=")
        read = _OPTIONS.get(name)
        if read is None or name in chosen:
            raise CaseError(number, f"unknown option {name!r}" if read is None else f"{name} is there twice")
        try:
            chosen[name] = read(board, value)
        except (ValueError, KeyError):
            raise CaseError(number, f"OPTIONS {word!r}: no such value") from None
    if not chosen:
        raise CaseError(number, "OPTIONS names no option")
    return game_options(chosen)


def _one_of(*known: str) -> Callable[[Board, str], object]:
    return lambda board, value: known[known.index(value)]


_OPTIONS: Mapping[str, Callable[[Board, str], object]] = {
    "masses": lambda board, value: _one_of("")(board, value) == "",
    "deal": _one_of(*DEALS),
    "victory": _one_of(*VICTORIES),
    "key_areas": lambda board, value: [board.provinces[code].code for code in value.split(",")],
    "last_turn": lambda board, value: int(value),
}


def _numbered(block: Block) -> list[str]:
    """The lines of a block at their own places, so that problems name the line of the file."""
    lines = [""] * (block[-1][0] if block else 0)
    for number, line in block:
        lines[number - 1] = line
    return lines


def _phase(number: int, text: str) -> tuple[int, Phase]:
    words = text.split()
    try:
        return int(words[0]), Phase(words[1])
    except (IndexError, ValueError):
        raise CaseError(number, f"PHASE {text!r}: a Game-Turn and setup, pregame, system, first or second") from None


def _joined(block: Block) -> Block:
    """A line that ends in a comma or a semicolon goes on in the next, as it does in a POSITION."""
    joined: Block = []
    for number, line in block:
        if joined and joined[-1][1].endswith((",", ";")):
            first, begun = joined.pop()
            joined.append((first, f"{begun} {line.strip()}"))
        else:
            joined.append((number, line))
    return joined


def _luck(board: Board, luck: CaseLuck, block: Block) -> None:
    for number, line in block:
        word, _, rest = line.strip().partition(" ")
        try:
            _read_luck(board, luck, word, rest.strip())
        except (ValueError, KeyError) as error:
            raise CaseError(number, f"CHANCE {line.strip()!r}: {error}") from None


def _read_luck(board: Board, luck: CaseLuck, word: str, rest: str) -> None:
    match word:
        case "combat" | "purge" | "assassination" | "move" | "leaders":
            dice = 2 if word in ("purge", "assassination") else 1
            luck.rolls.setdefault(word, []).extend(_roll(n, dice) for n in rest.split())
        case "event":
            for pair in rest.split():
                first, second = pair.split("-")
                luck.events.append((_roll(first, 1), _roll(second, 1)))
        case "chit":
            luck.chits += [chit for item in rest.split(",") for chit in _chits(board, item)]
        case "recipient":
            luck.recipients += rest.replace(",", " ").split()
        case "deal":
            player, _, cards = rest.partition(":")
            hand = [card for item in cards.split(",") for card in _cards(board, item)]
            luck.deal = {**(luck.deal or {}), player.strip(): hand}
        case _:
            raise ValueError("unknown kind of luck")


def _roll(text: str, dice: int) -> int:
    number = int(text)
    if not dice <= number <= 6 * dice:
        raise ValueError(f"{number} is no roll of {'a die' if dice == 1 else 'two dice'}")
    return number


def _chits(board: Board, text: str) -> list[str]:
    found = read_marker(board, text)
    if found is None:
        raise ValueError(f"no such chit {text.strip()!r}")
    return [found[0]] * found[1]


def _cards(board: Board, text: str) -> list[str]:
    found = read_marker(board, text)
    if found is not None:
        return [found[0]] * found[1]
    return [piece.name for piece in read_pieces(board, text)]
