"""DKIM verification of mail that reached our own listener. Only a clear failure counts against a mail, or a head so
long that nobody would read it. Called where a costly mail can do no harm."""

from __future__ import annotations

import time
from collections.abc import Callable

import dkim
from dkim.dnsplug import get_txt

from gm.mail.parse import headers

DnsText = Callable[..., bytes | None]  # name -> TXT record
MAX_SIGNATURES = 4
DNS_SECONDS = 3.0  # for all that is asked about one mail
SILENT_SECONDS = 600.0  # a domain that did not answer in time is not asked again for so long
_silent: dict[str, float] = {}  # domain -> until when
MAX_SILENT = 1000


def speaks_against(raw: bytes, dns: DnsText | None = None) -> bool:
    """True if the domain in From signed it and no such signature holds: it was changed, or forged.
    No signature, another domain's, or a DNS that does not answer say nothing."""
    if headers.is_head_too_long(raw):
        return True
    message = headers.parse_head(raw)
    domain = headers.sender(message).partition("@")[2]
    signatures = message.get_all("DKIM-Signature", [])[:MAX_SIGNATURES]
    failed, asked = False, _Asked(dns or get_txt)
    for index, value in enumerate(signatures):
        if not domain or not _aligned(domain, _tag(str(value), "d")):
            continue
        verdict = _verify(raw, index, asked)
        if verdict:
            return False
        failed = failed or verdict is False
    return failed


class _Asked:
    """The DNS, for one mail: it is waited for no longer than DNS_SECONDS in all."""

    def __init__(self, dns: DnsText) -> None:
        self._dns = dns
        self._left = DNS_SECONDS
        self.found = 0

    def __call__(self, name: bytes, timeout: float = DNS_SECONDS) -> bytes | None:
        domain, began = name.decode("ascii", "replace").partition("._domainkey.")[2].lower(), time.monotonic()
        if self._left <= 0 or _silent.get(domain, 0.0) > began:
            return None
        try:
            record = self._dns(name, timeout=min(timeout, self._left))
        finally:
            self._left -= time.monotonic() - began
            if self._left <= 0:
                if len(_silent) >= MAX_SILENT:
                    _silent.clear()
                _silent[domain] = time.monotonic() + SILENT_SECONDS
        self.found += bool(record)
        return record


def _verify(raw: bytes, index: int, asked: _Asked) -> bool | None:
    """None: nothing could be found out."""
    before = asked.found
    try:
        good = bool(dkim.DKIM(raw, timeout=DNS_SECONDS).verify(index, dnsfunc=asked))
    except (dkim.DKIMException, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        good = False
        if not isinstance(error, dkim.ValidationError):
            return None
    return good if good or asked.found > before else None


def _tag(value: str, name: str) -> str:
    for part in value.replace("\n", " ").replace("\r", " ").split(";"):
        key, _, found = part.partition("=")
        if key.strip() == name:
            return found.strip().lower()
    return ""


def _aligned(author: str, signer: str) -> bool:
    """Relaxed: the same domain, or one above it (mail.example.org by example.org)."""
    return bool(signer) and "." in signer and (author == signer or author.endswith("." + signer))
