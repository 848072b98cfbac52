"""The SMTP and LMTP listener, for an MX or a transport of Postfix. A mail is stored before it is acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, AnyStr

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from gm.logs import LISTENER_FAILED
from gm.mail.identify.rate_limit import DEFAULT, Limits, RateCounter
from gm.mail.identify.recognise import tokens_of
from gm.mail.parse.message import Envelope as MailEnvelope
from gm.mail.transport.mail_data import SMALL, LargeMails, MailData, Refused
from gm.mail.transport.visitors import Visitors

log = structlog.get_logger("mail")
Take = Callable[[bytes, MailEnvelope], None]  # stores the mail; an exception means: not stored
KnownToken = Callable[[str], bool]
FormerToken = Callable[[str, str], bool]  # (token, sender) -> whether the sender held the seat when it had that token
MAX_RECIPIENTS = 20
REMEMBER_SECONDS = 60.0
IDLE_SECONDS = 120.0  # without a command; the lines of one mail must come within it, too
LONGEST_SECONDS = 900.0  # that a connection stays, whatever it says
MOST_ANSWERS = 300  # in a row that no mail comes between
DRAIN_SECONDS = 10.0  # that is listened to the rest of a refused mail, so that its sender can read why
READ = 1024 * 1024  # bytes; more than is ever read ahead
TOO_MANY = "421 4.7.0 Too many connections: please try again later"
TALKS_TOO_MUCH = "421 4.7.0 Too many commands without a mail: please try again later"


class OpenEnvelope(Envelope):
    """Of a mail that is on its way to us."""

    secret = ""  # of a player's address that it goes to


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
        self._of_a_day = RateCounter(86400)
        self._limits = limits
        self._executor = executor

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, mail_options: list[str]
    ) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(mail_options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: OpenEnvelope, address: str, rcpt_options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        low, sender = address.lower(), (envelope.mail_from or "<>").lower()
        quick = any(token in self._known for token, _ in tokens_of([low]))
        try:
            verdict = self._verdict(low, sender) if quick else await self._in_thread(self._verdict, low, sender)
        except Exception:  # the database is away: the address may be good, so the sender shall keep the mail
            return "451 4.3.0 Cannot look that up just now: please try again later"
        if verdict is not None:
            return str(verdict)
        secret = next((token for token, _ in tokens_of([low]) if token in self._known), None)
        if self._too_often(secret, sender):
            return "450 4.7.1 Too many mails from you just now: please send the rest later"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(rcpt_options)
        envelope.secret = secret or envelope.secret
        return "250 OK"

    def _too_often(self, secret: str | None, sender: str) -> bool:
        """Counted by the secret in the address where there is one: a stranger who borrows its owner's name as sender
        uses up nothing of the owner's."""
        if self._senders.add(f"token {secret}" if secret else f"sender {sender}") > self._limits.accepted_a_minute:
            return True
        return secret is not None and self._of_a_day.add(secret) > self._limits.accepted_a_day

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

    async def handle_DATA(self, server: SMTP, session: Session, envelope: OpenEnvelope) -> str:
        raw = envelope.original_content or b""
        sender = (envelope.mail_from or "").strip("<>")
        mail_envelope = MailEnvelope(
            mail_from=sender, rcpt_to=tuple(envelope.rcpt_tos), source="lmtp", null_sender=not sender
        )
        try:
            await self._in_thread(self._take, raw, mail_envelope)
        except Exception:  # whatever it is: not stored, so not acknowledged; the sender keeps it and tries again
            return "451 4.3.0 Could not store it just now: please try again later"
        if isinstance(server, BothSMTP):
            server.brought_mail(bool(envelope.secret))
        return "250 2.0.0 Stored"

    async def handle_exception(self, error: Exception) -> str:
        """Nobody learns what went wrong inside."""
        log.warning(LISTENER_FAILED, error=type(error).__name__)
        return "451 4.3.0 Could not do that just now: please try again later"

    async def _in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._executor, function, *args)


