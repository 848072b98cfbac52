"""Check an archive against what its Bells announce: which Phase comes next, from which position, and which are void.

The record of a Phase that is open is bound by no digest, and neither is whether a Phase counts: both must be what the
issues say, which everybody got.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gm.adjudicator.corrections import conserved, corrections_of
from gm.adjudicator.engine.working_position import replay
from gm.adjudicator.outcome import Corrected
from gm.adjudicator.outcome_json import decode, outcome_from_json
from gm.board.model import Board
from gm.position import from_json
from gm.reports.proof.checks.bells import BellsCheck, PhaseRecord, Problem, name_of, path_of, proof_of, squeezed

UNSEALED = ("setup", "finished")  # of the end, and of a first deal, no issue prints a hash


class AnnouncedCheck:
    """The Phases of an archive against what its issues announce; `notes` says which are void and why."""

    def __init__(self, board: Board, bells: BellsCheck) -> None:
        self.board = board
        self.bells = bells
        self.notes: list[str] = []
        self.documents = bells.documents

    def problems(self) -> Iterator[Problem]:
        yield from self._left_out()
        yield from self._open()
        yield from self._corrections()
        yield from self._opened()
        for place, (path, phase) in enumerate(self.bells.phases):
            if phase["state"] == "void":
                yield from self._void(path, phase, [later for _, later in self.bells.phases[place + 1 :]])

    def _left_out(self) -> Iterator[Problem]:
        """Every Phase that an issue opens is in the archive, with the hash that the issue prints."""
        for number, document in self.documents.items():
            stands = document.get("position")
            if stands is None or (stands["phase"] in UNSEALED and not proof_of(document).get("next_commitment")):
                continue
            if not any(_is_of(phase, stands) and self.bells.opens(number, phase) for _, phase in self.bells.phases):
                called = f"turn {stands['turn']}, {stands['phase']}"
                yield path_of(number), "announced", f"opens {called}, and the archive has no such Phase with its hash"

    def _open(self) -> Iterator[Problem]:
        """The Phase that is open is the one that the newest issue opens, or one that the next issue has to explain."""
        path, phase = next(((path, phase) for path, phase in self.bells.phases if phase["state"] == "open"), ("", {}))
        newest = max(self.documents, default=0)
        stands = self.documents[newest].get("position") if newest else None
        if not phase or stands is None:
            return
        if phase["position"] is None and not self.bells.opens(newest, phase):
            if not (phase.get("erratum") or phase["phase"] in UNSEALED):
                yield path, "announced", f"is not the Phase that issue #{newest} opens"
        elif not _is_of(phase, stands):
            yield path, "announced", f"is not the Phase that issue #{newest} opens"
        elif phase["position"] is not None and not self._begins_with(phase, stands):
            yield path, "announced", f"does not begin with the position of issue #{newest}"

    def _opened(self) -> Iterator[Problem]:
        """A Phase that was void before any issue reported it began with the position of the issue that opened it."""
        for path, phase in self.bells.phases:
            if phase["state"] != "void" or self.bells.reports(phase) is not None:
                continue
            number = self.bells.opening(phase)
            stands = self.documents[number].get("position") if number is not None else None
            if stands is None or number in self.bells.by_text:
                continue
            # Archives of before do not have the corrections of such a Phase, with which it was announced again.
            unknown = phase["erratum"] and phase["outcome"] is None and "corrections" not in phase
            if not unknown and not self._begins_with(phase, stands):
                yield path, "announced", f"does not begin with the position of issue #{number}, which opened it"

    def _corrections(self) -> Iterator[Problem]:
        """Those that no issue prints yet lose and double nothing either."""
        for path, phase in self.bells.phases:
            stands = phase["position"]
            if stands is None or not phase.get("corrections"):
                continue
            position = from_json(self.board, stands)
            for event in phase["corrections"]:
                made = decode(self.board, event)
                after = replay(self.board, position, [made])
                if not isinstance(made, Corrected) or not conserved(position, after):
                    yield path, "correction", "loses or doubles a piece"
                position = after

    def _begins_with(self, phase: PhaseRecord, stands: Mapping[str, Any]) -> bool:
        """A Phase begun again is announced with the corrections that were made of it before."""
        if phase["position"] == stands:
            return True
        printed, position = from_json(self.board, stands), from_json(self.board, phase["position"])
        events = [decode(self.board, event) for event in phase.get("corrections", ())]
        if phase["outcome"]:
            events = list(corrections_of(outcome_from_json(self.board, phase["outcome"]))[0])
        for event in events:
            if position == printed:
                return True
            position = replay(self.board, position, [event])
        return position == printed

    def _void(self, path: str, phase: PhaseRecord, later: list[PhaseRecord]) -> Iterator[Problem]:
        """What an issue reported is void only if a later issue says so; what none reported may also just end."""
        told = self.bells.reports(phase)
        again = [other for other in later if other.get("erratum") and other["turn"] <= phase["turn"]]
        ended = told is None and any(other["phase"] == "finished" for other in later)
        if not again and not ended:
            yield path, "void", "is void, but no Phase after it was begun again"
            return
        reason = again[0]["erratum"] if again else "the campaign was ended"
        if told is not None:
            said = next((other for other in again if self._corrected(other, told)), None)
            if said is not None:
                reason = said["erratum"]
            elif self._to_come(again[-1]):
                reason = f"{again[-1]['erratum']} (no issue says so yet: the next one has to)"
            else:
                yield path, "void", f"is void, but no issue after #{told}, which reports it, prints an erratum"
                return
        self.notes.append(f"{name_of(phase)}: void: {reason}")

    def _corrected(self, again: PhaseRecord, told: int) -> bool:
        """Whether an issue after that one does nothing but begin this Phase again, and prints why."""
        why = squeezed(again["erratum"])
        return any(
            number > told
            and not proof_of(document).get("secret")
            and _is_of(again, document.get("position", again))
            and why in squeezed(self.bells.texts[number])
            for number, document in self.documents.items()
        )

    def _to_come(self, phase: PhaseRecord) -> bool:
        """Whether a Phase waits for the issue that opens it."""
        waits = phase["state"] == "open" and phase["position"] is None
        return waits and not any(self.bells.opens(number, phase) for number in self.bells.texts)


def _is_of(phase: PhaseRecord, stands: Mapping[str, Any]) -> bool:
    return (phase["turn"], phase["phase"]) == (stands["turn"], stands["phase"])
