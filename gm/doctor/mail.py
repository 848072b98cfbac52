"""Checks of `gm doctor` on mail: SMTP login, IMAP mailbox, whether the addresses fit together."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl
from collections.abc import Iterator

from gm.config import Settings
from gm.doctor.finding import Finding, fail, ok, warn

TIMEOUT = 10
TROUBLE = (OSError, ssl.SSLError, smtplib.SMTPException, imaplib.IMAP4.error)
LOCAL_DOMAINS = ("localhost", "localhost.localdomain")


def addresses(settings: Settings) -> Iterator[Finding]:
    if settings.mail_transport != "smtp":
        todo = "for a real campaign set KOLOKOL_MAIL_TRANSPORT=smtp"
        yield warn("mail", f"mail is not sent ({settings.mail_transport})", todo)
        return
    wrong = [
        name
        for name, value in (("MAIL_FROM", settings.mail_from), ("ORDERS_ADDRESS", settings.orders_address))
        if "@" not in value or value.rpartition("@")[2] in LOCAL_DOMAINS
    ]
    if settings.mail_domain in LOCAL_DOMAINS:
        wrong.append("MAIL_DOMAIN")
    for name in wrong:
        yield fail("mail", f"KOLOKOL_{name} is an address of nowhere", f"set KOLOKOL_{name} to one of your own domain")
    if not wrong:
        yield ok("mail", f"from {settings.mail_from}, orders to {settings.orders_address}")
    if "+" in settings.orders_address:
        yield fail("mail", "KOLOKOL_ORDERS_ADDRESS has a + already", "give it without; the secret part comes after a +")
    if not settings.imap_host and not settings.lmtp_listen:
        todo = "set KOLOKOL_IMAP_HOST or KOLOKOL_LMTP_LISTEN, or let your server pipe mail to `gm mail deliver`"
        yield warn("mail", "no mailbox is read and no listener runs: orders come by web only", todo)


def smtp(settings: Settings) -> Iterator[Finding]:
    if settings.mail_transport != "smtp":
        return
    where = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        with _smtp(settings) as server:
            if settings.smtp_tls == "starttls":
                server.starttls(context=ssl.create_default_context())
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password)
            server.noop()
    except smtplib.SMTPAuthenticationError as error:
        todo = "check KOLOKOL_SMTP_USER and _PASSWORD; Gmail and Fastmail want an app password"
        yield fail("smtp", f"{where} refused our login ({error.smtp_code})", todo)
    except smtplib.SMTPNotSupportedError:
        yield fail("smtp", f"{where} offers no STARTTLS or no login", "set KOLOKOL_SMTP_TLS to tls, or another port")
    except TROUBLE as error:
        yield fail("smtp", f"{where}: {_short(error)}", "check KOLOKOL_SMTP_HOST, _PORT (587 or 465) and _TLS")
    else:
        login = "with our login" if settings.smtp_user else "without a login"
        yield ok("smtp", f"{where} answers {login}, {settings.smtp_tls}")


def _smtp(settings: Settings) -> smtplib.SMTP:
    if settings.smtp_tls == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT, context=context)
    return smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT)


def imap(settings: Settings) -> Iterator[Finding]:
    if not settings.imap_host:
        return
    where = f"{settings.imap_host}:{settings.imap_port}"
    try:
        box = _imap(settings)
        try:
            box.login(settings.imap_user, settings.imap_password)
            status, data = box.select(f'"{settings.imap_folder}"', readonly=True)
            _, words = box.capability()
        finally:
            box.logout()
    except TROUBLE as error:
        refused = isinstance(error, imaplib.IMAP4.error)
        todo = "check KOLOKOL_IMAP_USER and _PASSWORD" if refused else "check KOLOKOL_IMAP_HOST, _PORT and _TLS"
        yield fail("imap", f"{where}: {'login refused' if refused else _short(error)}", todo)
        return
    if status != "OK":
        yield fail(
            "imap", f"{where} has no folder {settings.imap_folder}", "set KOLOKOL_IMAP_FOLDER to one that is there"
        )
        return
    how = "waits by IDLE" if b"IDLE" in words[0].upper().split() else "is polled"
    number = int(data[0] or 0)
    yield ok("imap", f"{where}, {settings.imap_folder} with {number} mails, {how}")


def _imap(settings: Settings) -> imaplib.IMAP4:
    if settings.imap_tls:
        context = ssl.create_default_context()
        return imaplib.IMAP4_SSL(settings.imap_host, settings.imap_port, timeout=TIMEOUT, ssl_context=context)
    return imaplib.IMAP4(settings.imap_host, settings.imap_port, timeout=TIMEOUT)


def lmtp(settings: Settings) -> Iterator[Finding]:
    if not settings.lmtp_listen:
        return
    host, _, port = settings.lmtp_listen.rpartition(":")
    if not port.isdecimal():
        yield fail("lmtp", f"{settings.lmtp_listen!r} is no host:port", "set KOLOKOL_LMTP_LISTEN=127.0.0.1:2525")
        return
    try:
        with socket.create_connection((host.strip("[]") or "127.0.0.1", int(port)), TIMEOUT) as line:
            greeting = line.recv(3)
    except OSError:
        yield warn("lmtp", f"nothing listens on {settings.lmtp_listen}", "the worker does, when it runs: gm worker")
        return
    if greeting == b"220":
        yield ok("lmtp", f"mail is taken on {settings.lmtp_listen}")
    else:
        yield fail("lmtp", f"something else listens on {settings.lmtp_listen}", "choose another port")


def _short(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return "its certificate is not to be trusted"
    if isinstance(error, TimeoutError):
        return "no answer"
    return str(getattr(error, "strerror", None) or error or type(error).__name__)[:120]
