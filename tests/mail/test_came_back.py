"""What the second round of the fourth attack found by mail: words of ours that come back, and lines nearly orders."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from gm.campaign.mailbox import inbox
from gm.mail.parse.line_kind import looks_like_order
from gm.mail.parse.message import HEAD, Envelope
from tests.mail.post import Post

GOOD = "GIVE 1 PM TO B\nGIVE 1 AM TO C"
BELL = Path("tests/reports/golden/bell-2.txt").read_text()


def mixed(*parts: tuple[str, str]) -> str:
    """`parts`: the head of each, and its text."""
    whole = "".join(
        f"--xx\n{head}\nContent-Transfer-Encoding: base64\n\n{b64encode(text.encode()).decode()}\n"
        for head, text in parts
    )
    return f"{whole}--xx--\n"


def with_file(post: Post, name: str, text: str, **fields: str) -> str:
    head = f'Content-Type: text/plain; charset=utf-8; name="{name}"\nContent-Disposition: attachment; filename="{name}"'
    body = mixed(("Content-Type: text/plain", "Interesting, thanks.\n"), (head, text))
    (told,) = post.write("A", body, Content_Type='multipart/mixed; boundary="xx"', **fields)
    return " ".join(told.text.split())


# --- our own files


@pytest.mark.parametrize("names_ours", [True, False])
@pytest.mark.parametrize("changed", [False, True])
def test_a_file_that_we_sent_is_not_taken_when_it_comes_back(post: Post, names_ours: bool, changed: bool) -> None:
    post.write("A", GOOD)
    (answer,) = post.write("A", "WHATIF 20\nGIVE 2 PM TO B")
    (file,) = answer.attachments
    text = f"GIVE 3 PM TO E\n{file['data']}" if changed else file["data"]
    fields = {"In-Reply-To": answer.message_id} if names_ours else {}
    told = with_file(post, file["name"], text, **fields)
    assert post.orders_of("A") == GOOD and f"{file['name']} is one that I sent" in told
    if not changed:
        assert "is one that I sent" in with_file(post, "file.txt", text, **fields) and post.orders_of("A") == GOOD


def test_a_bell_that_was_saved_is_nobodys_sheet(post: Post) -> None:
    post.write("A", GOOD)
    for text in (BELL, f"GIVE 3 PM TO E\n\n{BELL}"):
        assert "printed as The Bell is" in with_file(post, "notes.txt", text, Subject="Hello")
        assert post.orders_of("A") == GOOD
    assert "taken from the file" in with_file(post, "notes.txt", "== MINE ==\nGIVE 3 PM TO E", Subject="Hello")
    assert post.orders_of("A") == "GIVE 3 PM TO E"


# --- lines that are nearly orders


SLIPS = [
    "VITE: GU2 VITE; BU2 VITE/GE",
    "VITE: CZAR",
    "Gold: 3",
    "Lost: RU8 PETR",
    "Purges: I hear of many",
    "Standings: A 3",
    "Gives: 1 PM",
    "LOST AND FOUND: an umbrella",
]


@pytest.mark.parametrize("line", SLIPS)
def test_a_line_that_is_only_nearly_an_order_replaces_none_on_file(post: Post, line: str) -> None:
    post.write("A", f"{GOOD}\nREADY")
    words = f"Dear Gregor, a question: who may attack these?\n\n{line}\n\nThanks, Anna"
    (told,) = post.write("A", words, Subject="Question")
    assert post.orders_of("A") == GOOD and told.kind == "answer" and line in told.text


def test_the_sender_is_told_that_what_was_on_file_stands_and_ready_still_counts(post: Post) -> None:
    post.write("A", GOOD)
    (told,) = post.write("A", "GIEV 7 RUBLES\nREADY", Subject="Orders")
    words = " ".join(told.text.split())
    assert "YOUR ORDERS ON FILE STAND AS THEY WERE" in words and "GIEV 7 RUBLES" in words and "ready" in words.lower()
    (told,) = post.write("B", "GIEV 7 RUBLES", Subject="Orders")
    assert told.kind == "receipt", "nothing was on file"
    (told,) = post.write("A", "GIVE 1 PM TO C\nGIEV 7 RUBLES", Subject="Orders")
    assert told.kind == "receipt" and post.orders_of("A").startswith("GIVE 1 PM TO C")


def test_no_position_that_the_bell_prints_looks_like_an_order() -> None:
    lines = [line for line in BELL.split("\n") if line[4:6] == ": " and line[:4].isupper() and line[6] in "RWGB"]
    assert len(lines) > 50 and not [line for line in lines if looks_like_order(line)]
    assert looks_like_order("MVOE: RU8 PETR-PSKO") and looks_like_order("MVOE: RU8 PETR to PSKO")


# --- what is kept


def test_of_mail_in_a_players_name_without_the_secret_only_so_much_is_kept(post: Post) -> None:
    def kept(size: int, to: str = "orders@bell.test") -> int:
        post.serial += 1
        raw = f"From: {post.address('A')}\nTo: {to}\nMessage-ID: <{post.serial}@x>\n\n".encode() + b"x" * size
        return len(inbox.get(post.services, post.desk.take(raw, Envelope(source="pipe"))).raw)

    secret = f"orders+{post.token('A')}@bell.test"
    assert kept(3_000_000) < 2 * HEAD and kept(3_000_000, secret) > 3_000_000
    assert [kept(2 * HEAD) > 2 * HEAD for _ in range(25)] == [True] * 20 + [False] * 5
    assert kept(2 * HEAD, secret) > 2 * HEAD
    post.write("A", GOOD, To="orders@bell.test")
    assert post.desk.handle(post.hand_in(post.raw("A", GOOD, To="orders@bell.test"))) == "held", "short ones are read"


# --- HTML


NOTICE = "This message and its attachments are confidential and meant for the person named above. " * 4
HTML = "<p>GIVE 1 PM TO B</p><p>GIVE 1 AM TO C</p>"


@pytest.mark.parametrize("first", [True, False])
def test_orders_in_html_are_seen_beside_a_long_notice_in_plain_text(post: Post, first: bool) -> None:
    parts = [("Content-Type: text/html", HTML), ("Content-Type: text/plain", NOTICE)]
    post.write("A", mixed(*(parts if first else parts[::-1])), Content_Type='multipart/mixed; boundary="xx"')
    assert post.orders_of("A") == GOOD


@pytest.mark.parametrize("html", [f'<div style="display:none">{HTML}</div><p>Hello</p>', HTML])
def test_hidden_html_and_what_the_text_marks_as_quoted_is_not_taken(post: Post, html: str) -> None:
    quoted = "" if "none" in html else "\n> GIVE 1 PM TO B\n> GIVE 1 AM TO C\n"
    parts = [("Content-Type: text/html", html), ("Content-Type: text/plain", NOTICE + quoted)]
    post.write("A", mixed(*parts), Content_Type='multipart/mixed; boundary="xx"')
    assert post.orders_of("A") == "-"


INDENT = '<blockquote class="gmail_quote" style="margin:0 0 0 40px;border:none;padding:0px">GIVE 1 AM TO C</blockquote>'


@pytest.mark.parametrize("answers", [True, False])
def test_orders_that_a_program_set_in_as_a_quotation_are_not_lost_silently(post: Post, answers: bool) -> None:
    below = "<p>On Wed, 18 Nov 2026 at 10:00, The Bell &lt;gm@bell.test&gt; wrote:</p><blockquote>Hello</blockquote>"
    html = f"<p>GIVE 1 PM TO B</p>{INDENT}{below if answers else ''}"
    (told,) = post.write("A", html, Content_Type="text/html", Subject="Re: The Bell" if answers else "Orders")
    words = " ".join(told.text.split())
    if "GIVE 1 AM TO C" not in post.orders_of("A"):
        assert 'looks like an order: "GIVE 1 AM TO C"' in words and "NOT taken" in words


def test_what_a_program_quotes_below_a_name_is_not_told_of(post: Post) -> None:
    words = "GIVE 1 PM TO B\n\nOn Wed, 18 Nov 2026 at 10:00, Boris <b@x.test> wrote:\n> GIVE 1 AM TO C\n"
    (told,) = post.write("A", words, Subject="Orders")
    assert "GIVE 1 AM TO C" not in told.text
