"""Setting up mail from the settings: the sender (SMTP, mailbox, console) and the receivers (listener, IMAP)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Protocol

import structlog

from gm.campaign.access import callers, links, signin_footer
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import addressee, letters
from gm.campaign.ports import Outgoing, Sender
from gm.campaign.reads import bells
from gm.campaign.roles import GM
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import Invalid
from gm.mail.handle import answers
from gm.mail.handle.handler import MailHandler
from gm.mail.parse.message import Envelope
from gm.mail.transport.compose import Context, MailIdentity, NotTheirs
from gm.mail.transport.imap import Account, ImapSource
from gm.mail.transport.smtp_in import Listener, SmtpHandler
from gm.mail.transport.smtp_out import ConsoleSender, MailboxSender, MessageBuilder, Server, SmtpSender
from gm.mail.turns import bears_secret
from gm.processes import BoundedProcess
from gm.reports.render.html import ALBUM_CID, CHART_CID, DETAIL_CID, MAP_CID
from gm.reports.render.map_picture import MAILED, album_png, detail_png, map_png
from gm.reports.render.theatre import theatre

log = structlog.get_logger("mail")
MAILBOX_SECONDS = 10  # to read the mailbox before a Phase is sealed


class ClosableSender(Sender, Protocol):
    def close(self) -> None: ...


def sender_for(services: Services) -> ClosableSender:
    """smtp, mailbox or console, as the settings say."""
    settings = services.settings
    builder = builder_for(services)
    if settings.mail_transport == "console":
        return ConsoleSender(builder)
    if settings.mail_transport == "mailbox":
        return MailboxSender(builder)
    server = Server(
        settings.smtp_host, settings.smtp_port, settings.smtp_tls, settings.smtp_user, settings.smtp_password
    )
    return SmtpSender(builder, server, settings.mails_per_minute)


def builder_for(services: Services) -> MessageBuilder:
    settings = services.settings
    identity = MailIdentity(
        mail_from=settings.mail_from,
        orders_address=settings.orders_address,
        domain=settings.mail_domain,
        name=settings.instance,
        secret_key=services.secret_key,
        base_url=settings.base_url,
        tag_subjects=settings.subject_tags,
    )
    return MessageBuilder(
        identity,
        _context_of(services),
        lambda campaign, number, letter: pictures(services, campaign, number, letter),
        lambda mail, context: _with_footer(services, mail, context),
    )


def _with_footer(services: Services, mail: Outgoing, context: Context) -> Outgoing:
    """Add the reader's own sign-in link when the mail is sent: no row of the outbox holds one."""
    if context.token is None or mail.campaign is None or mail.letter is None or not signin_footer.belongs(mail.kind):
        return mail
    link = signin_footer.link(services, mail.campaign, mail.letter, context.token, mail.kind, mail.created_at)
    text = signin_footer.under_text(mail.text, link, mail.kind)
    return replace(mail, text=text, html=signin_footer.under_html(mail.html, link, mail.kind))


def pictures(services: Services, campaign: str, number: int, letter: str | None = None) -> Mapping[str, bytes]:
    """The pictures of a Bell by the names that its HTML calls them; for a player with their own forces in gold."""
    found = {CHART_CID: bells.bell_chart(services, campaign, number)}
    printed = bells.printed_bell(services, campaign, number)
    if printed is not None and printed.album:
        found[ALBUM_CID] = album_png(printed.album)
    if printed is not None and letter in printed.position.players:
        own = replace(printed.map, mine=letter)
        box = theatre(own)
        found[MAP_CID] = map_png(own, MAILED)
        found[DETAIL_CID] = detail_png(own, box) if box else None
    else:
        found[MAP_CID] = bells.bell_png(services, campaign, number)
    return {cid: png for cid, png in found.items() if png}


def _context_of(services: Services) -> Callable[[Outgoing], Context]:
    @lru_cache(maxsize=256)
    def paper(campaign: str) -> str:
        door = callers.door(services, campaign, ())
        return door.paper if door else services.settings.instance

    def context(mail: Outgoing) -> Context:
        if mail.campaign is None:
            return Context()
        if mail.letter is None:
            ticket = Ticket(Purpose.UNSUBSCRIBE, mail.campaign, "", mail.address, {"address": mail.address})
            return Context(None, paper(mail.campaign), links.url(services, links.sign(services, ticket)))
        token = addressee.keys_for(services, mail.campaign, mail.letter, mail.address)
        if token is None and mail.kind not in addressee.THEIR_OWN:
            raise NotTheirs("its seat has another holder now")
        name = _author(services, mail, paper(mail.campaign)) if mail.kind == "letter" else paper(mail.campaign)
        return Context(token, name)

    return context


