"""Seats that change hands, stand-ins, absences: everybody concerned is told, by mail and in the next Bell."""

from __future__ import annotations

from gm.campaign import ticker
from gm.campaign.mailbox import inbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.phase.drafting import gather_draft
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.roles import GM, KEEPER
from gm.campaign.schedule import local
from gm.campaign.seats import holders
from gm.reports.build import build_view
from gm.reports.render.text import render_text
from gm.store.repositories import campaigns
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
    assert "Gregor has given your seat, D of June 1918, to Xenia." in farewell
    assert "Gregor can put you among the readers of The Bell, to whom every issue is mailed." in farewell
    assert "Gregor gave no reason. To ask for one, or to say goodbye, answer this mail" in farewell
    briefing = " ".join(told["xenia@players.test"].text.split())
    assert "You play D, in place of Dmitri, and have" in " ".join(briefing.split())
    assert "Anna (A)" in briefing and "how-to-play" in briefing
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
    told = [m for m in post.since(0) if m.kind == "aside"]
    assert [(m.address, m.subject) for m in told] == [("gm@players.test", "June 1918: a mail from Dmitri")] * 2
    assert "GIVE 1 PM TO A" in told[0].text and "But I meant it!" in told[1].text, "each is passed on word by word"
    assert "release" not in told[0].text and address in told[0].text, "and whom to answer"
    (kept,) = [m for m in inbox.quarantined(post.services, post.campaign) if m.id == 1]
    assert kept.reason == "from Dmitri, who held D before"


def test_many_mails_of_a_former_holder_are_not_all_passed_on(post: Post) -> None:
    to, address = replaced(post)
    for number in range(8):
        as_dmitri(post, to, address, f"Letter {number} of mine.")
    told = [m.text for m in post.since(0) if m.kind == "aside"]
    assert len(told) == 5 and "Letter 3 of mine" in told[3] and "of mine" not in told[4]


def test_a_gamesmaster_who_plays_reads_no_mail_of_a_former_holder(post: Post) -> None:
    to, address = replaced(post)
    with post.services.store.write() as session:
        campaigns.get(session, post.campaign).gm_letter = "A"  # type: ignore[union-attr]
    (kind,) = as_dmitri(post, to, address, "Boris had promised me Ulagi.")
    assert kind == "dmitri@players.test: June 1918: your mail has come"
    assert not [m for m in post.since(0) if "promised me" in m.text]


def removed(post: Post, *ready: str, actor: str = GM) -> dict[str, str]:
    """What all are told when Boris is taken out, by address; those named are ready before."""
    for letter in ready:
        post.write(letter, "HOLD\nREADY")
    before = post.newest()
    holders.remove(post.services, post.campaign, "B", "He swears.", actor)
    found: dict[str, list[str]] = {}
    for mail in post.since(before):
        found.setdefault(mail.address, []).append(" ".join(mail.text.split()))
    return {address: " / ".join(texts) for address, texts in found.items()}


def test_a_removal_names_the_deadline_that_holds_and_the_points_that_are_lost(post: Post) -> None:
    told = removed(post, "A", "C", "D", "E")
    nearer = lookups.state(post.services, post.campaign).deadline
    gm = told["gm@players.test"]
    assert nearer is not None and local(nearer, "UTC") in gm.split(" / ")[0], "everybody else was ready"
    assert "comes nearer when the others" not in gm
    assert "no points at the end" in told["anna@players.test"] and "no points at the end" in told["boris@players.test"]


def test_a_removal_says_that_the_deadline_may_come_nearer_and_who_did_it(post: Post) -> None:
    told = removed(post)
    gm = told["gm@players.test"]
    assert "Boris, who played B, has been taken out" in gm and "you have" not in gm
    assert "comes nearer when the others are ready" in told["gm@players.test"]
    assert "Gregor has taken Boris" in told["anna@players.test"]


def test_what_the_keeper_does_is_told_as_the_keepers(post: Post) -> None:
    told = removed(post, actor=KEEPER)
    assert "The keeper of this installation has taken you out" in told["boris@players.test"]
    assert "The keeper of this installation has taken Boris" in told["anna@players.test"]
    before = post.newest()
    deadlines.extend(post.services, post.campaign, hours=24, reason="Snow.", actor=KEEPER)
    deadlines.pause(post.services, post.campaign, "More snow.", KEEPER)
    for mail in post.since(before):
        text = " ".join(mail.text.split())
        if mail.address == "gm@players.test":
            assert "you have" not in text.lower() and "The reason given:" in text
        else:
            assert "Gregor" not in text and "keeper of this installation" in text


def test_a_newcomer_is_told_the_deadline_that_holds(post: Post) -> None:
    """A seat of somebody who was to leave, while all others are ready: it is waited for again."""
    removed(post, "A", "C", "D", "E")
    before = post.newest()
    holders.replace(post.services, post.campaign, "B", XENIA)
    holds = lookups.state(post.services, post.campaign).deadline
    mine = [m for m in post.since(before) if m.address == "xenia@players.test"]
    assert holds is not None and len(mine) == 1 and local(holds, "UTC") in mine[0].text


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
    text = " ".join(render_text(build_view(issue.board, issue)).split())
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
    assert all(m.subject == "June 1918: Dmitri has been taken out of the game" for m in told.values())
    assert "Gregor has taken Dmitri, who played D, out of June 1918." in told["A"].text
    assert [letter for letter, m in told.items() if "insulted" in m.text] == ["GM"]
    kinds = [m.kind for m in mails if m.letter == "A"]
    assert kinds == ["leaving", "closing"], "and only then that the deadline comes nearer without him"


def test_everybody_is_told_at_once_who_resigns_or_leaves_to_a_stand_in(post: Post) -> None:
    before = post.newest()
    for letter, words in (("B", "RESIGN"), ("C", "LEAVE TO STANDIN")):
        post.write(letter, words)
        post.write(letter, f"CONFIRM {words.split()[0]}")
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
