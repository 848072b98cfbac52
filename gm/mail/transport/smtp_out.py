"""Sending mail by SMTP: one connection kept open, a rate limit, refusals classified as temporary or permanent."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TextIO

import aiosmtplib

from gm.campaign.ports import Outgoing, Sending
from gm.mail.metrics import sending
from gm.mail.transport.compose import Context, MailIdentity, NotTheirs, Pictures, Unsendable, compose, encode

MAILS_PER_CONNECTION = 200
IDLE_SECONDS = 20.0
TIMEOUT = 60.0

ContextOf = Callable[[Outgoing], Context]
# campaign, number of the Bell, the reader's seat -> Content-ID, PNG
PicturesOf = Callable[[str, int, str | None], Mapping[str, bytes]]


@dataclass
class MessageBuilder:
    """Outgoing -> bytes, with what many mails share read once."""

    identity: MailIdentity
    context_of: ContextOf
    pictures_of: PicturesOf
    dress: Callable[[Outgoing, Context], Outgoing] = lambda mail, context: mail  # what is added only to what is sent

    def __post_init__(self) -> None:
        @lru_cache(maxsize=2)
        def pictures(campaign: str, number: int, letter: str | None) -> Pictures:
            return {cid: encode(png) for cid, png in self.pictures_of(campaign, number, letter).items()}

        self._pictures = pictures

    def build(self, mail: Outgoing) -> bytes:
        context = self.context_of(mail)
        return compose(self.dress(mail, context), self.identity, context, lambda: self._of(mail))

    def _of(self, mail: Outgoing) -> Pictures:
        return self._pictures(mail.campaign, mail.bell, mail.letter) if mail.campaign and mail.bell is not None else {}


class Pace:
    """Rate limit: at most so many mails a minute, evenly spread after a short burst."""

    def __init__(self, per_minute: int, burst: int = 10, clock: Callable[[], float] = time.monotonic) -> None:
        self._interval = 60.0 / per_minute if per_minute > 0 else 0.0
        self._credit = self._interval * burst
        self._clock = clock
        self._next = clock() - self._credit

    def wait_for(self) -> float:
        """Seconds to wait before the next one; it is taken as sent then."""
        now = self._clock()
        self._next = max(self._next, now - self._credit) + self._interval
        return max(0.0, self._next - now)


@dataclass(frozen=True, slots=True)
class Server:
    host: str
    port: int
    tls: str = "starttls"  # or "tls", "none"
    user: str = ""
    password: str = field(default="", repr=False)
    verify: bool = True


class SmtpSender:
    """Called from any thread; the connection lives in a loop of its own, so that it outlasts a batch."""

    def __init__(
        self, builder: MessageBuilder, server: Server, mails_per_minute: int = 60, timeout: float = TIMEOUT
    ) -> None:
        self._builder = builder
        self._server = server
        self._pace = Pace(mails_per_minute)
        self._timeout = timeout
        self._client: aiosmtplib.SMTP | None = None
        self._sent_on_client = 0
        self._used_at = 0.0
        self._busy = asyncio.Lock()  # one mail at a time on the connection, whoever calls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="smtp", daemon=True)
        self._thread.start()

    def send(self, mails: Sequence[Outgoing]) -> Iterator[Sending]:
        """One result a mail, as soon as it is known. A server that is down fails the rest at once."""
        down = ""
        for mail in mails:
            if down:
                yield Sending(mail.id, mail.lease, False, down)
                continue
            result, down = asyncio.run_coroutine_threadsafe(self._alone(mail), self._loop).result()
            sending.labels("sent" if result.ok else "refused" if result.permanent else "later").inc()
            yield result

    def close(self) -> None:
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._drop(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    async def _alone(self, mail: Outgoing) -> tuple[Sending, str]:
        async with self._busy:
            return await self._one(mail)

    async def _one(self, mail: Outgoing) -> tuple[Sending, str]:
        try:
            raw = self._builder.build(mail)
        except Exception as error:  # one mail that cannot be built stops no other
            return unbuilt(mail, error), ""
        if wait := self._pace.wait_for():
            await asyncio.sleep(wait)
        for again in (True, False):
            try:
                client = await self._connected()
                await client.sendmail(self._builder.identity.mail_from, [mail.address], raw)
                self._sent_on_client += 1
                self._used_at = time.monotonic()
                return Sending(mail.id, mail.lease, True), ""
            except aiosmtplib.SMTPServerDisconnected as error:
                await self._drop()
                if not again:
                    return Sending(mail.id, mail.lease, False, describe(error)), describe(error)
            except (aiosmtplib.SMTPException, OSError, ValueError) as error:
                return await self._refused(mail, error)
        raise AssertionError("unreachable")

    async def _refused(self, mail: Outgoing, error: Exception) -> tuple[Sending, str]:
        permanent = is_permanent(error)
        told = describe(error)
        if is_about_the_mail(error):
            return Sending(mail.id, mail.lease, False, told, permanent), ""
        await self._drop()
        return Sending(mail.id, mail.lease, False, told, False), told

    async def _connected(self) -> aiosmtplib.SMTP:
        stale = time.monotonic() - self._used_at > IDLE_SECONDS
        if self._client is not None and (self._sent_on_client >= MAILS_PER_CONNECTION or stale):
            await self._drop()
        if self._client is not None and self._client.is_connected:
            return self._client
        server = self._server
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            use_tls=server.tls == "tls",
            start_tls=server.tls == "starttls",
            validate_certs=server.verify,
            timeout=self._timeout,
        )
        await client.connect()
        if server.user:
            await client.login(server.user, server.password)
        self._client, self._sent_on_client, self._used_at = client, 0, time.monotonic()
        return client

    async def _drop(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        try:
            await asyncio.wait_for(client.quit(), 2)
        except (aiosmtplib.SMTPException, OSError, TimeoutError):
            client.close()


def unbuilt(mail: Outgoing, error: Exception) -> Sending:
    """What is wrong with the mail itself stays wrong; a database that does not answer comes back."""
    for_good = isinstance(error, Unsendable | ValueError | TypeError | LookupError | AttributeError | RecursionError)
    told = str(error) if isinstance(error, Unsendable) else f"cannot be made: {type(error).__name__}"
    return Sending(mail.id, mail.lease, False, told, for_good, isinstance(error, NotTheirs))


def is_about_the_mail(error: Exception) -> bool:
    """The server answered to this mail; others may go."""
    refusals = (aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError)
    return isinstance(error, refusals)


def is_permanent(error: Exception) -> bool:
    """5xx for a recipient or for the content. A refused sender or login is our own fault and can be mended."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(500 <= refused.code < 600 for refused in error.recipients)
    if isinstance(error, aiosmtplib.SMTPRecipientRefused | aiosmtplib.SMTPDataError):
        return 500 <= error.code < 600
    return False


