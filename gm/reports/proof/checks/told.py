"""Compare the record of a Phase with the Bell that reported it: whose orders, their seals, the dice, what it came to.

The Bells are what everybody got. Since the Bell prints a digest of the whole record, nothing in it can be changed
afterwards. Of issues of before, what they print is compared; `notes` says what they do not bind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gm.adjudicator.versions import DICE
from gm.reports.proof.checks.bells import BellsCheck, PhaseRecord, Problem, name_of, path_of, proof_of
from gm.reports.proof.fairness import record_digest, void_digest

# A line of the seals in the proof of an issue, and in one of bare facts.
_SEAL = re.compile(r"^  ([A-Z])   ([0-9a-f]{64})$|^([A-Z]) receipt ([0-9a-f]{64})$", re.M)


class ToldCheck:
    """The records of an archive against its Bells."""

    def __init__(self, bells: BellsCheck) -> None:
        self.bells = bells
        self.loose: list[str] = []  # Phases whose Bell does not bind the whole record
        self.unbound: list[str] = []  # Phases that were void before any issue reported them, and that none binds
        self.documents = bells.documents

    @property
    def notes(self) -> list[str]:
        void = [f"{name}: void before any issue reported it, and nothing binds its record" for name in self.unbound]
        if not self.loose:
            return void
        named = "; ".join(self.loose[:3]) + ("; ..." if len(self.loose) > 3 else "")
        return [
            *void,
            f"{len(self.loose)} Phases are not bound as a whole by their Bells, made before Bells printed the digest "
            f"of the record: seals, dice, position and versions are compared, times and the words of events are not "
            f"({named})",
        ]

    def problems(self) -> Iterator[Problem]:
        bound, reading, dice = False, 0, 0
        for path, phase in self.bells.phases:
            told = self.bells.reports(phase)
            if phase["outcome"] is None or told is None:
                continue
            proof = proof_of(self.documents[told])
            yield from self._printed(path, phase, told, proof)
            yield from self._results(path, phase, told, proof)
            yield from self._whole(path, phase, told, proof, bound)
            bound = bound or bool(proof.get("record"))
            if (phase.get("reading") or 1) < reading:
                yield path, "version", "was judged by an older reading than the Phase before it"
            reading = max(reading, phase.get("reading") or 1)
            if (phase.get("dice") or 1) < min(dice, DICE):  # those without a beacon may follow those with one
                yield path, "version", "has dice of an older version than the Phase before it"
            dice = max(dice, phase.get("dice") or 1)
        yield from self._left_out()
        yield from self._void()

    def _printed(self, path: str, phase: PhaseRecord, told: int, proof: Mapping[str, Any]) -> Iterator[Problem]:
        """Every sheet has its seal in the Bell, and every seal in the Bell its sheet."""
        printed = _seals(self.bells.texts[told])
        sealed = {player: orders["receipt"] for player, orders in phase["orders"].items()}
        for player in sorted(set(printed) | set(sealed)):
            if player not in sealed:
                yield path, "bell", f"has no orders of {player}, whose seal stands in issue #{told}"
            elif player not in printed:
                yield path, "bell", f"has orders of {player}, whose seal does not stand in issue #{told}"
            elif printed[player] != sealed[player]:
                yield path, "bell", f"the orders of {player} are not those whose seal stands in issue #{told}"
        digest = phase["orders_digest"]
        if proof.get("orders_digest", digest) != digest:
            yield path, "bell", f"the digest of its orders is not that of issue #{told}"

    def _results(self, path: str, phase: PhaseRecord, told: int, proof: Mapping[str, Any]) -> Iterator[Problem]:
        """Dice, the position it led to and the versions it was judged by are those of the Bell."""
        document, outcome = self.documents[told], phase["outcome"]
        if document.get("position", outcome["after"]["position"]) != outcome["after"]["position"]:
            yield path, "bell", f"does not lead to the position of issue #{told}"
        if _rolls(document.get("rolls", outcome["rolls"])) != _rolls(outcome["rolls"]):
            yield path, "bell", f"its dice are not those of issue #{told}"
        for version in ("reading", "dice") if proof else ():
            if (phase.get(version) or 1) != proof.get(version, 1):
                yield path, "bell", f"says another version of the {version} than issue #{told}"

    def _whole(
        self, path: str, phase: PhaseRecord, told: int, proof: Mapping[str, Any], bound: bool
    ) -> Iterator[Problem]:
        """The digest of the whole record stands in the Bell; once one issue printed it, all do."""
        printed = proof.get("record")
        if not printed:
            if bound:
                yield path_of(told), "bell", "prints no digest of its Phase's record, as an issue before it did"
            else:
                self.loose.append(name_of(phase))
        elif printed not in self.bells.texts[told]:
            yield path_of(told), "bell", "its text and its JSON print another digest of its Phase's record"
        elif printed != record_digest(phase):
            yield path, "bell", f"is not the record whose digest stands in issue #{told}"

    def _left_out(self) -> Iterator[Problem]:
        """Every secret that a Bell prints is that of a Phase of the archive, judged."""
        known = {phase["secret"] for _, phase in self.bells.phases if phase["outcome"] is not None}
        for number, document in self.documents.items():
            secret = proof_of(document).get("secret")
            if secret and secret not in known:
                yield path_of(number), "bell", "reports a Phase whose orders and results are not in the archive"

    def _void(self) -> Iterator[Problem]:
        """The issue that says that an unreported Phase is void binds its record; issues of before do not."""
        there = {void_digest(phase): phase for _, phase in self.bells.phases if phase["state"] == "void"}
        bound = set()
        for number, document in self.documents.items():
            lines = proof_of(document).get("void", ()) if number not in self.bells.by_text else ()
            for digest in [line["value"] for line in lines]:
                bound.add(digest)
                if digest not in self.bells.texts[number]:
                    yield path_of(number), "bell", "its text and its JSON print other records of void Phases"
                elif digest not in there:
                    yield path_of(number), "bell", "binds a void Phase whose record is not in the archive as it was"
        unreported = [(digest, phase) for digest, phase in there.items() if self.bells.reports(phase) is None]
        self.unbound = [name_of(phase) for digest, phase in unreported if digest not in bound]


def _rolls(rolls: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    return [(roll["occasion"], list(roll["dice"]), roll["drawn"]) for roll in rolls]


def _seals(text: str) -> dict[str, str]:
    """The seals that an issue prints, by player. They stand together: the last such lines are meant."""
    lines = text.splitlines()
    found: dict[str, str] = {}
    for line in reversed(lines):
        if match := _SEAL.fullmatch(line):
            found[match[1] or match[3]] = match[2] or match[4]
        elif found:
            break
    return found
