"""How the sheets of an archive came: what is said of each fits the sheet, and what nobody sent follows from before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gm.adjudicator.versions import reading_of
from gm.board.model import Board
from gm.orders.kinds import Resign, Sheet
from gm.orders.parser import parse
from gm.orders.standing import carry, is_standing
from gm.position import Player, from_json
from gm.reports.proof.checks.bells import BellsCheck, PhaseRecord, Problem, name_of
from gm.reports.proof.fairness import RESIGNATION, played_text
from gm.standin.record import KNOWN
from gm.standin.strategy import Style


class SheetsCheck:
    """The sources of all sheets; `notes` says of which the receipt that their player has is not on record."""

    def __init__(self, board: Board, bells: BellsCheck) -> None:
        self.board = board
        self.bells = bells
        self.notes: list[str] = []

    def problems(self) -> Iterator[Problem]:
        for path, phase, before in _with_before(self.bells.phases):
            if phase["outcome"] is None:
                continue
            players = from_json(self.board, phase["position"]).players
            for seat, sealed in sorted(phase["orders"].items()):
                if not self._fits(phase, sealed, players):
                    source = sealed["source"]
                    yield path, "source", f"the orders of {seat} cannot have come as the record says: {source}"
                elif not self._follows(phase, before, seat, sealed, players):
                    yield path, "source", f"the orders of {seat} are not those that stood from the Phase before"
                elif sealed["source"] in ("removed", "submitted") and sealed["version"] == 0:
                    yield from self._left(path, phase, seat, sealed["text"])

    def _fits(self, phase: PhaseRecord, sealed: Mapping[str, Any], players: Sequence[Player]) -> bool:
        """Whatever is said of a sheet's source fits its version, which its seal binds, and what it orders."""
        source, version, text = sealed["source"], sealed["version"], sealed["text"]
        whole = played_text(text, sealed.get("counted"))
        orders = parse(self.board, whole, players, sealed=True).sheet.orders
        resigns = any(isinstance(order, Resign) for order in orders)
        match source:
            case "submitted":
                return bool(version > 0 or resigns)
            case "removed":
                return resigns
            case "standing":
                return bool(version == 0 and text and all(map(is_standing, orders)))
            case "none" | "deal":
                return version == 0 and not whole and (source == "none" or phase["phase"] == "setup")
            case "standin":
                known = sealed["standin"] in KNOWN and sealed["style"] in set(Style)
                return version == 0 and known and not resigns
        return False

    def _follows(
        self,
        phase: PhaseRecord,
        before: PhaseRecord | None,
        seat: Player,
        sealed: Mapping[str, Any],
        players: Sequence[Player],
    ) -> bool:
        """Of whom nothing came, what was STANDING in the sheet before counts, and nothing else."""
        if sealed["source"] not in ("standing", "none") or phase.get("reading") != reading_of(phase["position"]):
            return True  # an older version may have printed them otherwise
        text = before["orders"].get(seat, {}).get("text") if before is not None else None
        stood = parse(self.board, text, players, sealed=True).sheet if text else Sheet()
        return bool(Sheet(carry(stood, Sheet()).orders).printed() == sealed["text"])

    def _left(self, path: str, phase: PhaseRecord, seat: Player, text: str) -> Iterator[Problem]:
        """Of a seat that was left with orders on file: before they kept their receipt, nothing bound them."""
        if text == RESIGNATION:
            return
        told = self.bells.reports(phase)
        if told is not None and self.bells.named(told):
            yield path, "source", f"the orders of {seat}, who left, do not have the receipt that was given for them"
        else:
            self.notes.append(
                f"{name_of(phase)}: the orders of {seat}, who left, were sealed anew as was done before: a receipt for "
                f"what was on file is of its text without RESIGN"
            )


def _with_before(
    phases: Sequence[tuple[str, PhaseRecord]],
) -> Iterator[tuple[str, PhaseRecord, PhaseRecord | None]]:
    """Each Phase with the one that had led to it: one that is begun again goes back behind what it makes void."""
    lived: list[PhaseRecord] = []
    for path, phase in phases:
        same = [place for place, other in enumerate(lived) if _key(other) == _key(phase)]
        if phase["erratum"] is not None and same:
            del lived[same[0] :]
        yield path, phase, lived[-1] if lived else None
        lived.append(phase)


def _key(phase: PhaseRecord) -> tuple[int, str]:
    return phase["turn"], phase["phase"]
