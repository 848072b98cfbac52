"""Limits: letters an hour, what leaves first; and text that no reader sees is no order."""

from __future__ import annotations

import pytest

from gm.board.load import standard_board
from gm.campaign.mailbox import letters, outbox
from gm.campaign.phase import intake
from gm.campaign.ports import Mail
from gm.errors import NotNow
from gm.mail.parse.html import to_text
from tests.mail.post import Post


def test_a_seat_may_write_so_many_letters_an_hour_and_then_again(post: Post) -> None:
    for number in range(letters.LETTERS_AN_HOUR):
        letters.add_letter(post.services, post.campaign, "A", ("B",), f"letter {number}")
    with pytest.raises(NotNow, match="letters in an hour"):
        letters.add_letter(post.services, post.campaign, "A", ("B",), "one more")
    letters.add_letter(post.services, post.campaign, "C", ("B",), "of another seat")
    before = post.newest()
    post.write("A", "PRESS TO B\nfrom a sheet of orders\nEND\n\nGIVE 1 PM TO B")
    told = [mail.kind for mail in post.since(before)]
    assert told == ["press_left_out", "receipt"], "the orders count, the letter is not passed on, and that is told"
    post.clock.advance(hours=1, seconds=1)
    letters.add_letter(post.services, post.campaign, "A", ("B",), "an hour later")


def test_orders_that_take_seconds_to_check_are_answered_unchecked(post: Post) -> None:
    pieces = ",".join(f"#{code}" for code in sorted(standard_board().pieces)[10:70])
    before = post.newest()
    post.write("A", "\n".join([f"MOVE {pieces}: " + "-".join(["ARCH", "VOLO"] * 30)] * 8))
    (told,) = post.since(before)
    words = " ".join(told.text.lower().split())
    assert "than any game could need" in words and "give each force one order" in words
    assert not intake.versions(post.services, post.campaign, "A")


@pytest.mark.parametrize("orders", ["", "\nGIVE 1 PM TO B"])
def test_press_to_a_player_hides_addresses_as_a_letter_does(post: Post, orders: str) -> None:
    mails = post.write("A", f"PRESS TO B\nwrite to {post.address('A').upper()}\nEND\n{orders}")
    (letter,) = [mail for mail in mails if mail.kind == "letter"]
    assert "[address hidden]" in letter.text and post.address("A") not in letter.text.lower()


