"""Mail as an installation is set up for it: the sender, and the ways in, made from the settings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

import structlog

from gm.campaign import doors, links, outbox, players, press, way_in
from gm.campaign.links import Purpose, Ticket
from gm.campaign.ports import Outgoing, Sender
from gm.campaign.services import Services
from gm.campaign.tokens import GM
from gm.config import Settings
from gm.errors import Invalid
from gm.mail import answers
from gm.mail.compose import Context, House
from gm.mail.desk import Desk
from gm.mail.imap import Account, ImapSource
from gm.mail.inbound import Envelope
from gm.mail.lmtp import Doorman, Listener
from gm.mail.sender import Builder, ConsoleSender, MailboxSender, Server, SmtpSender
from gm.reports.bell import CHART_CID, MAP_CID

log = structlog.get_logger("mail")


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


def builder_for(services: Services) -> Builder:
    settings = services.settings
    house = House(
        mail_from=settings.mail_from,
        orders_address=settings.orders_address,
        domain=settings.mail_domain,
        name=settings.instance,
        secret_key=services.secret_key,
        base_url=settings.base_url,
        tag_subjects=settings.subject_tags,
    )
    return Builder(
        house,
        _context_of(services),
        lambda campaign, number: pictures(services, campaign, number),
        lambda mail, context: _with_way_in(services, mail, context),
    )


def _with_way_in(services: Services, mail: Outgoing, context: Context) -> Outgoing:
    """The reader's own link to his desk, put in as the mail goes out: no row of the outbox holds one."""
    if context.token is None or mail.campaign is None or mail.letter is None or not way_in.belongs(mail.kind):
        return mail
    link = way_in.link(services, mail.campaign, mail.letter, context.token, mail.kind, mail.created_at)
    return replace(mail, text=way_in.under_text(mail.text, link), html=way_in.under_html(mail.html, link))


def pictures(services: Services, campaign: str, number: int) -> Mapping[str, bytes]:
    """The pictures of a Bell by the names that its HTML calls them."""
    found = {
        MAP_CID: outbox.bell_png(services, campaign, number),
        CHART_CID: outbox.bell_chart(services, campaign, number),
    }
    return {cid: png for cid, png in found.items() if png}


def _context_of(services: Services) -> Callable[[Outgoing], Context]:
    @lru_cache(maxsize=256)
    def paper(campaign: str) -> str:
        door = doors.door(services, campaign, ())
        return door.paper if door else services.settings.instance

    def context(mail: Outgoing) -> Context:
        if mail.campaign is None:
            return Context()
        if mail.letter is None:
            ticket = Ticket(Purpose.UNSUBSCRIBE, mail.campaign, "", mail.address, {"address": mail.address})
            return Context(None, paper(mail.campaign), links.url(services, links.sign(services, ticket)))
        token = players.seat_token(services, mail.campaign, mail.letter)
        name = _author(services, mail, paper(mail.campaign)) if mail.kind == "letter" else paper(mail.campaign)
        return Context(token, name)

    return context


def _author(services: Services, mail: Outgoing, paper: str) -> str:
    """`Anna (A), by The Bell`; an anonymous letter has no name in any header."""
    number = mail.headers.get("X-Kolokol-Letter", "")
    assert mail.campaign is not None
    letter = press.letter_by_id(services, mail.campaign, int(number), mail.letter) if number.isdigit() else None
    if letter is None or letter.sender is None:
        return paper
    who = players.seat_of(services, mail.campaign, letter.sender)
    name = who.name if letter.sender == GM else f"{who.name} ({letter.sender})"
    return answers.render("letter_from", name=name, paper=paper).strip()


class MailIn:
    """All ways in at once, and the one desk behind them."""

    def __init__(
        self, services: Services, desk: Desk | None = None, after: Callable[[], object] = lambda: None
    ) -> None:
        self._services = services
        self._after = after  # called when mail was dealt with: its receipts wait in the outbox
        self.desk = desk or Desk(services)
        self._sources: dict[str, ImapSource | Listener] = {}
        self._stop = threading.Event()
        self._work = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._open()
        self._thread = threading.Thread(target=self._run, name="mail-desk", daemon=True)
        self._thread.start()

    def _open(self) -> None:
        """Open what is not open yet. Of several workers one has the listener; if it goes, another takes it."""
        settings = self._services.settings
        wanted: dict[str, Callable[[], ImapSource | Listener]] = {}
        if settings.imap_host:
            wanted["imap"] = lambda: imap_source(settings, self.take)
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
        """Stored now, dealt with a moment later: the sender need not wait for that."""
        self.desk.take(raw, envelope)
        self._work.set()

    def stop(self) -> None:
        for source in self._sources.values():
            source.stop()
        self._stop.set()
        self._work.set()
        if self._thread is not None:
            self._thread.join(10)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._work.wait(2)  # also what was confirmed on the web or released by the Gamesmaster
            self._work.clear()
            try:
                self._open()
                while not self._stop.is_set() and self.desk.sweep():
                    self._after()
            except Exception as error:  # the database may be away for a moment; the mails are kept
                log.warning("mail desk", error=type(error).__name__)
                self._stop.wait(2)


def imap_source(settings: Settings, take: Callable[[bytes, Envelope], None]) -> ImapSource:
    account = Account(
        host=settings.imap_host,
        port=settings.imap_port,
        tls=settings.imap_tls,
        user=settings.imap_user,
        password=settings.imap_password,
        folder=settings.imap_folder,
        done_folder=settings.imap_done_folder,
    )
    return ImapSource(account, take, report=lambda line: log.warning(line))


def listener(services: Services, take: Callable[[bytes, Envelope], None]) -> Listener:
    settings = services.settings
    host, _, port = settings.lmtp_listen.rpartition(":")
    if not port.isdigit():
        raise Invalid("settings", "KOLOKOL_LMTP_LISTEN must be host:port", "such as 127.0.0.1:2525")
    doorman = Doorman(
        settings.orders_address,
        (settings.mail_from,),
        take,
        lambda token: players.seat_by_token(services, token) is not None,
    )
    return Listener(doorman, host or "127.0.0.1", int(port), settings.max_mail_bytes, settings.mail_domain)
