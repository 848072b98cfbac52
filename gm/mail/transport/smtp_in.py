"""The SMTP and LMTP listener, for an MX or a transport of Postfix. A mail is stored before it is acknowledged."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from gm.mail.identify.rate_limit import DEFAULT, Limits, RateCounter
from gm.mail.identify.recognise import tokens_of
from gm.mail.parse.message import Envelope as MailEnvelope

log = structlog.get_logger("mail")
Take = Callable[[bytes, MailEnvelope], None]  # stores the mail; an exception means: not stored
KnownToken = Callable[[str], bool]
FormerToken = Callable[[str, str], bool]  # (token, sender) -> whether the sender held the seat when it had that token
MAX_RECIPIENTS = 20
REMEMBER_SECONDS = 60.0
MOST, MOST_OF_ONE = 100, 40  # connections in all, and of one address; Postfix opens twenty
IDLE_SECONDS = 120.0  # without a command; the lines of one mail must come within it, too
LONGEST_SECONDS = 900.0  # that a connection stays, whatever it says


class SmtpHandler:
    """aiosmtpd's handler: decides at RCPT, stores at DATA."""

    def __init__(
        self,
        orders_address: str,
        others: tuple[str, ...],
        take: Take,
        known_token: KnownToken,
        limits: Limits = DEFAULT,
        executor: Executor | None = None,
        former: FormerToken = lambda token, sender: False,
    ) -> None:
        local, _, self._domain = orders_address.lower().partition("@")
        self._local = local
        self._others = {a.lower() for a in others} | {f"postmaster@{self._domain}"}
        self._take = take
        self._known_token = known_token
        self._former = former
        self._known: set[str] = set()
        self._known_since = time.monotonic()
        self._senders = RateCounter(60)
        self._limits = limits
        self._executor = executor

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, mail_options: list[str]
    ) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(mail_options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, rcpt_options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        low, sender = address.lower(), (envelope.mail_from or "<>").lower()
        quick = any(token in self._known for token, _ in tokens_of([low]))
        try:
            verdict = self._verdict(low, sender) if quick else await self._in_thread(self._verdict, low, sender)
        except Exception:  # the database is away: the address may be good, so the sender shall keep the mail
            return "451 4.3.0 Cannot look that up just now: please try again later"
        if verdict is None and self._too_often(low, sender):
            return "450 4.7.1 Too many mails from you in a minute: please send the rest later"
        if verdict is None:
            envelope.rcpt_tos.append(address)
            envelope.rcpt_options.extend(rcpt_options)
            return "250 OK"
        return str(verdict)

    def _too_often(self, address: str, sender: str) -> bool:
        """Counted by the secret in the address where there is one: a stranger who borrows its owner's name as sender
        uses up nothing of the owner's."""
        found = tokens_of([address])
        who = f"token {found[0][0]}" if found and found[0][0] in self._known else f"sender {sender}"
        return self._senders.add(who) > self._limits.accepted_a_minute

    def _verdict(self, address: str, sender: str) -> str | None:
        """None: we take it. Nobody learns more from a refusal than that there is no such address."""
        if address in self._others:
            return None
        local, _, domain = address.partition("@")
        if domain != self._domain or not re.match(rf"^{re.escape(self._local)}(?:\+|$)", local):
            return "550 5.1.1 No such address here"
        if "+" not in local:
            return None
        found = tokens_of([address])
        if found and (self._is_known(found[0][0]) or self._former(found[0][0], sender)):
            return None
        return "550 5.1.1 No such address here"

    def _is_known(self, token: str) -> bool:
        """Remembered for a minute. Only whether to let it in: whose it is, is asked again when it is read."""
        if time.monotonic() - self._known_since > REMEMBER_SECONDS or len(self._known) > 10_000:
            self._known.clear()
            self._known_since = time.monotonic()
        if token not in self._known and self._known_token(token):
            self._known.add(token)
        return token in self._known

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        raw = envelope.original_content or b""
        sender = (envelope.mail_from or "").strip("<>")
        mail_envelope = MailEnvelope(
            mail_from=sender, rcpt_to=tuple(envelope.rcpt_tos), source="lmtp", null_sender=not sender
        )
        try:
            await self._in_thread(self._take, raw, mail_envelope)
        except Exception:  # whatever it is: not stored, so not acknowledged; the sender keeps it and tries again
            return "451 4.3.0 Could not store it just now: please try again later"
        answers = getattr(server, "answers_for", 1)
        return "\r\n".join(["250 2.0.0 Stored"] * max(1, answers))

    async def _in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._executor, function, *args)


class Visitors:
    """The open connections of a listener: not so many that no files are left for the database and the web."""

    def __init__(self) -> None:
        self._of_one: Counter[str] = Counter()
        self._told_at = float("-inf")

    def enter(self, host: str) -> bool:
        if self._of_one.total() < MOST and self._of_one[host] < MOST_OF_ONE:
            self._of_one[host] += 1
            return True
        if time.monotonic() > self._told_at + 60:  # whoever knocks does so thousands of times
            self._told_at = time.monotonic()
            log.warning("too many connections to the listener", host=host, open=self._of_one.total())
        return False

    def leave(self, host: str) -> None:
        self._of_one[host] -= 1
        self._of_one += Counter()  # forget those of whom none is left


class BothSMTP(SMTP):
    """SMTP, and LMTP for a client that greets with LHLO: then there is one reply per recipient (RFC 2033)."""

    lmtp = False

    def __init__(self, *args: Any, visitors: Visitors, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._visitors = visitors
        self._host: str | None = None  # None: not let in
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        host = str((transport.get_extra_info("peername") or ("",))[0])
        if not self._visitors.enter(host):
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(b"421 4.7.0 Too many connections: please try again later\r\n")
            transport.close()
            return
        self._host = host
        self._end = self.loop.call_later(LONGEST_SECONDS, transport.close)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self._host is None:
            return
        self._visitors.leave(self._host)
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(error)

    def eof_received(self) -> bool | None:
        return super().eof_received() if self._host is not None else False

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:
        self.lmtp = True
        await super().smtp_EHLO(arg)

    @property
    def answers_for(self) -> int:
        envelope = self.envelope
        return len(envelope.rcpt_tos) if self.lmtp and envelope is not None else 1


class Listener(Controller):
    """Runs the SMTP listener in a thread of its own."""

    def __init__(self, handler: SmtpHandler, host: str, port: int, max_bytes: int, hostname: str = "localhost") -> None:
        super().__init__(handler, hostname=host, port=port)
        self._max_bytes = max_bytes
        self._visitors = Visitors()
        self._name = hostname

    def factory(self) -> SMTP:
        return BothSMTP(
            self.handler,
            data_size_limit=self._max_bytes,
            enable_SMTPUTF8=True,
            hostname=self._name,
            ident="Kolokol",
            decode_data=False,
            timeout=IDLE_SECONDS,
            visitors=self._visitors,
        )