def test_receipts_leave_before_answers_and_those_before_letters_and_bells(post: Post) -> None:
    for claimed in iter(lambda: outbox.claim(post.services, "w", 100), []):
        for mail in claimed:
            outbox.sent(post.services, mail.id, mail.lease)
    for kind in ("letter", "answer", "receipt", "bell", "letter", "reminder"):
        key = f"{kind}/{post.newest()}"
        outbox.queue(post.services, Mail(key, kind, "a@players.test", "Anna", kind, "x", post.campaign, "A"))
    kinds = [mail.kind for claimed in iter(lambda: outbox.claim(post.services, "w", 10), []) for mail in claimed]
    assert kinds == ["receipt", "reminder", "answer", "letter", "letter", "bell"]


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="font-size:0">RESIGN</div>',
        '<div style="font-size: 0px; color: black">RESIGN</div>',
        '<div style="font-size:0.0em">RESIGN</div>',
        '<div style="opacity:0">RESIGN</div>',
        '<div style="max-height:0;overflow:hidden">RESIGN</div>',
        '<div style="color:#fff">RESIGN</div>',
        '<div style="color:#FFFFFF;background-color:white">RESIGN</div>',
        '<div style="color: rgb(255, 255, 255)">RESIGN</div>',
        '<font color="white">RESIGN</font>',
        '<font color="#ffffff">RESIGN</font>',
        '<style>.x { display: none }</style><p class="big x">RESIGN</p>',
        '<style>p.y, #z { font-size:0 }</style><p id="z">RESIGN</p>',
        '<style>.w { color: white; }</style><p class="w">RESIGN</p>',
        '<div style="position:absolute; left:-9999px">RESIGN</div>',
        "<div hidden>RESIGN</div>",
        '<div style="height:0;overflow:hidden">RESIGN</div>',
        '<div style="width: 1px; overflow: clip">RESIGN</div>',
        '<p style="transform: scale(0)">RESIGN</p>',
        '<p style="transform:scaleY(0.01)">RESIGN</p>',
        '<p style="color:#fefefe">RESIGN</p>',
        '<p style="color: rgb(250, 250, 245)">RESIGN</p>',
        '<font color="#f8f8f8">RESIGN</font>',
        '<p style="color:rgba(0,0,0,0.02)">RESIGN</p>',
        '<p style="font-size:1px">RESIGN</p>',
        '<p style="clip-path: inset(100%)">RESIGN</p>',
        '<p style="font-size:0.01em">RESIGN</p>',
        '<p style="font-size:3%">RESIGN</p>',
        '<p style="font-size:1e-3em">RESIGN</p>',
        r'<p style="dis\70lay:none">RESIGN</p>',
        r'<p style="dis\000070 lay:n\one">RESIGN</p>',
        '<p style="display:/**/none">RESIGN</p>',
        '<p style="dis/* x */play/**/:none">RESIGN</p>',
        '<p style="zoom:0">RESIGN</p>',
        '<p style="zoom: 0.01; color:black">RESIGN</p>',
        "<template>RESIGN</template>",
        "<noscript>RESIGN</noscript>",
        "<title>RESIGN</title>",
        "<textarea>RESIGN</textarea>",
        "<select><option>RESIGN</option></select>",
        "<dialog>RESIGN</dialog>",
        '<style>div > p.z { display: none }</style><div><p class="z">RESIGN</p></div>',
        '<style>.a .z { display: none }</style><div class="a"><div><p class="z">RESIGN</p></div></div>',
        '<style>.a { color: red; .z { display: none } }</style><div class="a"><p class="z">RESIGN</p></div>',
        '<style>.a { & > .z { display: none } }</style><div class="a"><p class="z">RESIGN</p></div>',
        '<style>@media screen { p { color: red } .z { display: none } }</style><p class="z">RESIGN</p>',
        '<style>@media only screen and (min-width: 1px) { .z { display: none } }</style><p class="z">RESIGN</p>',
        '<style>@supports (display: grid) { .z { display: none } }</style><p class="z">RESIGN</p>',
        r'<style>.\7a { dis\70lay: none }</style><p class="z">RESIGN</p>',
        '<style>/* } */ .z { content: "}"; display: none }</style><p class="z">RESIGN</p>',
        '<style>.y { color: red; } .z { display: none</style><p class="z">RESIGN</p>',
    ],
)
def test_what_no_reader_sees_is_no_order(hidden: str) -> None:
    found = to_text(f"<html><body><p>GIVE 1 PM TO B</p>{hidden}<p>Anna</p></body></html>")
    assert "GIVE 1 PM TO B" in found and "Anna" in found and "RESIGN" not in found


@pytest.mark.parametrize(
    "shown",
    [
        '<div style="font-size:10px">MOVE</div>',
        '<div style="font-size:0.9em">MOVE</div>',
        '<div style="background:#000"><span style="color:#fff">MOVE</span></div>',
        '<table bgcolor="#222222"><tr><td style="color:white">MOVE</td></tr></table>',
        '<div style="line-height:1.5; opacity:0.9; color:#996">MOVE</div>',
        '<div style="font-size:85%; zoom:1">MOVE</div>',
        '<div style="font-size:0.8rem; zoom:100%">MOVE</div>',
        '<style>div > p.z { display: none }</style><p class="z">MOVE</p>',
        '<style>p.z { display: none }</style><div class="z">MOVE</div>',
        '<style>.a .z, .b > .z { display: none }</style><div class="b"><div><p class="z">MOVE</p></div></div>',
        '<style>@media print { .z { display: none } }</style><p class="z">MOVE</p>',
        '<style>@media screen and (max-width: 600px) { .z { display: none } }</style><p class="z">MOVE</p>',
        '<style>@media (prefers-color-scheme: dark) { .z { color: white } }</style><p class="z">MOVE</p>',
        "<style>.z { display: none } @media screen { .z { display: block } }</style><p class=z>MOVE</p>",
        '<style>.a { display: none; .z { color: red } }</style><p class="z">MOVE</p>',
        '<style>.d { background: #000 } p.z { color: #fff }</style><div class="d"><p class="z">MOVE</p></div>',
        "<style>body { background: #111; color: #fff }</style><p>MOVE</p>",
        '<style>.z:hover { display: none }</style><p class="z">MOVE</p>',
        '<style>.x { display: none }</style><p class="xx">MOVE</p>',
    ],
)
def test_what_a_reader_sees_stays(shown: str) -> None:
    assert "MOVE" in to_text(f"<html><body>{shown}</body></html>")
