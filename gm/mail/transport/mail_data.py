"""The bytes of one mail as a connection brings them. What they cost is in proportion to their number, however its lines
are broken; and all connections together hold no more than a few large mails."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

LONGEST_LINE = 1001  # with its end, and with a dot before a dot (RFC 5321, 4.5.3.1.6)
SMALL = 128 * 1024  # bytes of a mail that any connection may hold
LARGE_AT_ONCE, LARGE_OF_ONE = 6, 2  # larger mails in all, and to one secret address, or to none
LARGE_SECONDS = 20.0  # that a large mail waits for its turn
_LINE_END, _END = b"\r\n", b"\r\n.\r\n"


class Refused(Exception):
    """A mail that is not taken to its end; with the answer."""


class MailData:
    """One mail until its end, which is an end of line, a dot and an end of line, and nothing that looks like them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.has_ended = False
        self._held = bytearray(_LINE_END)  # as if a line had ended before: the first may be the dot
        self._looked = 0  # to where no end was found
        self._line = len(_LINE_END)  # where the first line begins that may still be too long

    def __len__(self) -> int:
        return len(self._held)

    def add(self, more: bytes) -> bytes | None:
        """None until the mail has ended; then what came after it. Raises Refused."""
        held = self._held
        held += more
        end = held.find(_END, self._looked)
        self.has_ended = end >= 0
        until = end + len(_LINE_END) if self.has_ended else len(held)
        self._measure(until)
        if until - len(_LINE_END) - (0 if self.has_ended else len(b".\r")) > self._most:
            raise Refused("552 5.3.4 Too much mail data")
        self._looked = max(0, len(held) - len(_END) + 1)
        if not self.has_ended:
            return None
        rest = bytes(memoryview(held)[end + len(_END) :])
        del held[until:]
        return rest

    def _measure(self, until: int) -> None:
        """In steps of as many lines as are allowed to be one."""
        while until - self._line >= LONGEST_LINE:
            found = self._held.rfind(_LINE_END, self._line, self._line + LONGEST_LINE)
            if found < 0:
                raise Refused("500 5.5.2 Line too long")
            self._line = found + len(_LINE_END)

    def forget(self, more: bytes) -> None:
        """Of a mail that was refused, only its end matters."""
        self._held = self._held[-len(_END) :] + more
        self.has_ended = _END in self._held

    def content(self) -> bytes:
        """The mail that has ended, without the dots that were put before dots. It is held here no longer."""
        plain = self._held.replace(_LINE_END + b".", _LINE_END)
        self._held.clear()
        return bytes(memoryview(plain)[len(_LINE_END) :])


class LargeMails:
    """Large mails take turns, so that their number bounds the memory of the process."""

    def __init__(self) -> None:
        self._inside: Counter[str] = Counter()

    async def enter(self, secret: str) -> None:
        """`secret`: of the address that it goes to, or "". Raises Refused after a while."""
        end = time.monotonic() + LARGE_SECONDS
        while self._inside.total() >= LARGE_AT_ONCE or self._inside[secret] >= LARGE_OF_ONE:
            if time.monotonic() > end:
                raise Refused("452 4.3.1 Too many large mails just now: please try again later")
            await asyncio.sleep(0.1)
        self._inside[secret] += 1

    def leave(self, secret: str) -> None:
        self._inside[secret] -= 1
        if not self._inside[secret]:
            del self._inside[secret]
