"""How many connections are open: in all, so that files are left for the database, and of one address."""

from __future__ import annotations

import resource
from collections import Counter
from ipaddress import ip_address, ip_network

from gm.campaign.access.networks import network
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


class Crowd:
    """The open connections of one server. Those of our own proxy are counted in all alone: its callers share them."""

    def __init__(self, settings: Settings, files: int) -> None:
        self.most = min(MOST, max(files - OTHER_FILES, files // 2))
        proxies = settings.trusted_proxies if settings.behind_proxy else ""
        self._proxies = [name.strip() for name in proxies.split(",") if name.strip()]
        self._inside = 0
        self._of_one: Counter[str] = Counter()

    def enter(self, host: str) -> str | None:
        """What to `leave` by; None if there is no room."""
        name = "" if not host or self._is_proxy(host) else network(host)
        if self._inside >= self.most or (name and self._of_one[name] >= MOST_OF_ONE):
            return None
        self._inside += 1
        self._of_one[name] += 1
        return name

    def leave(self, name: str) -> None:
        self._inside -= 1
        self._of_one[name] -= 1
        if self._of_one[name] <= 0:
            del self._of_one[name]

    def _is_proxy(self, host: str) -> bool:
        """As uvicorn reads the same list: addresses and networks, or `*`."""
        return host in self._proxies or "*" in self._proxies or any(_within(host, name) for name in self._proxies)


def _within(host: str, name: str) -> bool:
    try:
        return ip_address(host) in ip_network(name)
    except ValueError:
        return False
