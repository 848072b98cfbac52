"""DKIM at our own door: a broken signature of the author's own domain makes us ask; everything else changes nothing."""

from __future__ import annotations

import base64
import random
from dataclasses import replace
from functools import cache

import dkim

from gm.mail.handle.handler import MailHandler
from gm.mail.identify.dkim import speaks_against
from gm.mail.parse.message import Envelope
from tests.mail.post import Post

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
