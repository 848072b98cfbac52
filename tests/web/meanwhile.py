"""A store in which something happens at the worst moment: between two transactions of the same request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy.orm import Session

from gm.campaign.services import Services


class Meanwhile:
    """A store in which something happens just before the next transaction of a kind, once."""

    def __init__(self, services: Services, happens: Callable[[Services], object], before: str, skip: int = 0) -> None:
        self._services, self._happens, self._before, self._left = services, happens, before, skip
        self.armed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._services.store, name)

    def _now(self, kind: str) -> None:
        if self.armed and kind == self._before:
            if not self._left:
                self.armed = False
                self._happens(self._services)
            self._left -= 1

    @contextmanager
    def _begin(self, kind: str) -> Iterator[Session]:
        self._now(kind)
        with getattr(self._services.store, kind)() as session:
            yield session

    def read(self) -> AbstractContextManager[Session]:
        return self._begin("read")

    def write(self) -> AbstractContextManager[Session]:
        return self._begin("write")
