"""Every message of the corpus gives exactly the orders, the wishes or the refusal that its expectation file says."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gm.board.load import standard_board
from gm.mail.handle.sort_lines import LetterText
from gm.mail.handle.understand import Answered, Understood, understand
from gm.mail.handle.yes_or_no import reply
from gm.mail.identify.recognise import recognise
from gm.mail.parse.message import Incoming, read
from gm.orders.kinds import Unread
from gm.orders.parser import parse

HERE = Path(__file__).parent
CORPUS = sorted((HERE / "corpus").glob("*.eml"))
PLAYERS = {
    "A": ("Anna", "anna.keller@gmx.example"),
    "B": ("Boris", "boris@whitcombe.example"),
    "C": ("Claire", "claire.dubois@orange.example"),
    "D": ("Dmitri", "d.olsen@mailbox.example"),
    "E": ("Erik", "erik.lindqvist@telia.example"),
}


@dataclass(frozen=True)
class Seat:
    campaign: str
    letter: str
    address: str


SEATS = {letter: Seat("bell", letter, address) for letter, (_, address) in PLAYERS.items()}


def token(letter: str) -> str:
    return base64.b32encode(hashlib.sha256(b"corpus" + letter.encode()).digest()).decode().lower()[:26]


TOKENS = {token(letter): seat for letter, seat in SEATS.items()}


@dataclass
class Expected:
    fields: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)


def expectation(path: Path) -> Expected:
    expected = Expected()
    current = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("    "):
            expected.lists[current].append(line[4:])
            continue
        name, _, value = line.partition(":")
        if value.strip():
            expected.fields[name] = value.strip()
        else:
            current = name
            expected.lists[current] = []
    return expected


def orders(understood: Understood) -> list[str]:
    """The orders in canonical form, `?` before what the parser did not take; guard, ADD and CANCEL on own lines."""
    names = {name: letter for letter, (name, _) in PLAYERS.items()}
    sheet = parse(standard_board(), understood.wishes.orders, names).sheet
    lines = ["ADD"] if sheet.add else []
    lines += ["CANCEL ALL"] if sheet.cancel else []
    lines += [f"ORDERS {sheet.guard.turn} {sheet.guard.phase}"] if sheet.guard else []
    for order in sheet.orders:
        text = f"? {order.source}" if isinstance(order, Unread) else order.printed()
        lines += [line for line in text.split("\n") if line.strip() != "END"]
    return lines


def letter_line(letter: LetterText) -> str:
    words = letter.text.replace("\n", " / ")
    return f"{', '.join(letter.to)}: {words}{' (anonymous)' if letter.anonymous else ''}"


def the_answered(name: str) -> Answered:
    """The mail of ours that a message answers."""
    html = HERE / "corpus" / "answered" / f"{name}.html"
    text = html.with_suffix(".txt").read_text("utf-8")
    return Answered(text, html.read_text("utf-8") if html.exists() else None, name == "receipt")


def whose(incoming: Incoming) -> tuple[str, str]:
    who = recognise(incoming, TOKENS.get, lambda a: [s for s in SEATS.values() if s.address == a])
    return (who.seat.letter if who.seat else "-"), who.trust.value


def test_the_corpus_holds_enough_messages_each_with_its_expectation() -> None:
    assert len(CORPUS) >= 150 and len([p for p in CORPUS if p.stem.startswith("typed-")]) >= 40
    assert {p.stem for p in CORPUS} == {p.stem for p in (HERE / "corpus").glob("*.expect")}


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.stem)
def test_message_is_understood_as_expected(path: Path) -> None:
    expected = expectation(path.with_suffix(".expect"))
    incoming = read(path.read_bytes())
    seat, trust = whose(incoming)
    mine = [PLAYERS[seat][1]] if seat in PLAYERS else []
    answered = expected.fields.pop("answers", None)
    sent = the_answered(answered) if answered else None
    if said := expected.fields.pop("question", None):
        assert reply(incoming, sent, 17) == said
        return
    understood = understand(incoming, mine, sent)
    found = {
        "orders": orders(understood),
        "commands": [f"{c.word} {c.argument}".strip() for c in understood.wishes.commands],
        "letters": [letter_line(x) for x in understood.wishes.letters],
        "notes": [f"{n.code} {n.data}".strip() for n in understood.notes],
    }
    assert {"kind": incoming.kind.value, "seat": seat, "trust": trust} == expected.fields
    for name, lines in found.items():
        assert lines == expected.lists.get(name, []), name
    if "talk" in expected.lists:
        assert list(understood.wishes.talk) == expected.lists["talk"]
