"""A Gamesmaster who plays takes no time from the others and sees no more than they do; who closes early is printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from gm.campaign import ticker
from gm.campaign.mailbox import letters, outbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.roles import GM, KEEPER
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.errors import Invalid, NotAllowed
from gm.store.repositories import people
from tests.campaign_fixtures import FakeClock
from tests.web.table import OWN, Browser

Make = Callable[[], Browser]


def begin(services: Services, **options: object) -> str:
    campaign = creation.create(
        services,
        name="With a player",
        players=[NewPlayer(n, f"{n.lower()}@x.test") for n in ("Xenia", "Yuri", "Zoya")],
        gm_name="Xenia",
        gm_address="xenia@x.test",
        gm_letter="A",
        options=options,
    )
    creation.deal(services, campaign, force=True)
    ticker.tick(services, "test")
    return campaign


def test_a_gamesmaster_who_plays_closes_nothing_early(browser: Make, table: Services) -> None:
    campaign = begin(table)
    gm = browser().sit(campaign, GM)
    assert "Close it now" not in gm.get(f"/gm/c/{campaign}").text
    assert gm.post(f"/gm/c/{campaign}/close").status_code == 403
    with pytest.raises(NotAllowed):  # the same by another way
        deadlines.extend(table, campaign, hours=-24, shorten=True, reason="I am in")
    assert lookups.state(table, campaign).phase_state == "open"
    told = lookups.state(table, campaign).deadline
    assert told is not None
    deadlines.close_early(table, campaign, KEEPER, "The server moves.")
    ticker.tick(table, "test")
    bell = lookups.latest_bell(table, campaign)
    assert bell is not None
    printed = " ".join(bell.text.split())
    assert "Whoever keeps the installation closed this Phase on" in printed
    assert f"{told:%H:%M}" in printed and "The server moves." in printed


@pytest.mark.parametrize(("reason", "printed"), [("", "none was given"), ("All are in.", "All are in.")])
def test_the_bell_says_that_a_phase_was_closed_early(browser: Make, table: Services, reason: str, printed: str) -> None:
    gm = browser().sit(OWN, GM)
    told = lookups.state(table, OWN).deadline
    assert told is not None and "Close it now" in gm.get(f"/gm/c/{OWN}").text
    gm.post(f"/gm/c/{OWN}/close", {"reason": reason})
    page = " ".join(gm.get(f"/gm/c/{OWN}/draft/copy/public").text.split())
    assert "The Gamesmaster closed this Phase on" in page and "before its deadline, which was" in page
    assert f"{told.day} {told:%B %Y}" in page and printed in page


def test_where_players_do_not_see_who_is_ready_a_gamesmaster_who_plays_does_not(browser: Make, table: Services) -> None:
    campaign = begin(table, show_ready=False)
    gm = browser().sit(campaign, GM)
    intake.submit(table, campaign, "B", "GIVE 1 PM TO C", source="mail")
    intake.say_ready(table, campaign, "B", True)
    at = f"/gm/c/{campaign}"
    for page in (at, f"{at}/orders", f"{at}/seats", "/gm"):
        seen = gm.get(page).text
        assert 'tag good">in<' not in seen and 'tag good">ready' not in seen and ": has ordered" not in seen, page
    assert "B ready" not in (log := gm.get(f"{at}/audit").text) and ">orders<" not in log
    assert not [line for line in lookups.audit(table, campaign) if line.action in ("orders", "ready")]
    assert "Whoever is missing is reminded." in gm.post(f"{at}/nudge", follow=True).text
    assert [line.data for line in lookups.audit(table, campaign) if line.action == "nudge"] == [{}]
    queued = outbox.listing(table, campaign)
    assert any(mail.kind == "reminder" for mail in queued)
    subjects = [mail.subject for mail in queued if mail.kind == "reminder" and mail.letter == "C"]
    assert not [
        line for line in outbox.shown_to_gm(table, campaign) if line.subject in subjects and line.name == "Zoya"
    ]
    state = lookups.state_for_gm(table, campaign)
    assert [(seat.ordered, seat.ready, seat.told) for seat in state.seats] == [
        (False, False, True),
        (False, False, False),
        (False, False, False),
    ]
    assert lookups.state(table, campaign).seat("B").ready


def hurry(services: Services, campaign: str) -> None:
    """Everybody orders and is ready: the deadline comes nearer."""
    for letter in "ABC":
        intake.submit(services, campaign, letter, "HOLD", source="web", ready=True)


def test_a_nearer_deadline_that_is_moved_a_little_leaves_everybody_the_full_time(table: Services) -> None:
    campaign = begin(table)
    full = lookups.state(table, campaign).deadline
    hurry(table, campaign)
    nearer = lookups.state(table, campaign)
    assert nearer.deadline is not None and full is not None and nearer.deadline < full == nearer.full_deadline
    deadlines.extend(table, campaign, hours=1, reason="a little more")
    moved = lookups.state(table, campaign)
    assert (moved.deadline, moved.full_deadline) == (nearer.deadline + timedelta(hours=1), full)
    intake.say_ready(table, campaign, "B", False)
    assert lookups.state(table, campaign).deadline == full
    intake.say_ready(table, campaign, "B", True)
    deadlines.extend(table, campaign, until=full + timedelta(days=1))
    assert lookups.state(table, campaign).full_deadline is None


@pytest.mark.parametrize("show_ready", [True, False])
def test_the_number_of_mails_that_wait_tells_nothing_of_the_others(
    browser: Make, table: Services, show_ready: bool
) -> None:
    campaign = begin(table, show_ready=show_ready)
    gm = browser().sit(campaign, GM)
    at = f"/gm/c/{campaign}"

    def counted() -> tuple[str, str, str]:
        desk, overview = gm.get(at).text, gm.get("/gm").text
        queued = re.search(r"(\d+) queued, (\d+) failed", desk)
        assert queued is not None
        return (queued[1], queued[2], "".join(re.findall(r"(\d+) queued", overview)))

    before = counted()
    assert int(before[0]) == sum(m.state == "queued" for m in outbox.shown_to_gm(table, campaign, None, 500))
    letters.add_letter(table, campaign, "B", ("C",), "Let us divide it all.")
    assert counted() == before
    if not show_ready:
        intake.submit(table, campaign, "A", "HOLD", source="mail")  # else the nudge reminds the Gamesmaster's own seat
        gm.post(f"{at}/nudge")
        assert any(mail.kind == "reminder" for mail in outbox.listing(table, campaign))
        assert counted() == before


def test_stand_ins_that_a_gamesmaster_who_plays_sets_play_at_the_full_deadline(browser: Make, table: Services) -> None:
    campaign = begin(table)
    full = lookups.state(table, campaign).deadline
    gm = browser().sit(campaign, GM)
    intake.submit(table, campaign, "A", "HOLD", source="web", ready=True)
    for letter in "BC":
        assert gm.post(f"/gm/c/{campaign}/seats/standin", {"letter": letter, "on": "true"}).status_code == 303
    assert lookups.state(table, campaign).deadline == full
    told = intake.say_ready(table, campaign, "A", True)
    assert (told.nearer, told.awaited) == (False, ("B", "C"))
    assert "Nearer" not in browser().sit(campaign, "B").get(f"/c/{campaign}/desk").text
    for letter in "BC":  # who orders and is ready all the same is waited for no longer
        intake.submit(table, campaign, letter, "HOLD", source="web", ready=True)
    assert lookups.state(table, campaign).full_deadline == full
    intake.say_ready(table, campaign, "B", False)
    assert lookups.state(table, campaign).deadline == full


def test_at_the_full_deadline_they_play_without_grace(table: Services, clock: FakeClock) -> None:
    campaign = begin(table)
    intake.submit(table, campaign, "A", "HOLD", source="web", ready=True)
    for letter in "BC":
        holders.set_standin(table, campaign, letter, True)
    full = lookups.state(table, campaign).deadline
    assert full is not None
    clock.set(full)
    ticker.tick(table, "test")
    assert lookups.state(table, campaign).bell_number == 2


def test_the_keeper_sets_stand_ins_for_whom_nobody_waits(table: Services) -> None:
    campaign = begin(table)
    full = lookups.state(table, campaign).deadline
    intake.submit(table, campaign, "A", "HOLD", source="web", ready=True)
    for letter in "BC":
        holders.set_standin(table, campaign, letter, True, KEEPER)
    assert lookups.state(table, campaign).full_deadline == full


@pytest.mark.parametrize("act", ["options", "remove", "leave"])
@pytest.mark.parametrize("actor", [GM, KEEPER])
def test_what_a_gamesmaster_who_plays_changes_brings_no_deadline_nearer(
    table: Services, act: str, actor: str, clock: FakeClock
) -> None:
    campaign = begin(table)
    full = lookups.state(table, campaign).deadline
    clock.advance(minutes=5)
    for letter in "AB":
        intake.submit(table, campaign, letter, "HOLD", source="web", ready=True)
    if act == "options":
        change_options.change(table, campaign, {"early_close_hours": 0}, actor)
        intake.submit(table, campaign, "C", "HOLD", source="web", ready=True)
    elif act == "remove":
        holders.remove(table, campaign, "C", "silence", actor)
    else:
        holders.leave_to_standin(table, campaign, "C", actor=actor)
    found = lookups.state(table, campaign)
    assert (found.deadline == full) == (actor == GM)
    removed = [mail for mail in outbox.listing(table, campaign) if mail.kind in ("removed", "leaving")]
    assert actor == KEEPER or not [m for m in removed if "nearer" in m.text or "may close before" in m.text]


def test_a_gamesmaster_who_plays_cuts_no_grace(table: Services, clock: FakeClock) -> None:
    campaign = begin(table)
    with pytest.raises(NotAllowed):
        change_options.change(table, campaign, {"grace_hours": 0})
    intake.submit(table, campaign, "A", "HOLD", source="web", ready=True)
    full = lookups.state(table, campaign).deadline
    assert full is not None
    clock.set(full)
    ticker.tick(table, "test")
    assert lookups.state(table, campaign).phase_state == "grace"
    holders.set_standin(table, campaign, "B", True)
    holders.remove(table, campaign, "C", "silence")
    ticker.tick(table, "test")
    assert lookups.state(table, campaign).phase_state == "grace"
    change_options.change(table, campaign, {"grace_hours": 1}, KEEPER)


def test_a_gamesmaster_who_plays_shuts_nobody_out_with_new_keys(browser: Make, table: Services) -> None:
    campaign = begin(table)
    gm, player = browser().sit(campaign, GM), browser().sit(campaign, "B")
    assert gm.get(f"/gm/c/{campaign}/seats").text.count("/seats/keys") == 2, "for the own seat and the own chair"
    assert gm.post(f"/gm/c/{campaign}/seats/keys", {"letter": "B"}).status_code == 403
    assert player.get(f"/c/{campaign}/desk").status_code == 200
    assert gm.post(f"/gm/c/{campaign}/seats/keys", {"letter": "A"}).status_code == 303
    assert player.post(f"/c/{campaign}/keys").status_code == 303, "a holder makes new ones"
    holders.new_keys(table, campaign, "B", KEEPER)


def test_a_gamesmaster_makes_few_new_keys_of_a_seat_in_a_day(browser: Make, table: Services, clock: FakeClock) -> None:
    gm = browser().sit(OWN, GM)
    at = f"/gm/c/{OWN}/seats/keys"
    answers = [gm.post(at, {"letter": "C"}).status_code for _ in range(holders.KEYS_A_DAY + 2)]
    assert answers == [303] * holders.KEYS_A_DAY + [409, 409]
    assert gm.post(at, {"letter": "D"}).status_code == 303
    holders.new_keys(table, OWN, "C", "C")
    clock.advance(days=1, minutes=1)
    assert gm.post(at, {"letter": "C"}).status_code == 303


def test_a_gamesmaster_who_plays_does_not_choose_when_it_ends(browser: Make, table: Services) -> None:
    campaign = begin(table)
    gm = browser().sit(campaign, GM)
    assert "End the campaign" not in gm.get(f"/gm/c/{campaign}").text
    assert "End the campaign" in browser().sit(OWN, GM).get(f"/gm/c/{OWN}").text
    assert gm.post(f"/gm/c/{campaign}/finish", {"reason": "I lead"}).status_code == 403
    deadlines.pause(table, campaign)
    assert gm.post(f"/gm/c/{campaign}/finish", {"reason": "I lead"}).status_code == 403
    creation.finish(table, campaign, "We must part.", KEEPER)


def test_a_gamesmaster_who_plays_does_not_have_shown_what_was_hidden(table: Services) -> None:
    campaign = begin(table, show_ready=False)
    with pytest.raises(NotAllowed, match="who is ready"):
        change_options.change(table, campaign, {"show_ready": True})
    change_options.change(table, campaign, {"show_ready": True}, KEEPER)
    change_options.change(table, campaign, {"show_ready": False})


def invited(services: Services, gm_address: str = "xenia@x.test", gm_letter: str | None = "A") -> str:
    names = ("Xenia", "Yuri", "Zoya", "Ada")
    return creation.create(
        services,
        name="Not dealt",
        players=[NewPlayer(n, f"{n.lower()}@x.test") for n in names],
        gm_name="Xenia",
        gm_address=gm_address,
        gm_letter=gm_letter,
        options={"auto_deal": False},
    )


NEW = {"name": "Sock", "address": "sock@x.test", "zone": "UTC"}


def test_before_the_deal_too_a_gamesmaster_who_plays_gives_no_accepted_seat_away(
    browser: Make, table: Services
) -> None:
    campaign = invited(table)
    gm = browser().sit(campaign, GM)
    creation.accept(table, campaign, "B")
    assert gm.post(f"/gm/c/{campaign}/seats/replace", {"letter": "B", **NEW}).status_code == 403
    assert gm.post(f"/gm/c/{campaign}/seats/replace", {"letter": "C", **NEW}).status_code == 303, "no answer yet"
    creation.decline(table, campaign, "D")
    other = {**NEW, "address": "other@x.test"}
    assert gm.post(f"/gm/c/{campaign}/seats/replace", {"letter": "D", **other}).status_code == 303
    holders.replace(table, campaign, "B", NewPlayer("Olga", "olga@x.test"), KEEPER)


def test_who_takes_a_seat_before_the_deal_gets_no_letters_of_before(
    browser: Make, table: Services, clock: FakeClock
) -> None:
    campaign = invited(table)
    creation.accept(table, campaign, "B")
    letters.add_letter(table, campaign, "B", ["C"], "Let us fall upon Xenia.")
    letters.add_letter(table, campaign, "C", ["B"], "When the snow melts.")
    clock.advance(hours=1)
    holders.replace(table, campaign, "C", NewPlayer("Sock", "sock@x.test"))
    assert letters.letters_of(table, campaign, "C") == [] and letters.unread(table, campaign, "C") == 0
    assert "snow" not in browser().sit(campaign, "C").get(f"/c/{campaign}/letters").text
    clock.advance(hours=1)
    letters.add_letter(table, campaign, "B", ["C"], "Who are you?")
    creation.deal(table, campaign, force=True)
    ticker.tick(table, "test")
    clock.advance(hours=1)
    holders.replace(table, campaign, "C", NewPlayer("Late", "late@x.test"), KEEPER)
    assert [item.text for item in letters.letters_of(table, campaign, "C")] == ["Who are you?"]
    assert len(letters.letters_of(table, campaign, "B")) == 3


# --- who plays says so


def test_a_gamesmaster_who_does_not_play_takes_no_seat(browser: Make, table: Services) -> None:
    with pytest.raises(Invalid, match="name it as the seat that they play"):
        invited(table, "Zoya@X.test", None)
    with pytest.raises(Invalid, match="name it as the seat that they play"):
        invited(table, "zoya@x.test", "A")
    campaign = invited(table, "gregor@x.test", None)
    gm = browser().sit(campaign, GM)
    own = {"letter": "B", "name": "Gregor", "address": "GREGOR@x.test", "zone": "UTC"}
    answer = gm.post(f"/gm/c/{campaign}/seats/replace", own)
    assert answer.status_code == 422 and "new campaign" in answer.text
    creation.deal(table, campaign, force=True)
    ticker.tick(table, "test")
    assert gm.post(f"/gm/c/{campaign}/seats/replace", own).status_code == 422
    with pytest.raises(Invalid):
        holders.replace(table, campaign, "B", NewPlayer("Gregor", "gregor@x.test"), KEEPER)


def test_nor_accepts_one_that_was_given_before(table: Services) -> None:
    campaign = invited(table, "gregor@x.test", None)
    with table.store.write() as session:
        holder = people.seats_with_holders(session, campaign)[1][1]
        assert holder is not None
        holder.address = "gregor@x.test"
    with pytest.raises(Invalid, match="own address"):
        creation.accept(table, campaign, "B")
    with pytest.raises(Invalid, match="own address"):
        creation.deal(table, campaign, force=True)
    holders.replace(table, campaign, "B", NewPlayer("Olga", "olga@x.test"))
    assert not creation.accept(table, campaign, "B")


def test_the_seat_that_a_gamesmaster_plays_is_at_their_address(table: Services) -> None:
    with pytest.raises(Invalid, match="another address"):
        invited(table, "gregor@x.test", "A")
