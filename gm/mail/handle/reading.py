"""Reading a mail step by step, as far as its sender is known, where a costly one can do no harm."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from gm.mail.identify.recognise import is_our_bounce
from gm.mail.parse import headers
from gm.mail.parse.message import Envelope, Incoming, read, read_head
from gm.processes import Run


@dataclass
class MailReading:
    """A mail that is read when it is asked for: first its head, and the sender's words only if those may matter."""

    run: Run
    raw: bytes
    envelope: Envelope
    secret_key: bytes
    head_alone: bool = False  # not even to see whether it is a mail of ours that came back the rest is looked into

    @cached_property
    def head(self) -> Incoming:
        raw = headers.head_of(self.raw) if self.head_alone else self.raw
        return self.run(read_head, raw, self.envelope, partial(is_our_bounce, self.secret_key))

    def whole(self) -> Incoming:
        return self._whole

    @cached_property
    def _whole(self) -> Incoming:
        return self.run(read, self.raw, self.envelope, partial(is_our_bounce, self.secret_key))
