"""Receipts and hashes: receipts of orders, the digest that keys the dice, the chain through the Bells.

All of it can be recomputed by anyone from a published archive; `gm verify` and the web page do.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gm.adjudicator.engine.options import GameOptions
from gm.board.model import Board
from gm.orders.kinds import Hold, Press, Sheet, Unread
from gm.position import Player

RESIGNATION = "RESIGN"
START_OF_CHAIN = "0" * 64
# Of a Phase's record, what never changes once its Bell is out: whether it was rolled back since is not in it.
RECORD = (
    *(
        "turn",
        "phase",
        "incarnation",
        "ordinal",
        "erratum",
        "position",
        "opened_at",
        "deadline",
        "commitment",
        "secret",
    ),
    *("beacon_round", "beacon", "orders_digest", "orders", "reading", "dice", "outcome"),
)


def dump(data: object) -> bytes:
    """The one way in which an archive writes JSON: any other spelling is a change.

    The same bytes as `json.dumps(data, indent=1, ...)`, which lays out in Python and takes six times as long.
    """
    spelt = json.dumps(data, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return msgspec.json.format(spelt.encode(), indent=1) + b"\n"


def void_digest(record: Mapping[str, Any]) -> str:
    """What binds a Phase that was void before any Bell reported it to the one that says so: its corrections too."""
    return record_digest(record, (*RECORD, "corrections"))


def record_digest(record: Mapping[str, Any], names: Iterable[str] = RECORD) -> str:
    """What binds a Phase's record in the archive to the Bell that reports it, which prints it.

    Of the shortest spelling of its JSON, which is written much faster than that of the archive's files.
    """
    bound = {name: record[name] for name in names if name in record}
    shortest = json.dumps(bound, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(shortest.encode()).hexdigest()


def read_json(files: Mapping[str, bytes], path: str) -> dict[str, Any] | None:
    """A file of an archive; None where there is none that holds one JSON object."""
    try:
        data = json.loads(files[path])
    except (KeyError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def press_digest(lines: Iterable[Mapping[str, Any]]) -> str:
    """What binds the press of an issue, as the archive keeps it, to the issue."""
    return hashlib.sha256(b"".join(sorted(dump(line) for line in lines))).hexdigest()


def salt_of(secret: bytes, campaign: str, turn: int, phase: str, player: Player, version: int) -> str:
    """The salt of one version of a player's orders.

    It comes from the secret that was committed to before the Phase, so that nobody can try salts until the digest
    of all orders gives the dice they like; and it says nothing about the secret itself.
    """
    message = f"salt|{campaign}|{turn}|{phase}|{player}|{version}".encode()
    return hmac.digest(secret, message, "sha256")[:16].hex()


def receipt_of(salt: str, orders: str) -> str:
    """What a player is given for their orders, and what the Bell prints."""
    return hashlib.sha256(f"{salt}\n{orders}".encode()).hexdigest()


def digest_of_receipts(receipts: Mapping[Player, str]) -> str:
    """What keyed the dice of version 1: the salted receipts, which change each time the same orders are sent again."""
    lines = "\n".join(f"{player} {receipts[player]}" for player in sorted(receipts))
    return hashlib.sha256(lines.encode()).hexdigest()


def counted(sheet: Sheet) -> str:
    """The orders of a sheet that count for the dice, in canonical form: no press, nothing that was not understood."""
    return Sheet(tuple(o for o in sheet.orders if not isinstance(o, Hold | Press | Unread))).printed()


def played_text(text: str, counted: str | None) -> str:
    """What is played of a sealed sheet. Of a seat that was left, what it had on file stands under its own receipt, and
    its RESIGN among the orders that count alone; in sheets of before it stands in the text."""
    leaves = (counted or "").splitlines()[-1:] == [RESIGNATION]
    return "\n".join(filter(None, (text, RESIGNATION))) if leaves and not _ends(text) else text


def _ends(text: str) -> bool:
    return text.splitlines()[-1:] == [RESIGNATION]


def house_lines(options: GameOptions, board: Board, beacon: str = "") -> list[str]:
    """The first lines of what is hashed: how the campaign is played, and what a public beacon gave (version 3)."""
    lines = [f"options {options.digest}", f"board {board.digest}"]
    return ["dice 3", *lines, beacon] if beacon else ["dice 2", *lines]


def digest_of(counted: Mapping[Player, str], options: GameOptions, board: Board, beacon: str = "") -> str:
    """What the dice of a Phase are keyed by: house rules, board, every player's orders that count, and the beacon.

    No salt and no comment is in it: who sends the same orders again gets the same dice.
    """
    lines = house_lines(options, board, beacon)
    lines += [f"{player} {hashlib.sha256(counted[player].encode()).hexdigest()}" for player in sorted(counted)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def chain_of(previous: str, number: int, text: bytes, html: bytes, document: bytes) -> str:
    """The seal over this Bell (its text, its HTML, its JSON as archives write it) and all before it.

    The next Bell prints it.
    """
    own = "|".join(hashlib.sha256(part).hexdigest() for part in (text, html, document))
    return hashlib.sha256(f"{previous}|{number}|{own}".encode()).hexdigest()


def chain_of_text(previous: str, number: int, text: str) -> str:
    """The seal as it was first made: over the text alone."""
    own = hashlib.sha256(text.encode()).hexdigest()
    return hashlib.sha256(f"{previous}|{number}|{own}".encode()).hexdigest()
