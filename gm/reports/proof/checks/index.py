"""Rebuild the index of an archive from its issues and Phases, and compare: no line of it is taken on trust.

Of issues made before they sealed their subject, that alone is not compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gm.reports.proof.checks.bells import INDEX, BellsCheck, PhaseRecord, Problem, proof_of, squeezed


def index_problems(bells: BellsCheck) -> Iterator[Problem]:
    """Every line of the index that is not what its issue and its Phase say."""
    yield from IndexCheck(bells).problems()


KINDS = {"setup": "deal", "pregame": "trades"}  # of issues that report a Phase


class IndexCheck:
    """The lines of the index against what they stand for."""

    def __init__(self, bells: BellsCheck) -> None:
        self.bells = bells
        self.told = {number: phase for _, phase in bells.phases if (number := bells.reports(phase)) is not None}

    def problems(self) -> Iterator[Problem]:
        lines = {line["number"]: line for line in json.loads(self.bells.files[INDEX])["bells"]}
        last, seen = -1, set(self.bells.texts)
        if set(lines) != seen:
            return  # which is named elsewhere
        for number in self.bells.texts:
            phase = self._of(number, last)
            if phase is None:
                yield INDEX, "index", f"issue #{number} speaks of no Phase of the archive"
                continue
            last = max(last, phase["ordinal"])
            known = self._line(number, phase)
            line = lines[number] if "subject" in known else {"void": False, **lines[number]}  # as they were before
            wrong = [name for name, value in known.items() if line.get(name) != value]
            if any(line["published_at"] != at for at in self._times(number, phase)):
                wrong.append("published_at")
            if wrong:
                yield INDEX, "index", f"issue #{number}: {', '.join(wrong)} not as issue and Phase say"
            if not self._says_why(number, phase):
                yield INDEX, "index", f"issue #{number} does not print why its Phase was begun again"

    def _of(self, number: int, last: int) -> PhaseRecord | None:
        """The Phase that an issue reports; else the one that it opens, or announces without a hash."""
        if number in self.told:
            return self.told[number]
        opened = self._opened(number)
        if opened is not None:
            return opened
        stands = self.bells.documents[number].get("position", {})
        after = (phase for _, phase in self.bells.phases if phase["ordinal"] > last and _came(phase))
        return next((phase for phase in after if phase["phase"] == stands.get("phase")), None)

    def _opened(self, number: int) -> PhaseRecord | None:
        """The Phase whose hash an issue prints as that of the next; the one that it reports was printed before."""
        if proof_of(self.bells.documents[number]).get("next_commitment") == "":
            return None
        return next((phase for _, phase in reversed(self.bells.phases) if self.bells.opens(number, phase)), None)

    def _line(self, number: int, phase: PhaseRecord) -> dict[str, Any]:
        """What is known of an issue from elsewhere."""
        opened, document = self._opened(number), self.bells.documents[number]
        known: dict[str, Any] = {
            **{name: phase[name] for name in ("turn", "phase", "incarnation")},
            "kind": self._kind(number, phase),
            "void": phase["state"] == "void",
            "commitments": [opened["commitment"]] if opened is not None else [],
        }
        sealed: Mapping[str, Any] = document.get("sealed", {})
        if "bell" in document:
            known["headline"] = document["bell"]["story"]["headline"]
        return known | {name: sealed[name] for name in ("subject", "headline") if name in sealed}

    def _times(self, number: int, phase: PhaseRecord) -> Iterator[str]:
        """When it came out: the end of the Phase that it reports, the beginning of the one that it opens."""
        opened = self._opened(number)
        ends = phase["published_at"] if number in self.told or phase["phase"] == "finished" else None
        begins = opened["opened_at"] if opened is not None else None
        yield from (at for at in (ends, begins) if at is not None)

    def _says_why(self, number: int, phase: PhaseRecord) -> bool:
        """An issue that announces a Phase begun again prints why; one that reports a Phase opens none begun again."""
        if number in self.told:
            opened = self._opened(number)
            return opened is None or opened["erratum"] is None
        return squeezed(phase["erratum"] or "") in squeezed(self.bells.texts[number])

    def _kind(self, number: int, phase: PhaseRecord) -> str:
        if number in self.told:
            return KINDS.get(phase["phase"], "phase")
        return "final" if phase["phase"] == "finished" else "erratum" if phase["erratum"] else "start"


def _came(phase: PhaseRecord) -> bool:
    """Whether an issue announced a Phase of which none prints a hash: the end, or a deal that was begun again. Some are
    void before it comes; the first deal stood in the invitations alone."""
    announced = phase["phase"] == "finished" or phase["erratum"] is not None
    begun = phase["published_at"] is not None or bool(phase["orders"]) or phase["state"] == "open"
    return announced and begun
