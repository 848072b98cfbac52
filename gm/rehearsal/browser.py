"""A player's browser in a rehearsal: cookies and forms."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

_CSRF = re.compile(r'name="csrf" (?:content|value)="([0-9a-f]+)"')
_SEAL = re.compile(r'<span class="hash">([0-9a-f]{64})</span>')


class Browser:
    def __init__(self, base_url: str, address: str) -> None:
        self._base = base_url
        self._address = address  # so that the service takes every player for another
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._csrf = ""

    def get(self, path: str) -> str:
        return self._open(path, None)

    def post(self, path: str, **fields: str) -> str:
        if not self._csrf:
            found = _CSRF.search(self.get("/in"))
            assert found is not None, "the page to sign in has no form"
            self._csrf = found[1]
        return self._open(path, urllib.parse.urlencode({"csrf": self._csrf, **fields}).encode())

    def sign_in(self, token: str) -> None:
        self.post("/in", token=token)
        self._csrf = ""  # the session was renewed

    def order(self, campaign: str, text: str, ready: bool) -> str | None:
        """The seal of the orders if they were taken."""
        page = self.post(f"/c/{campaign}/orders", orders=text, **({"ready": "true"} if ready else {}))
        found = _SEAL.search(page)
        return found[1] if found and 'data-status="taken"' in page else None

    def _open(self, path: str, data: bytes | None) -> str:
        headers = {"X-Forwarded-For": self._address}
        request = urllib.request.Request(self._base + path, data=data, headers=headers)
        for wait in (0.2, 1, 3, 10, 0):
            try:
                with self._opener.open(request, timeout=60) as answer:
                    return str(answer.read().decode())
            except urllib.error.HTTPError as error:
                if error.code != 429 or not wait:
                    raise
                time.sleep(wait)
        raise AssertionError("unreachable")
