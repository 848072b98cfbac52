"""The clock of a rehearsal: real time plus an offset that the director sets in a file that all processes read."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path


class PushedClock:
    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.exists():
            path.write_text("0")

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(self._path.read_text()))

    def push_to(self, moment: datetime) -> None:
        """Advance the clock to that time; it never goes back."""
        ahead = (moment - datetime.now(UTC)).total_seconds()
        if moment > self.now():
            fresh = self._path.with_suffix(".new")
            fresh.write_text(repr(ahead))
            os.replace(fresh, self._path)  # nobody ever reads half of it
