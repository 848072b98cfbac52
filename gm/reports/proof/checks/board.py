"""The board of an archive: a pack of the campaign's own is the one whose digests the Bells printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.board.model import Board
from gm.reports.proof.checks.bells import BellsCheck, proof_of


@dataclass
class BoardCheck:
    board: Board
    bells: BellsCheck
    campaign: Mapping[str, Any]
    packed: bool  # the archive has a pack of its own
    notes: list[str] = field(default_factory=list)

    def problems(self) -> Iterator[tuple[str, str, str]]:
        if ("board" in self.campaign) != self.packed or self.campaign.get(
            "board", self.board.digest
        ) != self.board.digest:
            yield "campaign.json", "board", "names another board than the pack of the archive"
        if not self.packed:
            return
        began = None  # with which issue the digest of the names is printed
        for number, text in self.bells.texts.items():
            path = f"bells/{number:03d}.txt"
            if self.board.digest not in text:
                yield path, "board", "does not print the digest of the campaign's board"
            printed = proof_of(self.bells.documents[number]).get("names", "")
            if printed or began is not None:
                began = number if began is None else began
                if printed != self.board.names or self.board.names not in text:
                    yield path, "board", "does not print the digest of the names in the archive's pack"
        if began != min(self.bells.texts, default=began):
            until = "issues" if began is None else f"issues before #{began}"
            self.notes.append(
                f"the {until} print no digest of the names in the campaign's pack: that orders were read by those names"
                " hangs on the archive alone"
            )
