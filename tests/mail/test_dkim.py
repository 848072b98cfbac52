"""DKIM at our own door: a broken signature of the author's own domain makes us ask; everything else changes nothing."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import dkim
import pytest

from gm.mail.handle.handler import MailHandler
from gm.mail.identify.dkim import speaks_against
from gm.mail.parse.message import Envelope
from tests.mail.post import Post
from tests.stopwatch import within

MAIL = b"From: Anna <anna@players.test>\r\nTo: orders@bell.test\r\nSubject: x\r\n\r\nGIVE 1 PM TO B\r\n"


def _prime(bits: int, rng: random.Random) -> int:
    while True:
        n = rng.getrandbits(bits) | (3 << (bits - 2)) | 1
        if all(n % p for p in (3, 5, 7, 11, 13, 17, 19, 23)) and all(pow(a, n - 1, n) == 1 for a in (2, 3, 5, 7)):
            return n


def _der(tag: int, body: bytes) -> bytes:
    size = len(body)
    length = (
        bytes([size])
        if size < 128
        else bytes([0x80 + (size.bit_length() + 7) // 8]) + size.to_bytes((size.bit_length() + 7) // 8, "big")
    )
    return bytes([tag]) + length + body


def _int(n: int) -> bytes:
    return _der(2, n.to_bytes(n.bit_length() // 8 + 1, "big"))


@cache
def keys() -> tuple[bytes, bytes]:
    """A throw-away RSA key: private as PEM, public as a DNS record. Good enough for nothing but this test."""
    rng = random.Random(1918)
    e, p, q = 65537, _prime(512, rng), _prime(512, rng)
    n, d = p * q, pow(e, -1, (p - 1) * (q - 1))
    private = _der(0x30, b"".join(map(_int, (0, n, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)))))
    pem = b"-----BEGIN RSA PRIVATE KEY-----\n" + base64.encodebytes(private) + b"-----END RSA PRIVATE KEY-----\n"
    algorithm = _der(0x30, bytes.fromhex("06092a864886f70d010101") + b"\x05\x00")
    public = _der(0x30, algorithm + _der(3, b"\x00" + _der(0x30, _int(n) + _int(e))))
    return pem, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def dns(name: bytes, timeout: int = 5) -> bytes | None:
    known = {b"s._domainkey.players.test.", b"s._domainkey.elsewhere.test."}
    return keys()[1] if name in known else None


def signed(raw: bytes, domain: bytes = b"players.test") -> bytes:
    return bytes(dkim.sign(raw, b"s", domain, keys()[0], include_headers=[b"From", b"Subject"])) + raw


def test_a_good_signature_and_no_signature_say_nothing_against_a_mail() -> None:
    assert not speaks_against(signed(MAIL), dns)
    assert not speaks_against(MAIL, dns)


def test_a_mail_changed_after_its_author_signed_it_is_doubted() -> None:
    assert speaks_against(signed(MAIL).replace(b"1 PM", b"3 PM"), dns)


def test_another_domains_broken_signature_says_nothing() -> None:
    assert not speaks_against(signed(MAIL, b"elsewhere.test").replace(b"1 PM", b"3 PM"), dns)


def test_a_dns_without_an_answer_says_nothing() -> None:
    assert not speaks_against(signed(MAIL).replace(b"1 PM", b"3 PM"), lambda name, timeout=5: None)


def test_garbage_in_the_signature_says_nothing_and_breaks_nothing() -> None:
    for value in (b"", b"d=players.test", b"v=1; a=rsa-sha256; d=players.test; s=s; bh=x; b=\xff\x00", b"=;=;" * 500):
        assert not speaks_against(b"DKIM-Signature: " + value + b"\r\n" + MAIL, dns)


def test_at_our_own_listener_a_broken_signature_holds_the_orders_in_spite_of_the_token(post: Post) -> None:
    strict = replace(post.services, settings=replace(post.services.settings, verify_dkim=True))
    desk = MailHandler(strict, dns=dns)
    raw = signed(post.raw("A", "GIVE 1 PM TO B").replace(b"\n", b"\r\n"))
    assert desk.receive(raw.replace(b"1 PM TO B", b"3 PM TO E"), Envelope(source="lmtp")) == "held"
    fine = signed(post.raw("A", "GIVE 1 PM TO B").replace(b"\n", b"\r\n"))
    assert desk.receive(fine, Envelope(source="lmtp")) == "handled"
    assert post.orders_of("A") == "GIVE 1 PM TO B"


FOLDED = b"DKIM-Signature: v=1; d=players.test; s=s;" + b"\r\n x" * 1_000_000 + b"\r\n"


def test_a_head_that_nobody_writes_costs_nothing_and_is_asked_about(post: Post) -> None:
    """dkimpy joins folded lines at the square of their number: four megabytes took a minute and a half."""
    assert within(0.3, lambda: speaks_against(FOLDED + MAIL, dns))
    within(1, lambda: speaks_against(FOLDED[:60_000] + b"\r\n" + MAIL, dns))


def test_signatures_are_verified_where_mails_are_read(post: Post) -> None:
    called: list[str] = []

    def elsewhere(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        called.append(function.__name__)
        return function(*args, **kwargs)

    strict = replace(post.services, settings=replace(post.services.settings, verify_dkim=True))
    desk = MailHandler(strict, dns=dns, run=elsewhere)
    raw = signed(post.raw("A", "GIVE 1 PM TO B").replace(b"\n", b"\r\n"))
    assert desk.receive(raw, Envelope(source="lmtp")) == "handled"
    assert called[:2] == ["read_head", "speaks_against"]


def test_a_dns_that_does_not_answer_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [1000.0], list[float]()
    monkeypatch.setattr("gm.mail.identify.dkim.time.monotonic", lambda: now[0])
    monkeypatch.setattr("gm.mail.identify.dkim._silent", {})

    def slow(name: bytes, timeout: float = 5) -> bytes | None:
        asked.append(timeout)
        now[0] += timeout
        raise dkim.DnsTimeoutError("no answer")

    raw = signed(MAIL).replace(b"1 PM", b"3 PM")
    many = b"".join(raw[: raw.index(b"From:")] for _ in range(4)) + raw
    assert not speaks_against(many, slow) and sum(asked) <= 3
    assert not speaks_against(many, slow) and len(asked) == 1, "nor asked again soon"
    now[0] += 601
    assert speaks_against(raw, dns)
