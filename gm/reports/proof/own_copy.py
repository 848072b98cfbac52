"""What a player holds against an archive: the receipt of his orders, and his own copy of a Bell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gm.reports.proof.checks.bells import INDEX, name_of, squeezed
from gm.reports.proof.fairness import START_OF_CHAIN, read_json
from gm.reports.prose import standard_prose

_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_SEAL = re.compile(r"[0-9a-f]{64}")
BARE = ("seal of all issues before", "seal of all issues with this one")  # in an issue of bare facts


@dataclass(frozen=True, slots=True)
class SealedReceipt:
    """What an archive says of one receipt."""

    phase: str
    player: str
    version: int
    counted: bool  # False: other orders came after it, or the Phase is not over
    text: str
    void: bool = False  # they were sealed, and what came of them was rolled back


def find_receipt(files: Mapping[str, bytes], receipt: str) -> SealedReceipt | None:
    """The orders for which a receipt was given. Those that were replaced are in a full archive only."""
    wanted = receipt.strip().lower()
    for state in ("published", "void"):
        for phase in _phases(files, state):
            for player, sealed in phase["orders"].items():
                if sealed["receipt"] == wanted:
                    counts = state == "published"
                    return SealedReceipt(
                        name_of(phase), player, sealed["version"], counts, sealed["text"], void=not counts
                    )
    for row in json.loads(files.get("private/submissions.json", b"[]")):
        if row["receipt"] == wanted:
            return SealedReceipt(name_of(row), row["letter"], row["version"], False, row["canonical"])
    return None


def _phases(files: Mapping[str, bytes], state: str) -> Iterator[dict[str, Any]]:
    for path in sorted(files):
        if path.startswith("phases/") and (phase := read_json(files, path)) and phase["state"] == state:
            yield phase


@dataclass(frozen=True, slots=True)
class ComparedCopy:
    """A reader's own copy of an issue beside the archive's."""

    number: int | None  # None: no issue of the archive follows the issues whose seal the copy prints
    last: int  # issue of the archive
    sealed: bool = False  # the copy prints the archive's seal: text, HTML and JSON are the same, and all before
    hashes: tuple[str, ...] = ()  # that stand in one of the two only
    unsealed: bool = False  # the copy prints no seal at all: it is of no Bell, or not all of one
    lines: tuple[str, ...] = ()  # of the archive's issue that the copy does not have, if it prints no seal of its own

    @property
    def same(self) -> bool:
        return self.number is not None and not self.hashes


def compare_copy(files: Mapping[str, bytes], copy: str) -> ComparedCopy:
    """Which issue of the archive the copy is of, and whether it is the same.

    A copy prints the seal of all issues before its own, and the seal with its own, which those of before do not: of
    them the hashes are compared. Their lines differ where they speak of the reader's own orders and times. Seals that
    stand anywhere else in a copy, in somebody's press say, count for nothing.
    """
    chains = {line["number"]: line["chain"] for line in json.loads(files[INDEX])["bells"]}
    last, printed = max(chains, default=0), set(_HASH.findall(copy))
    before, with_it = seals_of(copy)
    if not before:
        return ComparedCopy(None, last, unsealed=True)
    if chains and before == chains[last]:  # it came after the archive was made
        return ComparedCopy(last + 1, last, sealed=True)
    number = next((n for n in chains if chains.get(n - 1, START_OF_CHAIN) == before), None)
    if number is None or chains[number] == with_it:
        return ComparedCopy(number, last, sealed=number is not None)
    if with_it:
        return ComparedCopy(number, last, False, (with_it, chains[number]))
    text = files[f"bells/{number:03d}.txt"].decode(errors="replace")
    mine = {_plain(line) for line in copy.splitlines()}
    lines = tuple(line.strip() for line in text.splitlines() if _plain(line) not in mine)
    return ComparedCopy(number, last, False, tuple(sorted(printed ^ set(_HASH.findall(text)))), lines=lines)


def seals_of(copy: str) -> tuple[str, str]:
    """The seal of all issues before a copy's own, and the seal with it (copies of before have none of their own).

    They stand one behind the other in the last part of a Bell, below everybody's words.
    """
    words = standard_prose()
    labels = [tuple(words.template("labels", f"fairness.{name}") for name in ("chain", "seal")), BARE]
    page = squeezed(copy)
    found = ("", "")
    start = -1
    for chain, seal in labels:
        mark = squeezed(chain)
        at = page.rfind(mark)
        while at >= 0 and not (before := _SEAL.match(page, at + len(mark))):
            at = page.rfind(mark, 0, at)
        if at > start and before:
            own, rest = squeezed(seal), before.end()
            own_seal = _SEAL.match(page, rest + len(own)) if page.startswith(own, rest) else None
            found, start = (before[0], own_seal[0] if own_seal else ""), at
    return found


def _plain(line: str) -> str:
    """A line without the marks of a quotation and without blanks, which mail programs change."""
    return "".join(line.lstrip("> \t").split())
