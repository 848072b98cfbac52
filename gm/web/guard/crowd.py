"""Who may be connected: in all so many that files are left for the database, and where there is no place, whoever has
most of them makes room."""

from __future__ import annotations

import resource
from ipaddress import ip_address, ip_network
from typing import Protocol

from gm.campaign.access.networks import neighbourhood, network
from gm.config import Settings

MOST = 1_000  # connections in all
MOST_OF_ONE = 60  # of one address; a browser opens six
MOST_FILES = 65_536  # that this process asks for
OTHER_FILES = 200  # for the database, the mail, logs and pipes


def more_files() -> int:
    """Raise the number of files that this process may open to what the system allows; gives it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


class Visitor(Protocol):
    """A connection."""

    @property
    def is_busy(self) -> bool:
        """With a whole request, that is being answered."""

    def dismiss(self) -> None: ...


class Crowd:
    """The open connections of one server. Those of our own proxy are counted in all alone: its callers share them, and
    it makes room for nobody."""

    def __init__(self, settings: Settings, files: int) -> None:
        self.most = min(MOST, max(files - OTHER_FILES, files // 2))
        proxies = settings.trusted_proxies if settings.behind_proxy else ""
        self._proxies = [name.strip() for name in proxies.split(",") if name.strip()]
        self._callers: dict[Visitor, str | None] = {}  # None: our proxy
        self._near: dict[
            str, dict[str, dict[Visitor, None]]
        ] = {}  # neighbourhood -> caller -> connections, oldest first

    def enter(self, host: str, visitor: Visitor) -> bool:
        caller = None if not host or self._is_proxy(host) else network(host)
        own = self._of(caller) if caller is not None else {}
        if len(own) >= MOST_OF_ONE:
            self._dismiss(own)
        elif len(self._callers) >= self.most:
            if not self._near:
                return False
            self._dismiss(self._most())
        self._callers[visitor] = caller
        if caller is not None:
            self._near.setdefault(neighbourhood(caller), {}).setdefault(caller, {})[visitor] = None
        return True

    def leave(self, visitor: Visitor) -> None:
        caller = self._callers.pop(visitor, None)
        if caller is None:
            return
        near = neighbourhood(caller)
        del self._near[near][caller][visitor]
        if not self._near[near][caller]:
            del self._near[near][caller]
        if not self._near[near]:
            del self._near[near]

    def _of(self, caller: str) -> dict[Visitor, None]:
        return self._near.get(neighbourhood(caller), {}).get(caller, {})

    def _most(self) -> dict[Visitor, None]:
        """The connections of the caller who has most, in the neighbourhood that has most."""
        near = max(self._near.values(), key=lambda callers: sum(map(len, callers.values())))
        return max(near.values(), key=len)

    def _dismiss(self, among: dict[Visitor, None]) -> None:
        """The oldest without a whole request, else the oldest."""
        leaving = next((visitor for visitor in among if not visitor.is_busy), next(iter(among)))
        self.leave(leaving)
        leaving.dismiss()

    def _is_proxy(self, host: str) -> bool:
        """As uvicorn reads the same list: addresses and networks, or `*`."""
        return host in self._proxies or "*" in self._proxies or any(_within(host, name) for name in self._proxies)


def _within(host: str, name: str) -> bool:
    try:
        return ip_address(host) in ip_network(name)
    except ValueError:
        return False
