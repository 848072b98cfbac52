"""Order lines per second, all different, read by the parser, by bare Lark and by regular expressions, in the same run.

Ours: the whole way from text to orders, names resolved against the board. Bare Lark: the same grammar with Lark's own
lexers, a tree a line and no names. Regular expressions: the ceiling; one a verb, which only cut the line into strings.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from random import Random

from lark import Lark

from gm.board.load import standard_board
from gm.board.model import Board
from gm.orders.check.checker import check
from gm.orders.language.grammar import grammar
from gm.orders.language.lexer import KEYWORDS
from gm.orders.language.names import names_of
from gm.orders.parser import parse
from gm.position import Phase, Position, Stack, canonical

LINES = 4_000
ROUNDS = 7
PLAYERS = "ABCDE"

_LIST = r"[^,:]+(?:,\s*[^,:]+)*"
CEILING = {
    "MOVE": re.compile(rf"MOVE ({_LIST})(?:: ([A-Z]+(?:\([^)]*\))?(?:-[A-Z]+(?:\([^)]*\))?)*)| TO (\w+))( BY RAIL)?$"),
    "STACK": re.compile(rf"STACK (\w+): ({_LIST})$"),
    "ATTACK": re.compile(rf"ATTACK (.+) IN (\w+) WITH ({_LIST})$"),
    "SUBVERT": re.compile(rf"SUBVERT (.+) IN (\w+) WITH ({_LIST})$"),
    "GIVE": re.compile(r"GIVE (\d+) (PM|AM) TO (\w)(?: FOR (\d+) (PM|AM))?$"),
    "PURGE": re.compile(r"PURGE (\w) WITH (\w) USING (\d+) PM DIVIDE ([^T]+) TAKING (.+)$"),
    "ASSASSINATE": re.compile(rf"ASSASSINATE ({_LIST}) WITH (\d+|ALL)$"),
    "LOSE": re.compile(rf"LOSE ({_LIST})$"),
}


_RESERVED = "to|for|from|with|in|using|divide|taking|by|if|separately|and"
_BARE = r"""
_STANDING.2: /standing\b/i
CONDITION.2: /(if|unless|when)\b.*/i
_COMMA: /,|and\b|&/i
_COLON: ":"
_DASH: /->|[-–—→]/
_PLUS: "+"
_LPAR: "("
_RPAR: ")"
NUMBER: /\d+/
NAME: /#\d+|[^\W\d_][\w.']*((-| ?\/)\w[\w.']*| (?!RESERVED\b)[^\W\d_][\w.']*)*/i
%ignore /[ \t]+/
"""


def bare_grammar() -> str:
    """The same rules for Lark's own lexers, which know no verbs: every keyword everywhere, above NAME."""
    spelt: dict[str, set[str]] = {}
    for words in KEYWORDS.values():
        for word, type_ in words.items():
            spelt.setdefault(type_, set()).add(re.escape(word).replace("/", r"\/").replace(r"\ ", " "))
    keywords = [f"{type_}.2: /(?:{'|'.join(sorted(words))})(?!\\w)/i" for type_, words in sorted(spelt.items())]
    rules = grammar().partition("%declare")[0]
    return "\n".join([rules, *keywords, _BARE.replace("RESERVED", f"(?:{_RESERVED})")])


