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

from gm.reports.proof.fairness import START_OF_CHAIN, chain_of, chain_of_text

PhaseRecord = Mapping[str, Any]
Problem = tuple[str, str, str]  # the file, the check, and what about it
INDEX = "bells/index.json"
TEXT = re.compile(r"bells/(\d{3,})\.txt")


@dataclass(slots=True)
class BellsCheck:
    """The Bells of an archive; `notes` says what is in order but worth knowing."""

    files: Mapping[str, bytes]
    phases: Sequence[tuple[str, PhaseRecord]]
    notes: list[str] = field(default_factory=list)
    texts: dict[int, str] = field(init=False)

    def __post_init__(self) -> None:
        numbered = {int(found[1]): path for path in self.files if (found := TEXT.fullmatch(path))}
        self.texts = {number: self.files[path].decode(errors="replace") for number, path in sorted(numbered.items())}

    def problems(self, sealed: str) -> Iterator[Problem]:
        """`sealed`: the seal over all Bells that the manifest gives."""
        yield from self._gaps()
        yield from self._seals(sealed)
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
        chain, by_text = START_OF_CHAIN, 0
        for line in lines:
            number = line["number"]
            text = self.texts[number]
            if chain != START_OF_CHAIN and chain not in text:
                yield path_of(number), "chain", "does not carry the seal of the issues before it"
            alone = chain_of_text(chain, number, text)
            chain = self._chain(chain, number)
            if line["chain"] == alone:  # as it was before; the next issue prints which of the two it is
                chain, by_text = alone, by_text + 1
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
        if by_text:
            self.notes.append(f"{by_text} issues are sealed by their text alone, as all were at first")

    def _chain(self, before: str, number: int) -> str:
        stem = f"bells/{number:03d}"
        html = self.files.get(f"{stem}-mail.html", self.files.get(f"{stem}.html", b""))
        return chain_of(before, number, self.texts[number], html.decode(errors="replace"), self.files[f"{stem}.json"])

    def _of_phase(self, path: str, phase: PhaseRecord) -> Iterator[Problem]:
        """The hash stood in the Bell that opened the Phase, the secret in the next one."""
        called = name_of(phase)
        if phase["secret"] is None:
            if phase["phase"] != "setup" and phase["position"] is not None and self.texts:
                newest = max(self.texts)
                yield from self._printed(path, phase, newest)
            return
        told = self.reports(phase)
        if told is None:
            if phase["state"] != "void":
                yield path, "bell", "no Bell prints the secret of this Phase"
            return
        if phase["phase"] == "setup":
            self.notes.append(f"{called}: its hash stood in the invitations, which are no part of an archive")
        elif told - 1 in self.texts:
            yield from self._printed(path, phase, told - 1)
        elif phase["ordinal"] != 0:
            yield path, "commitment", "the Bell that opened this Phase is missing"
        else:
            self.notes.append(f"{called}: it began with the campaign, no Bell before it could print its hash")

    def reports(self, phase: PhaseRecord) -> int | None:
        """The issue that prints the secret of a Phase."""
        secret = phase["secret"]
        return next((number for number, text in self.texts.items() if secret and secret in text), None)

    def opening_text(self, phase: PhaseRecord) -> str:
        """The issue that opened a Phase that is over; empty where there is none."""
        told = self.reports(phase)
        return self.texts.get(told - 1, "") if told is not None and phase["phase"] != "setup" else ""

    def _printed(self, path: str, phase: PhaseRecord, number: int) -> Iterator[Problem]:
        if phase["commitment"] not in self.texts[number]:
            yield path, "commitment", f"the hash of its secret did not stand in the Bell that opened it, #{number}"


def name_of(phase: PhaseRecord) -> str:
    """A Phase in a line of the report."""
    again = f", begun for the {phase['incarnation'] + 1}. time" if phase["incarnation"] else ""
    return f"turn {phase['turn']}, {phase['phase']}{again}"


def path_of(number: int) -> str:
    return f"bells/{number:03d}.txt"
