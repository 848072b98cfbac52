"""Seats that change hands, stand-ins, absences: everybody concerned is told, by mail and in the next Bell."""

from __future__ import annotations

from gm.board.load import packed
from gm.campaign import ticker
from gm.campaign.mailbox import inbox
from gm.campaign.phase.drafting import gather_draft
from gm.campaign.ports import NewPlayer
from gm.campaign.seats import change_options, deadlines, holders
from gm.reports.build import build_view
from gm.reports.render.text import render_text
from tests.mail.post import Post

XENIA = NewPlayer("Xenia", "xenia@players.test")


def replaced(post: Post) -> tuple[str, str]:
    """(the address for orders, the mail address) of Dmitri, whose seat Xenia has taken."""
    token, address = post.token("D"), post.address("D")
    holders.replace(post.services, post.campaign, "D", XENIA)
    return f"orders+{token}@bell.test", address


def as_dmitri(post: Post, to: str, address: str, words: str, name: str = "Dmitri") -> list[str]:
    before = post.newest()
    post.hand_in(post.raw("A", words, From=f"{name} <{address}>", To=to))
    return [f"{m.address}: {m.subject}" for m in post.since(before) if m.kind != "aside"]


def test_the_replaced_and_the_newcomer_are_told_by_mail(post: Post) -> None:
    before = post.newest()
    replaced(post)
    told = {m.address: m for m in post.since(before)}
    assert "is now held by Xenia" in told["dmitri@players.test"].text
    briefing = " ".join(told["xenia@players.test"].text.split())
    assert "You play D, after Dmitri" in briefing and "Anna (A)" in briefing and "how-to-play" in briefing
    assert "The trades before the game are open for orders until" in briefing and "lasts 4 days" in briefing
    assert "METHOD:CANCEL" in str(told["dmitri@players.test"].attachments)
    for address in ("anna@players.test", "gm@players.test"):
        assert told[address].subject == "June 1918: Xenia plays D now", "all are told at once"
    assert "orders+" not in told["dmitri@players.test"].text


def test_a_former_holder_gets_one_kind_answer_and_nobody_is_asked_about_the_mail(post: Post) -> None:
    to, address = replaced(post)
    first = as_dmitri(post, to, address, "GIVE 1 PM TO A")
    assert first == ["dmitri@players.test: June 1918: the seat is not yours any more"]
    assert as_dmitri(post, to, address, "But I meant it!") == []
    assert post.orders_of("D") == "-"
    (kept,) = [m for m in inbox.quarantined(post.services, post.campaign) if m.id == 1]
    assert kept.reason == "from Dmitri, who held D before"


def test_nobody_is_asked_to_confirm_a_mail_in_anothers_name(post: Post) -> None:
    to = f"orders+{post.token('A')}@bell.test"
    assert as_dmitri(post, to, "boris@elsewhere.test", "GIVE 1 PM TO B", "Boris") == []
    (asked,) = as_dmitri(post, to, "anna@work.test", "GIVE 1 PM TO B", "Anna")
    assert asked.startswith("anna@players.test: Did you send this?")


def test_the_next_bell_tells_all_who_took_over_who_will_be_away_and_who_sent_nothing(post: Post) -> None:
    replaced(post)
    post.write("B", "ABSENT from 2027-03-05 to 2027-03-12")
    holders.set_standin(post.services, post.campaign, "C", True)
    change_options.change(post.services, post.campaign, {"publish": "manual"})
    deadlines.close_early(post.services, post.campaign)
    ticker.tick(post.services)
    issue = gather_draft(post.services, post.campaign).issue
    text = " ".join(render_text(build_view(packed(issue.pack), issue)).split())
    assert "No orders were received" in text
    assert "Xenia (“D”) has taken over the seat of Dmitri." in text
    assert "Boris (“B”) will be away from 5 March 2027 to 12 March 2027." in text
    assert "A stand-in plays for Clara (“C”) whenever no orders come." in text


def test_who_is_played_by_a_stand_in_is_told_by_mail(post: Post) -> None:
    before = post.newest()
    holders.set_standin(post.services, post.campaign, "C", True)
    holders.set_standin(post.services, post.campaign, "C", True)
    holders.set_standin(post.services, post.campaign, "C", False)
    assert [m.subject for m in post.since(before) if m.address == "clara@players.test"] == [
        "June 1918: a stand-in plays for you",
        "June 1918: you play by yourself again",
    ]
