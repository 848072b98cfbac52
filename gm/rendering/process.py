"""Rendering the Bell in a separate process, so that this one keeps answering while a map is drawn."""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from threading import Lock
from typing import Any

import structlog

from gm.adjudicator.outcome_json import outcome_from_json, outcome_to_json
from gm.campaign.ports import BellDocument, Copy
from gm.processes import end_with_parent, keep_what_is_loaded
from gm.rendering.newsroom import Newsroom
from gm.reports.issue import Issue, Reader
from gm.reports.map.model import MapView
from gm.reports.render.map_picture import map_png

log = structlog.get_logger(__name__)


class RendererProcess:
    """A Newsroom whose Bells are composed in another process; the copies, which are cheap, are made in this one."""

    def __init__(self) -> None:
        self._here = Newsroom()
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock()

    def compose(self, issue: Issue) -> BellDocument:
        try:
            # Pieces are told apart by identity: the other process makes the outcome anew from its own board.
            bare = replace(issue, outcome=None)  # type: ignore[arg-type]
            return self._opened().submit(_compose, bare, outcome_to_json(issue.outcome)).result()
        except BrokenProcessPool:  # killed, or out of memory: the next Bell gets a new one, this one is made here
            log.warning("press_lost")
            self.close()
            return self._here.compose(issue)

    def warm_up(self) -> None:
        """Start the process and draw the empty sheet (seconds), so that the first Bell at a deadline need not wait."""
        self._opened().submit(_draw_empty_map)

    def personal(self, issue: Issue, document: BellDocument, reader: Reader) -> Copy:
        return self._here.personal(issue, document, reader)

    def _opened(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                # Spawned: a fork of a process with threads may hold a lock that nobody releases.
                self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), end_with_parent)
            return self._pool

    def close(self) -> None:
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def _draw_empty_map() -> None:
    map_png(MapView("", ""))
    keep_what_is_loaded()


def _compose(issue: Issue, outcome: Mapping[str, Any]) -> BellDocument:
    return Newsroom().compose(replace(issue, outcome=outcome_from_json(issue.board, outcome)))
