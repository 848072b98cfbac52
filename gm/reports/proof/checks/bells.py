"""Check the Bells of an archive by their own texts: the seals over them, what each printed and when, gaps.

Which Bell opened a Phase is not taken from the index: it is the one before the Bell that prints the Phase's secret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from gm.reports.proof.fairness import START_OF_CHAIN, chain_of, chain_of_text, read_json

PhaseRecord = Mapping[str, Any]
Problem = tuple[str, str, str]  # the file, the check, and what about it
INDEX = "bells/index.json"
_ADDRESS = re.compile(r"/c/([^/]{1,100})/fairness$")
TEXT = re.compile(r"bells/([0-9]{3}|[1-9][0-9]{3,8})\.txt")


@dataclass(slots=True)
class BellsCheck:
    """The Bells of an archive; `notes` says what is in order but worth knowing."""

    files: Mapping[str, bytes]
    phases: Sequence[tuple[str, PhaseRecord]]
    dice_name: str = ""  # by campaign.json
    notes: list[str] = field(default_factory=list)
    texts: dict[int, str] = field(init=False)
    documents: dict[int, Mapping[str, Any]] = field(init=False)  # the JSON of the issues
    by_text: set[int] = field(default_factory=set)  # issues that are sealed by their text alone

    def __post_init__(self) -> None:
        numbered = {int(found[1]): path for path in self.files if (found := TEXT.fullmatch(path))}
        self.texts = {number: self.files[path].decode(errors="replace") for number, path in sorted(numbered.items())}
        self.documents = {number: read_json(self.files, f"bells/{number:03d}.json") or {} for number in self.texts}

    @property
    def is_site(self) -> bool:
        """Whether pages stand where an export has the mails; those are called -mail.html there."""
        return "index.html" in self.files

    def problems(self, sealed: str) -> Iterator[Problem]:
        """`sealed`: the seal over all Bells that the manifest gives."""
        yield from self._gaps()
        yield from self._seals(sealed)
        yield from self._names()
        for path, phase in self.phases:
            if phase["phase"] != "finished":
                yield from self._of_phase(path, phase)

    def _gaps(self) -> Iterator[Problem]:
        for before, number in pairwise(self.texts):
            if number != before + 1:
                yield path_of(number), "gap", f"issues are missing between #{before} and #{number}"
        for place, (path, phase) in enumerate(self.phases):
            if phase["ordinal"] != place:
                yield path, "gap", "a Phase before this one is missing"
                break

    def _seals(self, sealed: str) -> Iterator[Problem]:
        lines = json.loads(self.files[INDEX])["bells"]
        if [line["number"] for line in lines] != list(self.texts):
            yield INDEX, "gap", "does not list the issues that are there"
        chain = START_OF_CHAIN
        for place, line in enumerate(lines):
            number = line["number"]
            text = self.texts[number]
            said = proof_of(self.documents[number]).get("chain") or chain
            if said != chain or (chain != START_OF_CHAIN and chain not in text):
                yield path_of(number), "chain", "does not carry the seal of the issues before it"
            alone = chain_of_text(chain, number, text)
            chain = self._chain(chain, number)
            # As it was before; the next issue prints which of the two it is.
            if line["chain"] == alone and len(self.by_text) == place:
                chain = alone
                self.by_text.add(number)
            if line["chain"] != chain:
                yield (
                    path_of(number),
                    "chain",
                    "breaks the chain of seals: its text, HTML or JSON is not what was printed",
                )
                chain = line["chain"]
            if not all(announced in text for announced in line["commitments"]):
                yield path_of(number), "commitment", "does not print the hash of the coming Phase's secret"
        known = {phase["commitment"] for _, phase in self.phases}
        if not all(announced in known for line in lines for announced in line["commitments"]):
            yield INDEX, "commitment", "announces a secret that no Phase has"
        if (sealed or START_OF_CHAIN) != chain:
            yield "manifest.json", "chain", "does not end where the chain of the Bells ends"
        if lines:
            self.notes.append(
                f"nothing after issue #{lines[-1]['number']}, the last, seals it: it hangs on your own copy, "
                f"which has to print this seal: {chain} (gm verify ARCHIVE --bell YOUR-COPY compares)"
            )
        if self.by_text:
            self.notes.append(f"{len(self.by_text)} issues are sealed by their text alone, as all were at first")

    def _names(self) -> Iterator[Problem]:
        """What keys the dice is what the invitations said: every issue names it, the first in its address."""
        said = {number: proof_of(document).get("dice_name") for number, document in self.documents.items()}
        bound = False
        for number, name in said.items():
            bound = bound or bool(name)
            if bound and name != self.dice_name:
                yield path_of(number), "dice", f"its dice are not named {self.dice_name!r}, as campaign.json says"
        first = min(said, default=0)
        if first and not said[first]:
            self.notes.append(f"issue #{first}, the first, does not name the dice, as issues did not before")
        link = proof_of(self.documents[first]).get("link", "") if first and said[first] else ""
        address = _ADDRESS.search(link)
        if address and address[1] != self.dice_name:
            what = f"stands at the address of {address[1]!r}, and its dice are named {self.dice_name!r}"
            yield path_of(first), "dice", f"{what}: they are not those of the invitations"

    def named(self, number: int) -> bool:
        """Whether an issue was made since issues name their dice."""
        return bool(proof_of(self.documents[number]).get("dice_name"))

    def _chain(self, before: str, number: int) -> str:
        stem = f"bells/{number:03d}"
        html = self.files.get(f"{stem}{'-mail' if self.is_site else ''}.html", b"")
        return chain_of(before, number, self.files[f"{stem}.txt"], html, self.files[f"{stem}.json"])

    def _of_phase(self, path: str, phase: PhaseRecord) -> Iterator[Problem]:
        """The hash stood in the Bell that opened the Phase, the secret in the next one."""
        called = name_of(phase)
        newest = max(self.texts, default=None)
        if phase["secret"] is None:
            if phase["position"] is not None and newest is not None and self._prints_hash(phase, newest):
                yield from self._printed(path, phase, newest)
            return
        told = self.reports(phase)
        if told is None:
            if phase["state"] != "void":
                yield path, "bell", "no Bell prints the secret of this Phase"
            else:
                yield from self._never_told(path, phase)
            return
        if phase["phase"] == "setup" and phase["incarnation"] and told - 1 in self.texts:
            if self._prints_hash(phase, told - 1):
                yield from self._printed(path, phase, told - 1)
            else:
                self.notes.append(
                    f"{called}: no issue printed its hash, as none did before when a deal was begun again"
                )
        elif phase["phase"] == "setup":
            self.notes.append(
                f"{called}: its hash stood in the invitations, which are no part of an archive: yours has to print "
                f"{phase['commitment']}, and since invitations name the dice, {self.dice_name!r} "
                f"(gm verify ARCHIVE --bell YOUR-INVITATION compares)"
            )
        elif told - 1 in self.texts:
            yield from self._printed(path, phase, told - 1)
        elif phase["ordinal"] != 0:
            yield path, "commitment", "the Bell that opened this Phase is missing"
        else:
            self.notes.append(f"{called}: it began with the campaign, no Bell before it could print its hash")

    def _prints_hash(self, phase: PhaseRecord, number: int) -> bool:
        """Whether the issue that opens this Phase has to print its hash: of the first deal the invitations did, and
        issues of before did not of one that was begun again."""
        return phase["phase"] != "setup" or (phase["incarnation"] > 0 and self.named(number))

    def _never_told(self, path: str, phase: PhaseRecord) -> Iterator[Problem]:
        """A Phase that was void before any Bell reported it: a Bell opened it, or nobody ordered anything in it."""
        orders = [sealed["text"] for sealed in phase["orders"].values()]
        if phase["phase"] == "setup":
            if any(orders):
                yield path, "void", "has orders for the deal"
            bound = phase["incarnation"] and orders and all(map(self.named, self.texts))
            if bound and not any(self.opens(number, phase) for number in self.texts):
                yield path, "commitment", "the hash of its secret stood in no Bell"
        elif phase["opened_at"] is not None:
            if not any(self.opens(number, phase) for number in self.texts):
                yield path, "commitment", "the hash of its secret stood in no Bell"
        elif orders or phase["orders_digest"] is not None or phase["outcome"] is not None:
            yield path, "void", "has orders or results, but was never opened"

    def reports(self, phase: PhaseRecord) -> int | None:
        """The issue that prints the secret of a Phase as that of the one it reports: players may quote old ones."""
        return next((n for n in self.texts if phase["secret"] and self._says(n, "secret", phase["secret"])), None)

    def opens(self, number: int, phase: PhaseRecord) -> bool:
        """Whether an issue prints the hash of this Phase as that of the one that follows."""
        return self._says(number, "next_commitment", phase["commitment"])

    def _says(self, number: int, what: str, value: str) -> bool:
        """By the proof in its JSON too, where that is sealed: in the text it might be in somebody's own words."""
        proof = proof_of(self.documents[number]) if number not in self.by_text else {}
        return value in self.texts[number] and proof.get(what, value) == value

    def opening(self, phase: PhaseRecord) -> int | None:
        """The issue that opened a Phase; None where there is none."""
        if phase["phase"] == "setup":
            return None
        told = self.reports(phase)
        if told is not None:
            return told - 1 if told - 1 in self.texts else None
        return next((number for number in self.texts if self.opens(number, phase)), None)

    def said_of_beacon(self, number: int, key: str) -> str:
        """What an issue says of the beacon with this key: by the proof in its JSON, where that is sealed and has it; in
        the text it might be in somebody's press."""
        lines = proof_of(self.documents[number]).get("beacon") if number not in self.by_text else None
        if lines is not None:
            return " ".join(line["text"] for line in lines if line["value"] == key)
        before, found, _ = " ".join(self.texts[number].split()).rpartition(key)
        return before if found else ""

    def _printed(self, path: str, phase: PhaseRecord, number: int) -> Iterator[Problem]:
        if not self.opens(number, phase):
            yield path, "commitment", f"the hash of its secret did not stand in the Bell that opened it, #{number}"


def name_of(phase: PhaseRecord) -> str:
    """A Phase in a line of the report."""
    again = f", begun for the {phase['incarnation'] + 1}. time" if phase["incarnation"] else ""
    return f"turn {phase['turn']}, {phase['phase']}{again}"


def path_of(number: int) -> str:
    return f"bells/{number:03d}.txt"


def proof_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The proof in the JSON of an issue, also of one of bare facts; empty where it has none."""
    found: Mapping[str, Any] = document.get("bell", document).get("proof", {})
    return found


def squeezed(text: str) -> str:
    """Letters and figures only: lines are broken where it suits the page."""
    return re.sub(r"\W+", "", text)
