"""Seats that change hands, stand-ins, absences: everybody concerned is told, by mail and in the next Bell."""

from __future__ import annotations

from gm.board.load import packed
from gm.campaign import ticker
from gm.campaign.mailbox import inbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.phase.drafting import gather_draft
from gm.campaign.ports import NewPlayer
from gm.campaign.seats import holders
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
    farewell = " ".join(told["dmitri@players.test"].text.split())
    assert "is now held by Xenia, to whom Gregor has given it" in farewell
    assert "No reason was entered. To ask for it, or to say goodbye, answer this mail" in farewell
    briefing = " ".join(told["xenia@players.test"].text.split())
    assert "You play D, after Dmitri" in briefing and "Anna (A)" in briefing and "how-to-play" in briefing
    assert "The trades before the game are open for orders until" in briefing and "lasts about 4 days" in briefing
    assert "METHOD:CANCEL" in str(told["dmitri@players.test"].attachments)
    for address in ("anna@players.test", "gm@players.test"):
        assert told[address].subject == "June 1918: Xenia plays D now", "all are told at once"
    assert "orders+" not in told["dmitri@players.test"].text


def test_a_former_holder_gets_one_kind_answer_and_nobody_is_asked_about_the_mail(post: Post) -> None:
    to, address = replaced(post)
    first = as_dmitri(post, to, address, "GIVE 1 PM TO A")
    assert first == ["dmitri@players.test: June 1918: your mail has gone to Gregor"]
    (kind,) = [m for m in post.since(0) if "has gone to Gregor" in m.subject]
    assert "Xenia plays D of June 1918 now" in kind.text and "told this once" not in kind.text
    assert as_dmitri(post, to, address, "But I meant it!") == []
    assert post.orders_of("D") == "-"
    (told,) = [m for m in post.since(0) if m.kind == "aside"]
    assert told.subject == "June 1918: a mail of Dmitri" and "release" not in told.text
    (kept,) = [m for m in inbox.quarantined(post.services, post.campaign) if m.id == 1]
    assert kept.reason == "from Dmitri, who held D before"


def test_nobody_is_asked_to_confirm_a_mail_in_anothers_name(post: Post) -> None:
    to = f"orders+{post.token('A')}@bell.test"
    assert as_dmitri(post, to, "boris@elsewhere.test", "GIVE 1 PM TO B", "Boris") == []
    (asked,) = as_dmitri(post, to, "anna@work.test", "GIVE 1 PM TO B", "Anna")
    assert asked.startswith("anna@players.test: Did you send this?")


def test_the_next_bell_tells_all_who_took_over_who_will_be_away_and_who_sent_nothing(post: Post) -> None:
    replaced(post)
    post.write("B", "ABSENT from 2026-05-05 to 2026-05-12")
    holders.set_standin(post.services, post.campaign, "C", True)
    change_options.change(post.services, post.campaign, {"publish": "manual"})
    deadlines.close_early(post.services, post.campaign)
    ticker.tick(post.services)
    issue = gather_draft(post.services, post.campaign).issue
    text = " ".join(render_text(build_view(packed(issue.pack), issue)).split())
    assert "No orders were received" in text
    assert "Xenia (“D”) has taken over the seat of Dmitri." in text
    assert "Boris (“B”) will be away from 5 May 2026 to 12 May 2026." in text
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


def test_everybody_is_told_at_once_that_a_player_is_taken_out_but_not_why(post: Post) -> None:
    for letter in "ABCE":
        post.write(letter, "VOTE END\nREADY")
    before = post.newest()
    holders.remove(post.services, post.campaign, "D", "He insulted Clara.")
    mails = post.since(before)
    told = {m.letter: m for m in mails if m.kind == "leaving"}
    assert sorted(told, key=str) == ["A", "B", "C", "E", "GM"]
    assert all(m.subject == "June 1918: Dmitri is taken out of the game" for m in told.values())
    assert "Gregor has taken Dmitri, who plays D, out of June 1918." in told["A"].text
    assert [letter for letter, m in told.items() if "insulted" in m.text] == ["GM"]
    kinds = [m.kind for m in mails if m.letter == "A"]
    assert kinds == ["leaving", "closing"], "and only then that the deadline comes nearer without him"


def test_everybody_is_told_at_once_who_resigns_or_leaves_to_a_stand_in(post: Post) -> None:
    before = post.newest()
    post.write("B", "CONFIRM RESIGN")
    post.write("C", "CONFIRM LEAVE")
    subjects = [m.subject for m in post.since(before) if m.letter == "A"]
    assert subjects == ["June 1918: Boris resigns", "June 1918: Clara leaves to a stand-in"]


def test_who_is_out_of_the_game_is_not_answered_as_a_player_and_can_end_the_mails(post: Post) -> None:
    holders.remove(post.services, post.campaign, "D", "")
    (status,) = post.write("D", "STATUS")
    assert "out of the game" in status.text and "Your orders" not in status.text
    (refused,) = post.write("D", "EXTEND please")
    assert "out of the game" in refused.text
    deadlines.close_early(post.services, post.campaign)
    ticker.tick(post.services)
    assert "D" in {m.letter for m in post.since(0) if m.subject.startswith("The Bell #2")}
    (answer,) = post.write("D", "UNSUBSCRIBE")
    assert "You are out of June 1918" in answer.text and "RESIGN" not in answer.text
    before = post.newest()
    deadlines.close_early(post.services, post.campaign)
    ticker.tick(post.services)
    assert {m.letter for m in post.since(before) if m.kind == "bell"} == {"A", "B", "C", "E", "GM"}


def test_a_deadline_is_called_off_only_for_those_who_had_it(post: Post) -> None:
    holders.remove(post.services, post.campaign, "D", "")
    deadlines.close_early(post.services, post.campaign)
    ticker.tick(post.services)
    before = post.newest()
    creation.finish(post.services, post.campaign, "Enough.")
    ticker.tick(post.services)
    off = {m.letter: "METHOD:CANCEL" in str(m.attachments) for m in post.since(before) if m.kind == "bell"}
    assert off == {"A": True, "B": True, "C": True, "D": False, "E": True, "GM": True}


def test_a_newcomer_is_not_told_what_lies_behind_them(post: Post) -> None:
    before = post.newest()
    replaced(post)
    (briefing,) = [m.text for m in post.since(before) if m.address == "xenia@players.test"]
    assert "A First Phase lasts" in briefing and "after the deal" not in briefing and "has accepted" not in briefing
    assert "It closes 12 hours and 10 minutes after the last player is ready" in " ".join(briefing.split())
