"""Text with a wrong charset label or none, and bounces of mail systems that keep to no standard."""

from __future__ import annotations

from base64 import b64encode

import pytest
from flufl.bounce._detectors.simplematch import PATTERNS

from gm.mail.parse.charset import decode
from gm.mail.parse.kind import MailKind
from gm.mail.parse.message import Incoming, open_mail, read
from tests.stopwatch import within

RUSSIAN = (
    "Уважаемый господин, вот мои приказы на июнь:\nGIVE 1 PM TO B\nС уважением, Анна",
    "Привет! Прилагаю приказы на этот ход.\nMOVE RU8 PETR TO MOSC\n",
    "Спасибо за газету. Жду ответа. GIVE 1 PM TO B",
)
CENTRAL = (
    "Witam, oto moje rozkazy na czerwiec, przepraszam za spóźnienie, dziękuję.\nGIVE 1 PM TO B",
    "Proszę o przedłużenie terminu, wyjeżdżam na święta. Będę dostępny później.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Děkuji, Jiří",
)
WESTERN = (
    "Bonjour, voici mes ordres très tôt, à bientôt, ça va être drôle, le général est déjà là où il était.",
    "Für nächste Woche: schöne Grüße, größere Züge übermorgen. Müller",
    "Mañana envío más órdenes, ¿está bien así? Señor Muñoz",
    "Jag önskar förlängning på grund av Åsas födelsedag",
)


@pytest.mark.parametrize("label", [None, "utf-8", "us-ascii"])
def test_most_mislabelled_text_is_read_as_it_was_written(label: str | None) -> None:
    """Three Cyrillic and two Central European code pages. With our own guesses none of the fifteen was."""
    samples = [(text, page) for page in ("cp1251", "koi8-r", "iso8859-5") for text in RUSSIAN]
    samples += [(text, page) for page in ("cp1250", "iso8859-2") for text in CENTRAL]
    right = [decode(text.encode(page), label) == text for text, page in samples]
    assert sum(right) >= 12, [page for (_, page), ok in zip(samples, right, strict=True) if not ok]


@pytest.mark.parametrize("label", [None, "utf-8", "iso-8859-1", "windows-1252"])
@pytest.mark.parametrize("text", WESTERN)
def test_western_text_stays_what_it_was(text: str, label: str | None) -> None:
    assert decode(text.encode("cp1252"), label) == text


def test_a_label_that_says_something_is_believed() -> None:
    assert decode("Привет".encode("koi8-r"), "koi8-r") == "Привет"


OURS = "Message-ID: <x@bell.test>\nX-Kolokol-Key: abcdefgh234\nSubject: The Bell #3\n"
QMAIL = """\
Hi. This is the qmail-send program at players.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@players.test>:
Sorry, no mailbox here by that name.

--- Below this line is a copy of the message.

"""
YAHOO = """\
Message from yahoo.test.
Unable to deliver message to the following address(es).

<anna@players.test>:
Sorry, your message to anna@players.test cannot be delivered. This account is over quota.

--- Original message follows.

"""
SMTP32 = "user mailbox: user anna@players.test unknown\n\nOriginal message follows.\n\n"
EXIM = "This message was created automatically by mail delivery software.\n\nA message could not be delivered.\n\n"


def opened(raw: bytes) -> Incoming:
    """Read as a mail with the key of one of ours in it."""
    return open_mail(raw, genuine=lambda _, __: True).whole()


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("From: MAILER-DAEMON@players.test\nSubject: failure notice\n", QMAIL),
        ("From: MAILER-DAEMON@yahoo.test\nX-YahooFilteredBulk: x\nSubject: Delivery failure\n", YAHOO),
        ("From: Postmaster@players.test\nX-Mailer: <SMTP32 v8.00>\nSubject: Undeliverable Mail\n", SMTP32),
        ("From: Mail System <daemon9@players.test>\nX-Failed-Recipients: anna@players.test\nSubject: ?\n", EXIM),
    ],
)
def test_a_failure_for_good_is_known_by_the_words_of_many_systems(head: str, body: str) -> None:
    found = opened((head + "\n" + body + OURS + "\n").encode())
    assert found.kind is MailKind.BOUNCE and found.bounce is not None
    assert found.bounce.permanent and found.bounce.key == "abcdefgh234"


@pytest.mark.parametrize("field", ["From", "Final-Recipient", "X-Failed-Recipients", "To"])
@pytest.mark.parametrize("brackets", ["(" * 1500, "(\n " * 1500, "[" * 1500])
def test_a_bounce_full_of_brackets_costs_nothing(field: str, brackets: str) -> None:
    """With our own key in it, so that somebody who got a mail of ours could have made it."""
    report = f"From: MAILER-DAEMON@players.test\nSubject: failure notice\n{field}: {brackets}\n\n{QMAIL}{OURS}\n"
    assert within(1, lambda: opened(report.encode())).kind is MailKind.BOUNCE or field == "From"


def test_a_player_who_forwards_our_mail_as_it_is_has_not_bounced() -> None:
    found = opened(b"From: anna@players.test\nSubject: fwd\n\nGIVE 1 PM TO B\n\n" + OURS.encode())
    assert found.kind is MailKind.ORDINARY


# --- what a library may see of a stranger's mail

UNDELIVERABLE = "This Message was undeliverable due to the following reason:\n"


def in_two_parts(text: str) -> bytes:
    data = b64encode(text.encode()).decode()
    head = "From: x@evil.test\nTo: orders@bell.test\nX-Kolokol-Key: abcdefgh234\nMIME-Version: 1.0\n"
    kind = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    parts = f"--b\n{kind}{data}\n--b\nContent-Type: text/plain\n\nx\n--b--\n"
    return f'{head}Content-Type: multipart/mixed; boundary="b"\n\n{parts}'.encode()


@pytest.mark.parametrize(
    "line", ["<" * 100_000, "<x" * 100_000, "a" * 100_000, "@" * 100_000, ", a" * 50_000, " \t" * 90_000]
)
def test_a_stranger_cannot_have_the_words_of_mail_systems_looked_for(line: str) -> None:
    """Six kilobytes held the whole process for a minute, more for as long as one likes."""
    raw = in_two_parts(UNDELIVERABLE + f"{line}\n" * 20)
    assert within(0.3, lambda: open_mail(raw)).head.kind is MailKind.ORDINARY


ALL_TAGS = [p.pattern.replace("\\", "").strip("^$") for some in PATTERNS for p in some[:1]]
LINES = ("<", "<x", "a", "@", ", a", " \t", "a@", ",a@b", "rcpt to:", "a@b <", "x" * 99 + " ", "<" * 4 + "y" * 90)


@pytest.mark.parametrize("line", LINES)
def test_nor_do_they_take_long_with_a_key_of_ours(line: str) -> None:
    """Whoever got a mail of ours has one: of what they send, little is shown to the library."""
    text = "\n".join([UNDELIVERABLE, *ALL_TAGS, *[line * (5_000 // len(line))] * 5_000])
    within(0.7, lambda: opened(in_two_parts(text)))
    within(0.7, lambda: opened(b"X-Kolokol-Key: abcdefgh234\nFrom: x@aol.com\n\n" + text.encode()))


def test_a_mail_full_of_short_lines_is_soon_known_to_be_no_bounce() -> None:
    within(1, lambda: opened(b"From: a@b.test\n\nX-Kolokol-Key: abcdefgh234\n" + b"x\n" * 200_000))
    within(1, lambda: read(b"From: a@b.test\n\nX-Kolokol-Key: abcdefgh234\n" + b"x\n" * 200_000))
