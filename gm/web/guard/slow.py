"""Connections that take too long are closed: heads that do not end, bodies that go on after the answer, answers that
nobody reads. There is room for so many, and whoever has most makes room for others."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from gm.web.guard.crowd import Crowd

ANSWERED = (h11.DONE, h11.MUST_CLOSE, h11.CLOSED, h11.ERROR)


class CrowdedConfig(uvicorn.Config):
    crowd: Crowd


class ImpatientProtocol(H11Protocol):
    """uvicorn's protocol with timeouts: its own waits without limit for the rest of a head, and for a reader."""

    head_seconds = 15.0
    reader_seconds = 30.0
    _waiting: asyncio.TimerHandle | None = None
    _looking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        assert isinstance(self.config, CrowdedConfig)
        if not self.config.crowd.enter(self.client[0] if self.client else "", self):
            transport.abort()
            return
        self._look(0)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        if self._looking is not None:
            self._looking.cancel()
        if isinstance(self.config, CrowdedConfig):
            self.config.crowd.leave(self)
        super().connection_lost(exc)

    @property
    def is_busy(self) -> bool:
        """Whether the whole of a request is here, and not yet all of its answer."""
        return self.conn.their_state is h11.DONE and self.conn.our_state not in ANSWERED

    def dismiss(self) -> None:
        """Somebody else needs the place."""
        self.transport.abort()

    def _watch(self) -> None:
        """Between requests uvicorn closes by itself; within one the application decides, until it has answered."""
        if not self._is_overdue():
            self._rest()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.head_seconds, self._give_up)

    def _is_overdue(self) -> bool:
        theirs = self.conn.their_state
        return theirs is h11.IDLE or (theirs is h11.SEND_BODY and self.conn.our_state in ANSWERED)

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if self._is_overdue() and not self.transport.is_closing():
            self.transport.close()

    def _look(self, before: int) -> None:
        """Whether what was written is read at all."""
        unread = self.transport.get_write_buffer_size()
        if unread and unread == before:
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(self.reader_seconds, self._look, unread)