class BothSMTP(SMTP):
    """SMTP, and LMTP for a client that greets with LHLO: then there is one reply per recipient (RFC 2033)."""

    lmtp = False

    def __init__(self, *args: Any, visitors: Visitors, large: LargeMails, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._visitors = visitors
        self._large = large
        self._host: str | None = None  # None: not let in
        self._end: asyncio.TimerHandle | None = None
        self._way_out: asyncio.WriteTransport | None = None
        self._answers = 0  # since there was a mail

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        host = str((transport.get_extra_info("peername") or ("",))[0])
        assert isinstance(transport, asyncio.WriteTransport)
        self._way_out = transport
        if not self._visitors.enter(host, self):
            self.dismiss()
            return
        self._host = host
        self._end = self.loop.call_later(LONGEST_SECONDS, transport.close)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self._host is None:
            return
        self._visitors.leave(self)
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(error)

    @property
    def is_busy(self) -> bool:
        return isinstance(self.envelope, OpenEnvelope) and bool(self.envelope.secret)

    def brought_mail(self, a_players: bool) -> None:
        self._answers = 0
        if a_players:
            self._visitors.brought_mail(self)

    def dismiss(self, words: str = TOO_MANY) -> None:
        assert self._way_out is not None
        self._way_out.write(f"{words}\r\n".encode())
        self._way_out.close()

    def eof_received(self) -> bool | None:
        return super().eof_received() if self._host is not None else False

    def _create_envelope(self) -> OpenEnvelope:
        return OpenEnvelope()

    async def push(self, status: AnyStr) -> None:
        """After each answer the others have their turn: who sends a thousand commands at once waits among them."""
        self._answers += 1
        if self._answers > MOST_ANSWERS and self._handler_coroutine is not None:
            self.dismiss(TALKS_TOO_MUCH)
            self._handler_coroutine.cancel()
        else:
            await super().push(status)
        await asyncio.sleep(0)

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:
        self.lmtp = True
        await super().smtp_EHLO(arg)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        """Instead of aiosmtpd's own, which keeps an object for each line, and whatever comes without an end of line."""
        if await self.check_helo_needed():
            return
        envelope = self.envelope
        assert isinstance(envelope, OpenEnvelope)
        if not envelope.rcpt_tos:
            await self.push("503 Error: need RCPT command")
        elif arg:
            await self.push("501 Syntax: DATA")
        else:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            await self._receive(envelope)

    async def _receive(self, envelope: OpenEnvelope) -> None:
        assert self.data_size_limit
        data, is_large, refusal = MailData(self.data_size_limit), False, ""
        try:
            while (rest := data.add(await self._read())) is None:
                if len(data) > SMALL and not is_large:
                    await self._large.enter(envelope.secret)
                    is_large = True
            if rest:  # what its sender did not wait for our answer with
                self._reader.feed_data(rest)
            envelope.content = envelope.original_content = data.content()
            status = await self._call_handler_hook("DATA")
        except Refused as refused:
            refusal = str(refused)
        finally:
            if is_large:
                self._large.leave(envelope.secret)
        self._set_post_data_state()
        await (self._refuse(envelope, refusal, data) if refusal else self._answer_for(envelope, status))

    async def _answer_for(self, envelope: OpenEnvelope, status: str) -> None:
        await self.push("\r\n".join([status] * (len(envelope.rcpt_tos) if self.lmtp else 1)))

    async def _read(self) -> bytes:
        """All that is there; then the others have their turn."""
        more = await self._reader.read(READ)
        await asyncio.sleep(0)
        return more

    async def _refuse(self, envelope: OpenEnvelope, status: str, data: MailData) -> None:
        """Answer at once, and end the connection as soon as its sender can have read that."""
        await self._answer_for(envelope, status)
        left = self.data_size_limit or 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while left > 0 and not data.has_ended:
                    more = await self._read()
                    left -= len(more)
                    data.forget(more)
        assert self._way_out is not None
        self._way_out.close()


class Listener(Controller):
    """Runs the SMTP listener in a thread of its own."""

    def __init__(self, handler: SmtpHandler, host: str, port: int, max_bytes: int, hostname: str = "localhost") -> None:
        super().__init__(handler, hostname=host, port=port)
        self._max_bytes = max_bytes
        self._visitors, self._large = Visitors(), LargeMails()
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
            large=self._large,
        )