def describe(error: Exception) -> str:
    """One line for the Gamesmaster; no password is ever in it."""
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        return f"the mail server refused our login ({error.code})"
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused) and error.recipients:
        first = error.recipients[0]
        return f"{first.code} {first.message}"[:300]
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {error.message}"[:300]
    return f"{type(error).__name__}: {error}"[:300]


class MailboxSender:
    """For trying out: a mail counts as sent and stays in the outbox, where the web's mailbox page shows it."""

    def __init__(self, builder: MessageBuilder) -> None:
        self._builder = builder

    def send(self, mails: Sequence[Outgoing]) -> Iterable[Sending]:
        for mail in mails:
            try:
                self._builder.build(mail)  # what could not be sent shall not look as if it had been
            except Exception as error:
                yield unbuilt(mail, error)
            else:
                yield Sending(mail.id, mail.lease, True)

    def close(self) -> None:
        pass


class ConsoleSender(MailboxSender):
    """For trying out: every mail is printed, without its HTML and its secrets."""

    def __init__(self, builder: MessageBuilder, out: TextIO = sys.stdout) -> None:
        super().__init__(builder)
        self._out = out

    def send(self, mails: Sequence[Outgoing]) -> Iterable[Sending]:
        for mail, result in zip(mails, super().send(mails), strict=True):
            self._out.write(f"{'-' * 72}\nTo: {mail.name} <{mail.address}>\nSubject: {mail.subject}\n\n{mail.text}\n")
            yield result
