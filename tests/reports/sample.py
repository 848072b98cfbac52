"""The sample game of 1976 as four issues: adjudicated from the cases, with names, dates and press around them."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from gm.adjudicator.chance import ScriptedChance, commitment
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.notation import read_position
from gm.orders.kinds import Sheet
from gm.orders.parser import parse
from gm.position import Phase, Position
from gm.reports.build import build_view
from gm.reports.issue import Colophon, Decision, Fairness, Issue, Past, PlayerInfo, PressItem, Receipt
from gm.reports.proof.fairness import digest_of_receipts, receipt_of, salt_of
from gm.reports.view.map import barometer_rows
from gm.reports.view.model import BellView

CASES = Path(__file__).parent.parent / "cases" / "published" / "bell.case"
LETTERS = "ABCDE"
PLAYERS = {
    "A": PlayerInfo("Ben Grossman"),
    "B": PlayerInfo("Greg Costikyan"),
    "C": PlayerInfo("Kip Allen"),
    "D": PlayerInfo("Frank Davis", present=False),
    "E": PlayerInfo("Eric Goldberg"),
}
PUBLISHED = (date(1976, 2, 26), date(1976, 2, 27), date(1976, 3, 3), date(1976, 3, 9))
DUE = (
    datetime(1976, 2, 27, 17, 0, tzinfo=UTC),
    datetime(1976, 3, 2, 17, 0, tzinfo=UTC),
    datetime(1976, 3, 8, 17, 0, tzinfo=UTC),
    datetime(1976, 3, 16, 17, 0, tzinfo=UTC),
)
PRESS = {
    3: (
        PressItem(
            "The rumour that the bread ration will be cut is a slander. It will be abolished, together with hunger, "
            "at a date to be announced.\n\nCitizens are reminded that queueing for rumours is forbidden.",
            "A",
            "PETROGRAD (Proletarian Information Bureau)",
        ),
        PressItem("To the gentleman who borrowed my armoured train: it is due back on Thursday.", "E"),
        PressItem("Wanted: one Czar, used, any condition. Apply at Vologda station, platform two.", None),
    ),
    4: (
        PressItem("A general is a man who has somebody to salute him. I regret to be one no longer.", "D", "COURLAND"),
    ),
}


def _case(name: str) -> str:
    text = CASES.read_text("utf-8")
    return text[text.index(f"CASE {name} ") :].partition("\nEND")[0]


def _part(case: str, keyword: str) -> str:
    found = re.search(rf"^{keyword}\b[^\n]*\n((?:[ \t]+[^\n]*\n?|\n)*)", case, re.MULTILINE)
    return found[1] if found else ""


def _chance(text: str) -> ScriptedChance:
    words = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    deal = {m[1]: m[2].split(", ") for m in re.finditer(r"deal (\w): (.*)", text)}
    chits = re.search(r"chit (.*)", text)
    return ScriptedChance(
        rolls={kind: [int(n) for n in words.get(kind, ())] for kind in ("combat", "purge")},
        events=[(int(e[0]), int(e[2])) for e in words.get("event", ())],
        chits=[c.strip() for c in chits[1].split(",")] if chits else [],
        recipients=words.get("recipient", []),
        deal={p: _cards(cards) for p, cards in deal.items()} or None,
    )


def _cards(cards: list[str]) -> list[str]:
    """`2 PM` is two cards."""
    found: list[str] = []
    for card in cards:
        number = re.fullmatch(r"(\d+) (PM|AM)", card.strip())
        found += [number[2]] * int(number[1]) if number else [card.strip()]
    return found


def _orders(case: str) -> dict[str, Sheet]:
    found = {}
    for letter in LETTERS:
        parsed = parse(standard_board(), _part(case, f"ORDERS {letter}"), LETTERS)
        assert not parsed.problems, parsed.problems
        found[letter] = parsed.sheet
    return found


@cache
def outcomes() -> tuple[Outcome, ...]:
    """The deal, the trades, June's movement and June's combat, one from the other."""
    board = standard_board()
    position = Position(players=tuple(LETTERS), turn=0, phase=Phase.SETUP)
    found: list[Outcome] = []
    for number in (1, 2, 3, 4):
        case = _case(f"bell-{number}")
        if number == 3:
            # The case has its own Randomizer; everything else must be what the trades left.
            given = read_position(board, _part(case, "POSITION"), LETTERS, turn=1, phase=Phase.FIRST)
            assert given.stacks == position.stacks
            position = given
        outcome = adjudicate(board, position, _orders(case), _chance(_part(case, "CHANCE")))
        found.append(outcome)
        position = outcome.after
    return tuple(found)


def _fairness(number: int, sheets: dict[str, Sheet], before: Position) -> Fairness:
    secrets = [bytes([n]) * 32 for n in range(6)]  # sample values, so that the golden files never change
    receipts = []
    if number > 1:
        for letter, sheet in sheets.items():
            salt = salt_of(secrets[number], "sample-1976", before.turn, before.phase, letter, 1)
            text = sheet.printed()
            receipts.append(Receipt(letter, receipt_of(salt, text), salt, text))
    return Fairness(
        next_commitment=commitment(secrets[number + 1]),
        commitment=commitment(secrets[number]),
        secret=secrets[number].hex(),
        orders_digest=digest_of_receipts({r.player: r.seal for r in receipts}),
        receipts=tuple(receipts),
        check="https://bell.example.org/sample-1976/check",
        dice=1,
        record=hashlib.sha256(f"record {number}".encode()).hexdigest(),
    )


@cache
def issues() -> tuple[Issue, ...]:
    found: list[Issue] = []
    past: list[Past] = []
    for index, outcome in enumerate(outcomes()):
        number = index + 1
        issue = Issue(
            number=number,
            outcome=outcome,
            campaign="The Sample Game of 1976",
            published=PUBLISHED[index],
            players=PLAYERS,
            deadline=DUE[index],
            press=PRESS.get(number, ()),
            decisions=(
                (
                    Decision(
                        "The epidemic in Ryazan takes a unit from each stack there.",
                        "both stacks stood in the province when it struck.",
                        ("12.11", "J25"),
                    ),
                )
                if number == 4
                else ()
            ),
            fairness=_fairness(number, _orders(_case(f"bell-{number}")), outcome.before),
            colophon=Colophon(
                gamesmaster="The Gamesmaster",
                archive="https://bell.example.org/sample-1976/",
                standbys=("Terry Amber",),
            ),
            past=tuple(past),
        )
        found.append(issue)
        view = build_view(standard_board(), issue)
        past.append(Past(number, barometer_rows(outcome.after, outcome.points), view.wordings, view.record))
    return tuple(found)


@cache
def views() -> tuple[BellView, ...]:
    return tuple(build_view(standard_board(), issue) for issue in issues())
