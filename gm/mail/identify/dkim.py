"""DKIM verification of mail that reached our own listener. Only a clear failure counts against a mail."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes
from email.policy import compat32

import dkim
from dkim.dnsplug import get_txt

from gm.mail.parse import headers

DnsText = Callable[..., bytes | None]  # name -> TXT record
MAX_SIGNATURES = 4


def speaks_against(raw: bytes, dns: DnsText | None = None) -> bool:
    """True if the domain in From signed it and no such signature holds: it was changed, or forged.
    No signature, another domain's, or a DNS that does not answer say nothing."""
    message = message_from_bytes(raw, policy=compat32)
    domain = headers.sender(message).partition("@")[2]
    signatures = message.get_all("DKIM-Signature", [])[:MAX_SIGNATURES]
    failed = False
    for index, value in enumerate(signatures):
        if not domain or not _aligned(domain, _tag(str(value), "d")):
            continue
        verdict = _verify(raw, index, dns)
        if verdict:
            return False
        failed = failed or verdict is False
    return failed


def _verify(raw: bytes, index: int, dns: DnsText | None) -> bool | None:
    """None: nothing could be found out."""
    found: list[bytes] = []

    def ask(name: bytes, timeout: int = 5) -> bytes | None:
        record = (dns or get_txt)(name, timeout=timeout)
        found.extend([record] if record else [])
        return record

    try:
        good = bool(dkim.DKIM(raw, timeout=5).verify(index, dnsfunc=ask))
    except (dkim.DKIMException, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        good = False
        if not isinstance(error, dkim.ValidationError):
            return None
    return good if good or found else None


def _tag(value: str, name: str) -> str:
    for part in value.replace("\n", " ").replace("\r", " ").split(";"):
        key, _, found = part.partition("=")
        if key.strip() == name:
            return found.strip().lower()
    return ""


def _aligned(author: str, signer: str) -> bool:
    """Relaxed: the same domain, or one above it (mail.example.org by example.org)."""
    return bool(signer) and "." in signer and (author == signer or author.endswith("." + signer))
