"""Asking a public randomness beacon over HTTP, in the form of drand: `/info`, and `/public/ROUND`."""

from __future__ import annotations

import json
from threading import Thread
from typing import Any
from urllib import request as web
from urllib.error import URLError

from gm.errors import Invalid, NotNow
from gm.reports.proof.beacon import DRAND, SCHEME, BeaconChain, BeaconRound, chain_from, is_genuine

TIMEOUT = 10
LONGEST = 20  # seconds for all of an answer, however slowly it comes
MAX_ANSWER_BYTES = 20_000  # bytes of an answer


def _opener() -> web.OpenerDirector:
    """It opens web addresses and nothing else: the address of a campaign that was taken over is somebody else's."""
    opener = web.OpenerDirector()
    for handler in (
        *(web.ProxyHandler, web.UnknownHandler, web.HTTPHandler, web.HTTPSHandler),
        *(web.HTTPDefaultErrorHandler, web.HTTPRedirectHandler, web.HTTPErrorProcessor),
    ):
        opener.add_handler(handler())
    return opener


class HttpBeacon:
    """The beacon of this installation: drand, or whatever answers in its form under the address that is set."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")

    def chain(self) -> BeaconChain:
        """The beacon's key and times; those of drand are known, another one is asked."""
        if self.address == DRAND.address:
            return DRAND
        try:
            told = self._get(self.address, "info")
            return chain_from({"address": self.address, "scheme": told["schemeID"], **told})
        except (OSError, ValueError, KeyError, TypeError) as error:
            hint = f"it must answer /info and /public/ROUND as drand does, with the scheme {SCHEME}"
            raise Invalid("beacon", f"{self.address} is no beacon that can be used: {error}", hint) from None

    def value(self, chain: BeaconChain, round: int) -> BeaconRound:
        """One round, its signature checked. Raises NotNow where it cannot be had."""
        try:
            told = self._get(chain.address, f"public/{round}")
            value = BeaconRound(int(told["round"]), str(told["randomness"]), str(told["signature"]))
        except (URLError, OSError, ValueError, KeyError, TypeError) as error:
            raise NotNow(
                "beacon", f"round {round} of {chain.name} cannot be had: {error}", "it is asked again"
            ) from None
        if value.round != round or not is_genuine(chain, value):
            raise NotNow("beacon", f"round {round} of {chain.name} came without its signature", "it is asked again")
        return value

    def _get(self, address: str, path: str) -> dict[str, Any]:
        data = json.loads(_in_time(f"{address}/{path}"))
        if not isinstance(data, dict):
            raise ValueError("it did not answer with an object")
        return data


def _in_time(address: str) -> bytes:
    """What an address answers. Raises TimeoutError for one that never comes to an end."""
    asked = web.Request(address, headers={"Accept": "application/json", "User-Agent": "kolokol"})
    found: list[bytes | Exception] = []

    def ask() -> None:
        try:
            with _opener().open(asked, timeout=TIMEOUT) as answer:
                found.append(answer.read(MAX_ANSWER_BYTES))
        except Exception as error:
            found.append(error)

    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(LONGEST)
    if not found:
        raise TimeoutError(f"no answer within {LONGEST} seconds")
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]
