"""What a player holds against an archive: the receipt of his orders, and his own copy of a Bell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gm.reports.proof.checks.bells import INDEX, name_of, squeezed
from gm.reports.proof.fairness import RESIGNATION, START_OF_CHAIN, read_json, receipt_of, salt_of
from gm.reports.prose import standard_prose

VERSIONS = 1000  # of a sheet that anybody sends, and more
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_SEAL = re.compile(r"[0-9a-f]{64}")
DEAL = ("fixed already; its SHA-256 is", "that of the new secret is")  # in invitations, and when it was drawn anew
SEALED = "Their digest, without what stand-ins may add, is"  # in the mail of a campaign with a beacon
_NAMED = re.compile(r'the dice are named "([^"]{1,100})"')
HEADING = "== "  # of a part of an issue
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
    name = str((read_json(files, "campaign.json") or {}).get("dice_name"))
    for state in ("published", "void"):
        for phase in _phases(files, state):
            for player, sealed in phase["orders"].items():
                if sealed["receipt"] == wanted or _was_on_file(phase, name, player, sealed, wanted):
                    counts = state == "published"
                    return SealedReceipt(
                        name_of(phase), player, sealed["version"], counts, sealed["text"], void=not counts
                    )
    for row in json.loads(files.get("private/submissions.json", b"[]")):
        if row["receipt"] == wanted:
            return SealedReceipt(name_of(row), row["letter"], row["version"], False, row["canonical"])
    return None


def _was_on_file(phase: dict[str, Any], name: str, player: str, sealed: dict[str, Any], wanted: str) -> bool:
    """Before a seat that was left kept the receipt of its orders on file: they were sealed anew, with RESIGN."""
    if sealed["version"] or not sealed["text"].endswith(f"\n{RESIGNATION}"):
        return False
    text, secret = sealed["text"].removesuffix(f"\n{RESIGNATION}"), bytes.fromhex(phase["secret"])
    salts = (salt_of(secret, name, phase["turn"], phase["phase"], player, number) for number in range(1, VERSIONS))
    return any(receipt_of(salt, text) == wanted for salt in salts)


def _phases(files: Mapping[str, bytes], state: str) -> Iterator[dict[str, Any]]:
    for path in sorted(files):
        if path.startswith("phases/") and (phase := read_json(files, path)) and phase["state"] == state:
            yield phase


@dataclass(frozen=True, slots=True)
class ComparedCopy:
    """A reader's own copy of an issue beside the archive's."""

    number: int | None  # None: no issue of the archive follows the issues whose seal the copy prints
    last: int  # issue of the archive
    sealed: bool = False  # the copy prints the archive's seal, which is that of text, HTML and JSON, and of all before
    hashes: tuple[str, ...] = ()  # that stand in one of the two only
    invitation: bool = False  # to the campaign: the hash of the deal and the name of the dice are compared
    mailed: str | None = None  # the digest of a mail that said that orders were sealed; `phase`: whose it is
    phase: str = ""
    unsealed: bool = False  # the copy prints no seal at all: it is of no Bell, or not all of one
    lines: tuple[str, ...] = ()  # of the archive's issue that the copy does not have

    @property
    def same(self) -> bool:
        if self.mailed is not None:
            return bool(self.phase)
        return (self.invitation or self.number is not None) and not self.hashes and not (self.sealed and self.lines)


def compare_copy(files: Mapping[str, bytes], copy: str, by_line: bool = True) -> ComparedCopy:
    """Which issue of the archive the copy is of, and whether it is the same.

    A copy prints the seal of all issues before its own, and the seal with its own, which those of before do not. What
    it prints beside is compared whatever the seals are: every hash of the issue, and every line of it but those that
    are worded for the reader: orders and times (`by_line`: not of a copy in HTML). Seals that stand anywhere else in a
    copy, in somebody's press say, count for nothing.
    """
    chains = {line["number"]: line["chain"] for line in json.loads(files[INDEX])["bells"]}
    last, printed = max(chains, default=0), set(_HASH.findall(copy))
    before, with_it = seals_of(copy)
    if not before:
        return _invitation(files, copy, last)
    if chains and before == chains[last]:  # it came after the archive was made
        return ComparedCopy(last + 1, last, sealed=True)
    number = next((n for n in chains if chains.get(n - 1, START_OF_CHAIN) == before), None)
    if number is None:
        return ComparedCopy(None, last)
    text = files[f"bells/{number:03d}.txt"].decode(errors="replace")
    if chains[number] == with_it:
        other = tuple(sorted(set(_HASH.findall(text)) - printed))
        page = squeezed(copy) if by_line else ""
        lines = tuple(line.strip() for line in _for_all(text) if by_line and squeezed(line) not in page)
        return ComparedCopy(number, last, True, other, lines=lines)
    if with_it:
        return ComparedCopy(number, last, False, (with_it, chains[number]))
    mine = {_plain(line) for line in copy.splitlines()}
    lines = tuple(line.strip() for line in text.splitlines() if _plain(line) not in mine)
    return ComparedCopy(number, last, False, tuple(sorted(printed ^ set(_HASH.findall(text)))), lines=lines)


def _for_all(text: str) -> Iterator[str]:
    """The lines of an issue that are the same in every copy: all but its head, the orders and the colophon."""
    words = standard_prose()
    heads = {squeezed(words.template("labels", f"sections.{name}")).lower() for name in ("orders", "colophon")}
    lines = text.splitlines()
    own = any(line.startswith(HEADING) for line in lines)  # an issue of bare facts has no parts
    for line in lines:
        if line.startswith(HEADING):
            own = squeezed(line).lower() in heads
        elif not own:
            yield line


def _invitation(files: Mapping[str, bytes], copy: str, last: int) -> ComparedCopy:
    """Whether a mail of before the deal prints what the archive says of it."""
    page = squeezed(copy)
    if sealed := list(_behind(page, SEALED)):
        return ComparedCopy(None, last, mailed=sealed[-1], phase=find_digest(files, sealed[-1]))
    printed = [found for mark in DEAL for found in _behind(page, mark)]
    if not printed:
        return ComparedCopy(None, last, unsealed=True)
    paths = [path for path in files if path.startswith("phases/") and path.endswith("-setup.json")]
    deals = [phase for path in sorted(paths) if (phase := read_json(files, path)) and not phase["incarnation"]]
    other = [value for value in printed[-1:] if value not in [phase["commitment"] for phase in deals]]
    name = str((read_json(files, "campaign.json") or {}).get("dice_name"))
    said = _NAMED.search(" ".join(copy.split()))
    other += [said[1]] if said and said[1] != name else []
    return ComparedCopy(None, last, hashes=tuple(other), invitation=True)


def _behind(page: str, words: str) -> Iterator[str]:
    """The hashes that stand right behind these words."""
    mark = squeezed(words)
    at = page.find(mark)
    while at >= 0:
        if found := _SEAL.match(page, at + len(mark)):
            yield found[0]
        at = page.find(mark, at + len(mark))


def find_digest(files: Mapping[str, bytes], digest: str) -> str:
    """The Phase whose sealed orders had this digest, as it was mailed before the beacon's round; empty: none.

    A Phase whose orders the archive does not have shows nothing: whatever digest it names, `verify` cannot compare it.
    """
    wanted = digest.strip().lower()
    for state in ("published", "void"):
        for phase in _phases(files, state):
            if wanted and phase.get("orders") and (phase.get("beacon") or {}).get("digest") == wanted:
                return name_of(phase) + (", which is void" if state == "void" else "")
    return ""


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
