"""Nobody has a password: a signed ticket, handed over by POST, opens a seat and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from gm.campaign.access.links import Purpose
from gm.campaign.mailbox import outbox
from gm.campaign.manage import creation
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.mail.wiring import builder_for
from tests.campaign_fixtures import FakeClock
from tests.web.table import OTHER, OWN, Browser, ticket

Make = Callable[[], Browser]


def test_a_ticket_opens_its_own_desk(browser: Make) -> None:
    anna = browser().sit(OWN, "A")
    page = anna.get(f"/c/{OWN}/desk")
    assert page.status_code == 200
    assert "Anna" in page.text


def test_a_ticket_leads_to_the_page_that_was_asked_for(browser: Make, table: Services) -> None:
    visitor = browser()
    asked = visitor.get(f"/c/{OWN}/letters")
    assert (asked.status_code, asked.headers["location"]) == (303, f"/in?next=/c/{OWN}/letters")
    token = ticket(table, OWN, "A")
    answer = visitor.post("/in", {"token": token, "next": f"/c/{OWN}/letters"})
    assert answer.headers["location"] == f"/c/{OWN}/letters"


@pytest.mark.parametrize("target", ["//evil.example/", "https://evil.example/", "/\\evil.example"])
def test_nobody_is_led_off_the_site(browser: Make, table: Services, target: str) -> None:
    answer = browser().post("/in", {"token": ticket(table, OWN, "A"), "next": target})
    assert answer.headers["location"] == f"/c/{OWN}/desk"


@pytest.mark.parametrize("spoil", [lambda t: t[:-2] + "xx", lambda t: "x" + t, lambda t: "", lambda t: t.split(".")[0]])
def test_a_spoiled_ticket_opens_nothing(browser: Make, table: Services, spoil: Callable[[str], str]) -> None:
    visitor = browser()
    answer = visitor.post("/in", {"token": spoil(ticket(table, OWN, "A"))})
    assert answer.status_code in (403, 422)
    assert visitor.get(f"/c/{OWN}/desk").status_code == 303


def test_a_ticket_for_one_purpose_is_none_for_another(browser: Make, table: Services) -> None:
    token = ticket(table, OWN, "A", Purpose.API)
    assert browser().post("/in", {"token": token}).status_code == 403


def test_replacing_a_player_ends_his_sessions_and_his_old_links(browser: Make, table: Services) -> None:
    anna, old = browser().sit(OWN, "A"), ticket(table, OWN, "A")
    holders.replace(table, OWN, "A", NewPlayer("Olga", "olga@own.test"))
    assert anna.get(f"/c/{OWN}/desk").status_code == 404
    assert browser().post("/in", {"token": old}).status_code == 403


def test_asking_for_a_link_mails_it_and_does_not_say_whether_the_address_is_known(
    browser: Make, table: Services
) -> None:
    answers = [
        browser().post("/in/link", {"address": address}, follow=True).text
        for address in ("anna@own.test", "nobody@own.test")
    ]
    plain = [a[a.index("<main") : a.index("</main>")] for a in answers]
    assert plain[0].split("csrf")[0] == plain[1].split("csrf")[0]
    mails = [m for m in outbox.listing(table, None) if m.kind == "links"]
    assert [m.address for m in mails] == ["anna@own.test"]
    token = mails[0].text.split("/in#")[1].split()[0]
    assert browser().post("/in", {"token": token}).headers["location"] == f"/c/{OWN}/desk"


def test_links_are_mailed_once_a_quarter_of_an_hour(browser: Make, table: Services) -> None:
    for _ in range(3):
        browser().post("/in/link", {"address": "anna@own.test"})
    assert len([m for m in outbox.listing(table, None) if m.kind == "links"]) == 1


def cookie_of(visitor: Browser) -> dict[str, str]:
    return dict(visitor.client.cookies)


def with_cookie(visitor: Browser, cookie: dict[str, str]) -> Browser:
    """Another browser into which somebody copied a cookie."""
    visitor.client.cookies.update(cookie)
    return visitor


def test_a_copied_cookie_ends_with_the_session_that_was_signed_out(browser: Make) -> None:
    anna = browser().sit(OWN, "A")
    first = cookie_of(anna)
    anna.sit(OTHER, "B")
    second = cookie_of(anna)
    assert with_cookie(browser(), second).get(f"/c/{OTHER}/desk").status_code == 200
    elsewhere = browser().sit(OWN, "A")
    anna.post("/out")
    for copied, desk in ((first, OWN), (second, OWN), (second, OTHER)):
        assert with_cookie(browser(), copied).get(f"/c/{desk}/desk").status_code == 303
    assert elsewhere.get(f"/c/{OWN}/desk").status_code == 200, "another browser of hers stays signed in"


def test_a_copied_cookie_of_the_keeper_ends_too(browser: Make) -> None:
    keeper = browser().sit("", "keeper")
    copied = cookie_of(keeper)
    assert with_cookie(browser(), copied).get("/gm").status_code == 200
    keeper.post("/out")
    assert with_cookie(browser(), copied).get("/gm").status_code == 303


@pytest.mark.parametrize(("letter", "button"), [("A", "/c/own/keys"), ("A", "gm"), ("GM", "gm")])
def test_new_keys_end_every_old_one_at_once(browser: Make, table: Services, letter: str, button: str) -> None:
    holder, thief = browser().sit(OWN, letter), browser().sit(OWN, letter)
    door = f"/gm/c/{OWN}" if letter == "GM" else f"/c/{OWN}/desk"
    link, address = ticket(table, OWN, letter), holders.seat_token(table, OWN, letter)
    program = {"Authorization": f"Bearer {ticket(table, OWN, letter, Purpose.API)}"}
    assert thief.get(door).status_code == 200
    assert browser().get(f"/api/v1/campaigns/{OWN}", headers=program).status_code == 200
    if button == "gm":
        browser().sit(OWN, "GM").post(f"/gm/c/{OWN}/seats/keys", {"letter": letter})
    else:
        assert "New keys for this seat" in holder.get(f"/c/{OWN}/seat").text
        assert "new link is on its way" in holder.post(button, follow=True).text
    assert thief.get(door).status_code != 200 and holder.get(door).status_code != 200
    assert browser().post("/in", {"token": link}).status_code == 403
    assert browser().get(f"/api/v1/campaigns/{OWN}", headers=program).status_code == 401
    assert holders.seat_by_token(table, address) is None, "mail to the old reply address is a stranger's"
    mail = next(m for m in outbox.listing(table, OWN) if m.kind == "new_keys")
    assert mail.address == ("gm@own.test" if letter == "GM" else "anna@own.test")
    worded = next(text for kind, _, text in sent(table) if kind == "new_keys")
    answer = browser().post("/in", {"token": worded.split("/in#")[1].split()[0]})
    assert answer.headers["location"] == door


def test_a_link_to_another_seat_of_the_campaign_is_asked_about_and_takes_its_place(
    browser: Make, table: Services
) -> None:
    anna = browser().sit(OWN, "A").sit(OWN, "GM").sit(OTHER, "B")
    token = ticket(table, OWN, "C")
    page = anna.post("/in", {"token": token, "next": f"/c/{OWN}/letters"})
    assert page.status_code == 200 and "seat of Anna (A)" in page.text and "that of Clara (C)" in page.text
    assert "Desk of A" in anna.get(f"/c/{OWN}/desk").text
    form = dict(re.findall(r'type="hidden" name="(token|next|instead)" value="([^"]+)"', page.text))
    assert anna.post("/in", form).headers["location"] == f"/c/{OWN}/letters"
    assert "Desk of C" in anna.get(f"/c/{OWN}/desk").text
    assert anna.get(f"/gm/c/{OWN}").status_code == anna.get(f"/c/{OTHER}/desk").status_code == 200
    holders.new_keys(table, OWN, "C")
    assert anna.get(f"/c/{OWN}/desk").status_code == 403  # the first seat was left
    assert anna.post("/in", {"token": ticket(table, OWN, "A")}).status_code == 303  # nothing is held any more


def test_signing_out_closes_everything(browser: Make) -> None:
    anna = browser().sit(OWN, "A").sit(OTHER, "B")
    anna.post("/out")
    assert anna.get(f"/c/{OWN}/desk").status_code == 303


def test_the_cookie_is_closed_to_scripts_and_other_sites(browser: Make, table: Services) -> None:
    visitor = browser()
    answer = visitor.post("/in", {"token": ticket(table, OWN, "A")})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_tampered_cookie_is_nobody(browser: Make) -> None:
    anna = browser().sit(OWN, "A")
    value = anna.client.cookies["kolokol"]
    anna.client.cookies.clear()
    anna.client.cookies.set("kolokol", value[:-3] + "abc")
    assert anna.get(f"/c/{OWN}/desk").status_code == 303


def test_a_session_ends_in_the_end(browser: Make, table: Services) -> None:
    anna = browser().sit(OWN, "A")
    days = table.settings.session_days

    class Earlier(TimestampSigner):
        def get_timestamp(self) -> int:
            return super().get_timestamp() - 86_400 * days - 60

    cookie = anna.client.cookies["kolokol"]
    own = URLSafeTimedSerializer(table.secret_key, salt="kolokol/session")
    old = URLSafeTimedSerializer(table.secret_key, salt="kolokol/session", signer=Earlier)
    anna.client.cookies.clear()
    anna.client.cookies.set("kolokol", own.dumps(own.loads(cookie)))
    assert anna.get(f"/c/{OWN}/desk").status_code == 200
    anna.client.cookies.clear()
    anna.client.cookies.set("kolokol", old.dumps(own.loads(cookie)))
    assert anna.get(f"/c/{OWN}/desk").status_code == 303


def test_no_page_gives_a_ticket_or_a_reply_token_away(browser: Make, table: Services) -> None:
    gm = browser().sit(OWN, "GM")
    secrets = [holders.seat_token(table, OWN, letter) for letter in "ABCDE"]
    for path in ("", "/seats", "/mail", "/orders", "/audit", "/draft"):
        page = gm.get(f"/gm/c/{OWN}{path}").text
        assert not [s for s in secrets if s in page.lower()], path


def test_the_unsubscribe_page_asks_before_it_acts(browser: Make, table: Services) -> None:
    from gm.campaign.access import links

    token = links.sign(table, links.Ticket(Purpose.UNSUBSCRIBE, OWN, data={"address": f"rita@{OWN}.test"}))
    visitor = browser()
    page = visitor.post("/in", {"token": token})
    assert page.status_code == 200
    assert "No more mails?" in page.text
    assert visitor.post("/unsubscribe", {"token": token}).status_code == 303
    assert lookups.audit(table, OWN, 1)[0].action == "unsubscribe"


def sent(services: Services) -> list[tuple[str, str, str]]:
    """(kind, reader, all text) of every mail as it goes out."""
    from email import message_from_bytes, policy

    builder = builder_for(services)
    found = []
    for mail in (m for claimed in iter(lambda: outbox.claim(services, "test", 100), []) for m in claimed):
        message = message_from_bytes(builder.build(mail), policy=policy.default)
        parts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
        found.append((mail.kind, mail.letter or "", "\n".join(parts)))
    return found


def test_every_mail_to_a_seat_brings_its_own_way_in_and_no_row_of_the_outbox_keeps_it(
    browser: Make, table: Services
) -> None:
    assert not [m for m in outbox.listing(table, None) if "/in#" in m.text]
    bells = [text for kind, letter, text in sent(table) if (kind, letter) == ("bell", "B")]
    assert len(bells) == 3
    token = next(text for text in bells if "campaign own" in text).split("/in#")[1].split()[0]
    answer = browser().post("/in", {"token": token})
    assert answer.headers["location"] == f"/c/{OWN}/desk"


def test_a_letter_brings_none_for_an_answer_would_quote_it_to_the_other_player(browser: Make, table: Services) -> None:
    browser().sit(OWN, "A").post(f"/c/{OWN}/letters", {"to": ["B"], "text": "Peace?"})
    letters = [text for kind, _, text in sent(table) if kind == "letter"]
    assert len(letters) == 1
    assert "/in#" not in letters[0]


def test_an_invitation_leads_to_the_acceptance(browser: Make, table: Services) -> None:
    campaign = creation.create(
        table,
        name="Autumn",
        players=[NewPlayer(name, f"{name.lower()}@x.test") for name in ("Xenia", "Yuri", "Zoya")],
        gm_name="Gregor",
        gm_address="g@x.test",
    )
    text = next(text for kind, letter, text in sent(table) if (kind, letter) == ("invitation", "A"))
    xenia = browser()
    answer = xenia.post("/in", {"token": text.split("/in#")[1].split()[0]})
    assert answer.headers["location"] == f"/c/{campaign}/seat#accept"
    assert "You are invited" in xenia.get(f"/c/{campaign}/seat").text
    xenia.post(f"/c/{campaign}/accept")
    assert lookups.state(table, campaign).seat("A").status == "held"


def test_an_old_link_opens_nothing_any_more(browser: Make, table: Services, clock: FakeClock) -> None:
    token = ticket(table, OWN, "A")
    clock.advance(days=29)
    assert browser().post("/in", {"token": token}).status_code == 303
    clock.advance(days=2)
    refused = browser().post("/in", {"token": token})
    assert refused.status_code == 403
    assert "too old" in refused.text


def test_whoever_opens_a_closed_archive_without_signing_in_is_told_how_and_nothing_else(browser: Make) -> None:
    closed, invented = (browser().get(f"/c/{name}") for name in (OWN, "there-is-none"))
    assert closed.status_code == invented.status_code == 404
    assert "open the link to your desk first" in closed.text
    assert closed.text.replace(OWN, "x") == invented.text.replace("there-is-none", "x")
