"""Answering one question: `python -m gm.whatif.run` reads it as JSON from standard input and prints the answer."""

from __future__ import annotations

import resource
import sys
from datetime import date
from time import process_time

import msgspec

from gm.adjudicator.engine.options import game_options
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.steps.victory import standings
from gm.board.load import packed
from gm.board.model import Board
from gm.orders.kinds import Press, Resign, Sheet, Unread
from gm.orders.parser import parse
from gm.position import Position, from_json
from gm.reports.build import build_view
from gm.reports.issue import Issue, PlayerInfo
from gm.reports.render.text import render_text
from gm.standin.tracks import Tracks
from gm.whatif.question import MOST_TIMES, Answer, Question
from gm.whatif.tally import Tally
from gm.whatif.trials import Trials

CPU_SECONDS = 10  # then the system ends the process
MEMORY = 1 << 30


def answer(question: Question) -> Answer:
    """The same question gives the same answer."""
    begin = process_time()
    options = game_options(question.options)
    board = packed(question.pack, shorter=options.masses)
    position = from_json(board, question.position)
    typed = {**question.others, question.seat: question.orders}
    sheets = {letter: _orders(board, position, text) for letter, text in typed.items()}
    pairs = {(pair[0], pair[1]): column for pair, column in question.cooperation.items()}
    trials = Trials(
        board,
        position,
        sheets,
        bytes.fromhex(question.seed),
        options,
        Tracks(pairs) if question.standins else None,
    )
    tally = Tally(board, position, question.seat, dict(question.names))
    for outcome in trials.play(max(1, min(question.times, MOST_TIMES))):
        tally.add(outcome)
    now = standings(board, position)[question.seat]
    own = sheets[question.seat]
    assert tally.sample is not None
    return Answer(
        times=tally.times,
        guesses=len(trials.guesses - {()}),
        seconds=round(process_time() - begin, 3),
        fights=tally.fights(),
        purges=tally.purges(),
        murders=tally.murders(),
        fates=tally.fates(),
        red=tally.spread(now.red, "red"),
        white=tally.spread(now.white, "white"),
        leaders=dict(tally.leaders),
        strength=sum(stack.strength for stack in position.owned(question.seat)),
        strength_lost=tally.lost / tally.times,
        taken=tally.taken / tally.times,
        unread=_unread(own),
        unread_guesses={p: lines for p in sorted(question.others) if (lines := _unread(sheets[p]))},
        sample=_bell(board, question, tally.sample),
    )


def _orders(board: Board, position: Position, text: str) -> Sheet:
    """Without press, which is for readers, and without leaving the game."""
    sheet = parse(board, text, position.players).sheet
    return Sheet(tuple(order for order in sheet.orders if not isinstance(order, Press | Resign)))


def _unread(sheet: Sheet) -> tuple[str, ...]:
    return tuple(order.source for order in sheet.orders if isinstance(order, Unread))


def _bell(board: Board, question: Question, outcome: Outcome) -> str:
    """The first play as a newspaper would tell it."""
    players = {letter: PlayerInfo(name) for letter, name in question.names.items()}
    issue = Issue(
        number=0,
        outcome=outcome,
        campaign=question.campaign,
        published=date(1918, 6, 1),
        players=players,
        pack=question.pack,
        shorter=board.shorter,
        sample=True,
    )
    return render_text(build_view(board, issue))


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
    sys.stdout.buffer.write(msgspec.json.encode(answer(question)))


if __name__ == "__main__":
    main()