def _author(services: Services, mail: Outgoing, paper: str) -> str:
    """`Anna (A), by The Bell`; an anonymous letter has no name in any header."""
    number = mail.headers.get("X-Kolokol-Letter", "")
    assert mail.campaign is not None
    letter = letters.letter_by_id(services, mail.campaign, int(number), mail.letter) if number.isdecimal() else None
    if letter is None or letter.sender is None:
        return paper
    who = holders.seat_of(services, mail.campaign, letter.sender)
    name = who.name if letter.sender == GM else f"{who.name} ({letter.sender})"
    return answers.render("letter_from", name=name, paper=paper).strip()


def settle_inbox(services: Services, before: datetime, handler: MailHandler | None = None) -> bool:
    """Deal with every mail that was received before then and can be orders without being asked about."""
    handler = handler or MailHandler(services)
    while handler.sweep(before=before, ahead=True):
        pass
    return True


class MailIn:
    """All receivers of mail, and the MailHandler behind them."""

    def __init__(
        self, services: Services, handler: MailHandler | None = None, after: Callable[[], object] = lambda: None
    ) -> None:
        self._services = services
        self.after = after  # called when mail was dealt with: its receipts wait in the outbox
        self._reader = BoundedProcess()
        self.handler = handler or MailHandler(services, run=self._reader)
        self._sources: dict[str, ImapSource | Listener] = {}
        self._stop = threading.Event()
        self._work = threading.Event()
        self._asked = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        self._open()
        for name, run in (("mail-desk", self._read_mail), ("mail-questions", self._answer_questions)):
            self._threads.append(threading.Thread(target=run, name=name, daemon=True))
            self._threads[-1].start()

    def _open(self) -> None:
        """Open what is not open yet. Of several workers one has the listener; if it goes, another takes it."""
        settings = self._services.settings
        wanted: dict[str, Callable[[], ImapSource | Listener]] = {}
        if settings.imap_host:
            wanted["imap"] = lambda: imap_source(self._services, self.take)
        if settings.lmtp_listen:
            wanted["listener"] = lambda: listener(self._services, self.take)
        for name, make in wanted.items():
            if name in self._sources:
                continue
            source = make()
            try:
                source.start()
            except OSError as error:
                log.warning("cannot listen yet", source=name, error=str(error))
            else:
                self._sources[name] = source

    def take(self, raw: bytes, envelope: Envelope) -> None:
        """Store a mail now; it is processed a moment later, so that the sender need not wait."""
        self.handler.take(raw, envelope)
        self._work.set()

    def settle(self, services: Services, before: datetime) -> bool:
        """What lies in the mailbox counts as received too: it is read first, if the mailbox can be reached."""
        imap = self._sources.get("imap")
        reached = not isinstance(imap, ImapSource) or imap.has_read(before, MAILBOX_SECONDS)
        return settle_inbox(services, before, self.handler) and reached

    def stop(self) -> None:
        for source in self._sources.values():
            source.stop()
        self._stop.set()
        self._work.set()
        self._asked.set()
        for thread in self._threads:
            thread.join(10)
        self._reader.close()

    def _read_mail(self) -> None:
        def read() -> None:
            self._open()
            while not self._stop.is_set() and self.handler.sweep():
                self.after()
                self._asked.set()

        self._whenever(self._work, 2, read)  # also what was confirmed on the web or released by the Gamesmaster

    def _answer_questions(self) -> None:
        """What-ifs, one after another: beside the reading of mail, and no deadline waits for them."""

        def answer() -> None:
            while not self._stop.is_set() and self.handler.answer_questions(1):
                self.after()

        self._whenever(self._asked, 10, answer)  # also what a reader left that was killed

    def _whenever(self, event: threading.Event, seconds: float, work: Callable[[], None]) -> None:
        while not self._stop.is_set():
            event.wait(seconds)
            event.clear()
            try:
                work()
            except Exception as error:  # the database may be away for a moment; the mails are kept
                log.warning("mail desk", error=type(error).__name__)
                self._stop.wait(2)


def imap_source(services: Services, take: Callable[[bytes, Envelope], None]) -> ImapSource:
    settings = services.settings
    account = Account(
        host=settings.imap_host,
        port=settings.imap_port,
        tls=settings.imap_tls,
        user=settings.imap_user,
        password=settings.imap_password,
        folder=settings.imap_folder,
        done_folder=settings.imap_done_folder,
        most=settings.max_mail_bytes,
    )
    return ImapSource(
        account,
        take,
        bears=lambda head: bears_secret(services, head),
        report=lambda line: log.warning(line),
        clock=services.clock.now,
    )


def listener(services: Services, take: Callable[[bytes, Envelope], None]) -> Listener:
    settings = services.settings
    host, _, port = settings.lmtp_listen.rpartition(":")
    if not port.isdecimal():
        raise Invalid("settings", "KOLOKOL_LMTP_LISTEN must be host:port", "such as 127.0.0.1:2525")
    smtp = SmtpHandler(
        settings.orders_address,
        (settings.mail_from,),
        take,
        lambda token: holders.seat_by_token(services, token) is not None,
        former=lambda token, sender: holders.formerly(services, sender, [token]) is not None,
    )
    return Listener(smtp, host or "127.0.0.1", int(port), settings.max_mail_bytes, settings.mail_domain)
