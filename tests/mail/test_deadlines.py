"""Deadlines are promises: who is ready says so, a nearer end is told to all, every place names the one that holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gm.campaign import ticker
from gm.campaign.manage import change_options, deadlines
from gm.campaign.options import CampaignOptions, from_mapping, with_defaults
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.errors import Invalid, NotNow
from gm.store.mail_tables import Outbox
from tests.campaign_fixtures import FakeClock
from tests.mail.post import LETTERS, Post, begin, copy_of, opened, services_on

NEARER = datetime(2026, 3, 2, 0, 15, tzinfo=UTC)  # twelve hours and ten minutes, on a full quarter
FULL = datetime(2026, 3, 8, 20, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def automatic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("begun") / "automatic.sqlite"
    services = services_on(f"sqlite:///{path}", FakeClock())
    begin(services, ready="automatic")
    services.close()
    return path


@pytest.fixture
def by_itself(automatic: Path, tmp_path: Path) -> Iterator[Post]:
    """A campaign in which sheets that are understood make their players ready."""
    yield from opened(copy_of(automatic, tmp_path))


def notices(mails: list[Outbox]) -> dict[str, str]:
    """Who was told of another time, and in which words."""
    return {mail.letter or "": mail.text for mail in mails if mail.kind == "closing"}


def flat(text: str) -> str:
    return " ".join(text.split())


def deadline(post: Post) -> datetime | None:
    return lookups.state(post.services, post.campaign).deadline


def test_a_sheet_on_file_and_ready_are_two_things(post: Post) -> None:
    for letter in LETTERS:
        (receipt,) = post.write(letter, "GIVE 1 PM TO A" if letter != "A" else "GIVE 1 PM TO B")
        assert "answer READY" in receipt.text
    assert deadline(post) == FULL
    for letter in "ABCD":
        (answer,) = post.write(letter, "READY")
        assert "You are READY for" in answer.text and "Elena" in answer.text, "who is waited for is shown"
    mails = post.write("E", "READY")
    assert deadline(post) == NEARER
    answer = next(mail for mail in mails if mail.kind == "answer")
    assert "so is everybody else" in answer.text and "Monday 2 March 2026, 09:15 (Asia/Tokyo)" in answer.text
    told = notices(mails)
    assert sorted(told) == ["A", "B", "C", "D", "GM"], "E learns it by the answer"
    assert "Monday 2 March 2026, 00:15 (Europe/London)" in told["A"] and "Sunday 8 March 2026, 20:00" in told["A"]
    for mail in mails:
        assert "DTSTART:20260302T001500Z" in str(mail.attachments), "and a new entry for the calendar"


def test_the_deadline_that_holds_is_named_wherever_a_deadline_is_named(post: Post) -> None:
    for letter in LETTERS:
        post.write(letter, "VOTE END\nREADY")
    (status,) = post.write("B", "STATUS")
    assert "Deadline:    Monday 2 March 2026, 00:15 (UTC)" in status.text
    assert "Ready:       Anna (A), Boris (B), Clara (C), Dmitri (D) and Elena (E)" in status.text
    (receipt,) = post.write("B", "VOTE CONTINUE")
    assert "Deadline:  Monday 2 March 2026, 00:15 (UTC)" in receipt.text and "You are READY" in receipt.text
    assert "8 March" not in receipt.text
    (extension,) = [mail for mail in post.write("B", "EXTEND please") if mail.letter == "B"]
    assert "Monday 2 March 2026, 00:15 (UTC)" in extension.text
    post.clock.set(NEARER - timedelta(minutes=1))
    ticker.tick(post.services)
    assert lookups.state(post.services, post.campaign).phase == "pregame"
    post.clock.set(NEARER)
    ticker.tick(post.services)
    assert lookups.state(post.services, post.campaign).phase == "first"


@pytest.mark.parametrize("words", ["NOT READY", "I am not ready yet.", "WAIT", "CANCEL ALL"])
def test_whoever_thinks_again_gives_everybody_the_full_time_back(post: Post, words: str) -> None:
    for letter in LETTERS:
        post.write(letter, "VOTE END\nREADY")
    mails = post.write("C", words)
    assert deadline(post) == FULL and sorted(notices(mails)) == ["A", "B", "D", "E", "GM"]
    assert re.search("so all have (it|the full time) again", notices(mails)["A"])
    assert "You are still READY, and your orders stand" in flat(notices(mails)["A"]), "and need not say it again"
    assert "READY" not in notices(mails)["GM"]
    (answer,) = [mail for mail in mails if mail.letter == "C"]
    assert "all have the full time again" in " ".join(answer.text.split()) and "DTSTART" in str(answer.attachments)
    post.clock.set(NEARER + timedelta(hours=1))
    ticker.tick(post.services)
    assert lookups.state(post.services, post.campaign).phase == "pregame"


def test_ready_with_a_line_that_is_not_understood_is_not_noted(post: Post) -> None:
    for letter in "ABCD":
        post.write(letter, "VOTE END\nREADY")
    (receipt,) = post.write("E", "GIVE 1 PM TO B\nGIVE Lennin TO B\nREADY")
    assert "You wrote READY" in receipt.text and deadline(post) == FULL
    post.write("E", "READY")
    assert deadline(post) == NEARER, "said alone it means: as it is"
    post.write("E", "GIVE 1 PM TO B\nGIVE Lennin TO C")
    assert deadline(post) == FULL, "it was said of another sheet"


def test_ready_without_orders_waits_for_them(post: Post) -> None:
    for letter in "ABCD":
        post.write(letter, "VOTE END\nREADY")
    (answer,) = post.write("E", "READY")
    assert "still awaited" in answer.text and deadline(post) == FULL
    post.write("E", "VOTE END")
    assert deadline(post) == NEARER


def test_three_sheets_that_nobody_can_read_close_nothing(by_itself: Post) -> None:
    for letter in LETTERS:
        by_itself.write(letter, "MOVE my army somewhere nice" if letter in "BCD" else "VOTE END")
    assert deadline(by_itself) == FULL
    for letter in "BCD":
        mails = by_itself.write(letter, "VOTE END")
    assert deadline(by_itself) == NEARER and "all orders are in and understood" in notices(mails)["A"]


def test_a_sheet_that_made_its_player_ready_by_itself_says_so_and_how_to_take_it_back(by_itself: Post) -> None:
    (receipt,) = by_itself.write("A", "VOTE END")
    assert "this sheet makes you so: all of it is understood" in flat(receipt.text)
    (refused,) = by_itself.write("E", "GIVE 40 PM TO A")
    told = flat(refused.text)
    assert "NOT ALLOWED" in told and "You are READY with your sheet as it stands, for in this campaign" in told
    assert "whether or not it can be carried out" in told and "answer NOT READY if you want the full time" in told


def test_less_notice_than_was_promised_is_never_given(post: Post) -> None:
    post.clock.set(FULL - timedelta(hours=11))
    for letter in LETTERS:
        post.write(letter, "VOTE END\nREADY")
    assert deadline(post) == FULL


def test_nobody_waits_for_the_absent_the_removed_and_stand_ins(post: Post) -> None:
    for letter in "AB":
        post.write(letter, "VOTE END\nREADY")
    post.write("C", "ABSENT until 20 March")
    holders.remove(post.services, post.campaign, "D", "silence")
    assert deadline(post) == FULL
    holders.set_standin(post.services, post.campaign, "E", True)
    assert deadline(post) == NEARER


def test_a_receipt_names_who_is_not_waited_for_where_the_deadline_comes_nearer_without_them(post: Post) -> None:
    holders.remove(post.services, post.campaign, "D", "silence")
    post.write("C", "ABSENT until 20 March")
    post.write("A", "VOTE END\nREADY")
    post.write("E", "VOTE END\nREADY")
    without = "Not waited for: Clara (is away) and Dmitri (out of the game)."
    mails = post.write("B", "VOTE END\nREADY")
    (receipt,) = [mail for mail in mails if mail.letter == "B"]
    assert "everybody else who is waited for" in flat(receipt.text) and without in flat(receipt.text)
    assert without in flat(notices(mails)["A"]) and "Everybody who is waited for is ready" in notices(mails)["GM"]
    (answer,) = post.write("B", "READY")
    assert "everybody else who is waited for" in flat(answer.text) and without in flat(answer.text)


def test_who_comes_back_before_the_deadline_is_waited_for(post: Post) -> None:
    for letter in "ABCD":
        post.write(letter, "VOTE END\nREADY")
    post.write("E", "ABSENT until 5 March")
    assert deadline(post) == FULL


def test_who_is_ready_is_not_shown_where_the_campaign_does_not_want_it(post: Post) -> None:
    change_options.change(post.services, post.campaign, {"show_ready": False})
    post.write("A", "VOTE END\nREADY")
    (status,) = post.write("B", "STATUS")
    assert "Ready:" not in status.text and "Orders in:" not in status.text
    (answer,) = post.write("C", "VOTE END\nREADY")
    assert "Dmitri" not in answer.text
    (own,) = post.write("A", "STATUS")
    assert "You are:     READY" in own.text


def test_campaigns_from_before_keep_their_way_until_it_is_changed() -> None:
    stored = {name: value for name, value in CampaignOptions().to_json().items() if "ready" not in name}
    del stored["early_close_hours"]
    old = with_defaults(stored)
    assert (old.ready, old.early_close_hours, old.early_delay_minutes) == ("automatic", 0, 10)
    assert (from_mapping({}).ready, from_mapping({}).early_close_hours) == ("said", 12)
    assert with_defaults(CampaignOptions().to_json()) == CampaignOptions()


# --- extensions, pauses


def test_an_extension_never_shortens_without_saying_so_and_why(post: Post) -> None:
    sooner = FULL - timedelta(days=2)
    for given in ({}, {"shorten": True}, {"reason": "holidays"}):
        with pytest.raises(Invalid, match="before the deadline that everybody was told"):
            deadlines.extend(post.services, post.campaign, until=sooner, **given)  # type: ignore[arg-type]
    before = post.newest()
    deadlines.extend(post.services, post.campaign, until=sooner, shorten=True, reason="Nobody is away after all.")
    mails = post.since(before)
    assert deadline(post) == sooner and len(mails) == 6, "the Gamesmaster too"
    assert all("PLEASE NOTE" in mail.text and "Nobody is away" in mail.text for mail in mails)
    assert all("DTSTART:20260306T200000Z" in str(mail.attachments) for mail in mails)


def test_to_grant_an_extension_is_to_extend(post: Post) -> None:
    post.write("A", "HOLD")
    asked = post.write("C", "EXTEND please, my train is late")
    (to_gm,) = [mail for mail in asked if mail.letter == "GM"]
    (request,) = deadlines.requests(post.services, post.campaign)
    assert f"gm campaign grant {post.campaign} {request.id} --hours 48" in to_gm.text
    told = flat(to_gm.text)
    assert to_gm.subject == "June 1918: Clara asks for more time" and told.startswith("Dear Gregor, Clara")
    assert "Clara (C) asks for more time for the trades before the game (request 1)." in told
    assert "The deadline is Sunday 8 March 2026, 20:00" in told and told.count("48") == 2
    assert "To give all players 48 hours more, until Tuesday 10 March 2026, 20:00" in told
    assert "Orders are in from Anna; missing: Boris, Clara, Dmitri and Elena." in told
    with pytest.raises(Invalid, match="how much more time"):
        deadlines.settle_request(post.services, post.campaign, request.id, True)
    before = post.newest()
    deadlines.settle_request(post.services, post.campaign, request.id, True, hours=48)
    assert deadline(post) == FULL + timedelta(days=2)
    texts = {mail.letter: mail.text for mail in post.since(before)}
    assert sorted(texts, key=str) == [*LETTERS, "GM"], "one mail each"
    assert "Gregor gives you, and all others, more time, as you asked" in texts["C"]
    assert "Gregor gives all players more time, as one of them asked" in texts["A"]
    assert "as Clara asked" in texts["GM"] and "Clara writes: please, my train is late" in to_gm.text
    with pytest.raises(NotNow, match="granted already"):
        deadlines.settle_request(post.services, post.campaign, request.id, False)


def test_after_a_pause_the_hour_is_the_one_that_was_set_and_no_time_is_lost(post: Post) -> None:
    deadlines.extend(post.services, post.campaign, until=datetime(2026, 3, 9, 18, 30, tzinfo=UTC))
    post.write("A", "VOTE END\nREADY")
    before = post.newest()
    deadlines.pause(post.services, post.campaign)
    off = [str(mail.attachments) for mail in post.since(before)]
    assert len(off) == 6 and all("METHOD:CANCEL" in entry and "STATUS:CANCELLED" in entry for entry in off)
    post.clock.advance(days=3, hours=5, minutes=14)
    before = post.newest()
    assert deadlines.resume(post.services, post.campaign) == datetime(2026, 3, 13, 18, 30, tzinfo=UTC)
    assert all("DTSTART:20260313T183000Z" in str(mail.attachments) for mail in post.since(before))
    assert lookups.state(post.services, post.campaign).seat("A").ready, "what was said stands"


def test_in_a_pause_nobody_is_told_that_a_phase_closes(post: Post) -> None:
    deadlines.pause(post.services, post.campaign)
    (receipt,) = post.write("A", "VOTE END")
    assert "answer READY: once the campaign goes on, the Phase closes early" in flat(receipt.text)
    (receipt,) = post.write("A", "VOTE END\nREADY")
    assert "While the campaign is paused nothing closes; your word stands when it goes on." in flat(receipt.text)
    (answer,) = post.write("A", "READY")
    assert "none while the campaign is paused, and nothing closes meanwhile" in flat(answer.text)


def test_a_deadline_that_is_set_in_a_pause_stands_after_it(post: Post) -> None:
    deadlines.pause(post.services, post.campaign)
    post.clock.advance(days=2)
    deadlines.extend(post.services, post.campaign, until=FULL + timedelta(days=4))
    post.clock.advance(days=2)
    assert deadlines.resume(post.services, post.campaign) == FULL + timedelta(days=4)


def test_an_early_end_that_was_set_before_a_pause_is_given_its_notice_again(post: Post) -> None:
    for letter in LETTERS:
        post.write(letter, "VOTE END\nREADY")
    deadlines.pause(post.services, post.campaign)
    post.clock.advance(days=1)
    before = post.newest()
    assert deadlines.resume(post.services, post.campaign) == NEARER + timedelta(days=1)
    mails = post.since(before)
    assert [mail.kind for mail in mails] == ["resumed"] * 6, "told once"
    assert all("because everybody who is waited for is ready" in mail.text for mail in mails)