def order(board: Board, rng: Random) -> str:
    """A line as a receipt prints it, in about the mixture of a sheet."""
    leaders, units, places = board.leaders, board.units, sorted(board.provinces)

    def leader() -> str:
        return rng.choice(leaders).name

    def pieces(most: int) -> str:
        return ", ".join([leader(), *(rng.choice(units).bell for _ in range(rng.randint(0, most)))])

    roll = rng.random()
    if roll < 0.55:
        path = [rng.choice(places)]
        for _ in range(rng.randint(1, 6)):
            path.append(rng.choice(sorted(board.borders[path[-1]])))
        if rng.random() < 0.2:
            path[-1] += f"(+{rng.choice(units).bell})"
        where = f" TO {path[0]}" if roll < 0.05 else f": {'-'.join(path)}"
        return f"MOVE {pieces(3)}{where}{' BY RAIL' if rng.random() < 0.1 else ''}"
    if roll < 0.65:
        return f"STACK {rng.choice(places)}: {pieces(4)}"
    if roll < 0.8:
        verb = rng.choice(["ATTACK", "SUBVERT"])
        return f"{verb} {rng.choice(units).bell} IN {rng.choice(places)} WITH {leader()}, {leader()}"
    if roll < 0.88:
        return f"GIVE {rng.randint(1, 999)} PM TO {rng.choice(PLAYERS)} FOR {rng.randint(1, 999)} AM"
    if roll < 0.94:
        shares = f"A {rng.randint(1, 99)}, E {rng.randint(1, 99)}"
        return f"PURGE B WITH E USING {rng.randint(1, 9)} PM DIVIDE {shares} TAKING {leader()}, PM"
    return rng.choice([f"ASSASSINATE {leader()}, {leader()} WITH {rng.randint(1, 99)}", f"LOSE {pieces(4)}"])


def different_lines(board: Board) -> list[str]:
    rng, found = Random(1918), dict.fromkeys("")
    while len(found) < LINES:
        found[order(board, rng)] = None
    return list(found)


def sixty(board: Board, rng: Random) -> tuple[Position, str]:
    """A position with sixty stacks of one player, and a MOVE for each."""
    stacks, lines = [], []
    for leader in board.leaders:
        path = [rng.choice(sorted(board.provinces))]
        stacks.append(Stack(path[0], "A", (leader,)))
        for _ in range(3):
            path.append(rng.choice(board.neighbours(path[-1], leader.color)))
        lines.append(f"MOVE {leader.name}: {'-'.join(path)}")
    lines += [f"STACK {s.province}: {s.pieces[0].name}, Lenin" for s in stacks][: 60 - len(lines)]
    return Position(tuple(PLAYERS), 1, Phase.FIRST, canonical(stacks)), "\n".join(lines)


def best(*works: Callable[[], object]) -> list[float]:
    """The best time of each, taken in turns so that a busy machine is unfair to nobody."""
    times = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for index, work in enumerate(works):
            start = time.process_time()
            work()
            times[index] = min(times[index], time.process_time() - start)
    return times


def main() -> None:
    board = standard_board()
    lines = different_lines(board)
    text = "\n".join(lines)
    bare = bare_grammar()
    contextual = Lark(bare, parser="lalr", lexer="contextual")
    basic = Lark(bare, parser="lalr", lexer="basic")

    def regexes() -> list[tuple[str | None, ...]]:
        return [CEILING[line.partition(" ")[0]].match(line).groups() for line in lines]  # type: ignore[union-attr]

    names_of(board)
    parsed = parse(board, text, PLAYERS)
    assert not parsed.problems and len(parsed.sheet.orders) == LINES
    assert len(regexes()) == LINES
    ours, lark, plain, ceiling = best(
        lambda: parse(board, text, PLAYERS),
        lambda: [contextual.parse(line) for line in lines],
        lambda: [basic.parse(line) for line in lines],
        regexes,
    )
    position, sheet = sixty(board, Random(1918))
    (receipt,) = best(lambda: check(board, position, "A", parse(board, sheet, PLAYERS).sheet))
    print(f"parse, names resolved             {LINES / ours:8.0f} lines/s")
    print(f"bare Lark LALR, contextual lexer  {LINES / lark:8.0f} lines/s")
    print(f"bare Lark LALR, basic lexer       {LINES / plain:8.0f} lines/s")
    print(f"  ratio to the better of them     {min(lark, plain) / ours:8.2f}x  (target 1.0x)")
    print(f"regular expressions (ceiling)     {LINES / ceiling:8.0f} lines/s")
    print(f"  ratio                           {ceiling / ours:8.2f}x")
    print(f"parse + check of 60 orders        {receipt * 1000:8.2f} ms  (target under 25)")


if __name__ == "__main__":
    main()
