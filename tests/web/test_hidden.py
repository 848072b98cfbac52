"""Nobody is shown what would let them act for a seat; a Gamesmaster who plays learns nothing from the others' mail."""

from __future__ import annotations

import quopri
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import update

from gm.campaign.access import callers, links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.mailbox import inbox, letters, outbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.options import CampaignOptions
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.campaign.tokens import STRUCK, strike_secrets
from gm.store.mail_tables import Audit, Outbox
from gm.store.repositories import campaigns
from tests.web.table import OWN, Browser

Make = Callable[[], Browser]
C, G = f"/c/{OWN}", f"/gm/c/{OWN}"


def secrets(services: Services, campaign: str = OWN, letter: str = "A") -> tuple[str, ...]:
    """All that speaks for a seat: its link, as a mail filter rewrites it, its reply addresses, its API token."""
    token = holders.seat_token(services, campaign, letter)
    mark = callers.fingerprint(services, campaign, letter) or ""
    ticket = links.sign(services, Ticket(Purpose.SIGN_IN, campaign, letter, mark))
    link = links.url(services, ticket)
    filtered = "https://safe.example/?url=" + link.replace(":", "%3A").replace("/", "%2F").replace("#", "%23")
    program = links.sign(services, Ticket(Purpose.API, campaign, letter, mark))
    return (
        link,
        filtered,
        f"orders+{token}@bell.test",
        f"orders+{token.upper()}-q7@bell.test",
        f"[bell {token}]",
        program,
    )


def parts(services: Services) -> list[str]:
    """What must not be found anywhere afterwards."""
    token = holders.seat_token(services, OWN, "A")
    return [
        token,
        token.upper(),
        *(s.rpartition(".")[2] for s in secrets(services) if s.count(".") > 1 and "@" not in s),
    ]


def test_secrets_are_struck_and_ordinary_words_stay(table: Services) -> None:
    for secret in secrets(table):
        assert strike_secrets(f"look: {secret} nice") in (f"look: {STRUCK} nice", f"look: [bell {STRUCK}] nice"), secret
    token = holders.seat_token(table, OWN, "A")
    for broken in (f"orders+{token[:13]}\n{token[13:]}@bell.test", f"orders+{token[:13]}=\n{token[13:]}@bell.test"):
        assert strike_secrets(f"look: {broken} nice") == f"look: {STRUCK} nice"
    assert token not in strike_secrets(f"x{token} and {token}x")
    plain = "The Donaudampfschifffahrtsgesellschaft and pneumonoultramicroscopicsilicosis stay."
    assert strike_secrets(plain) == plain
    for secret in (*secrets(table)[:3], secrets(table)[-1]):
        once = "".join(f"%{ord(c):02x}" for c in secret)
        some = "".join(f"%{ord(c):02X}" if n % 5 == 0 else c for n, c in enumerate(secret))
        for quoted in (once, some, once.replace("%", "%25"), secret.replace("/in#", "/%69n#").replace(".", "%2E", 9)):
            struck = strike_secrets(f"look, 100%: {quoted} nice")
            assert struck == f"look, 100%: {STRUCK} nice", quoted
    plain = "100% of 20%41s stay%2e https://x.test/a%20b%2Fc?d=%C3%A9"
    assert strike_secrets(plain) == plain
    plain = "MOVE Lenin, RU8 PETR: PETR-PSKO; https://bell.test/c/june-1918#bell mail anna@players.test " + "ab12" * 16
    assert strike_secrets(plain) == plain


def test_letters_press_requests_and_orders_pass_no_secret_on(table: Services, browser: Make) -> None:
    words = "Here:\n" + "\n".join(secrets(table))
    letters.add_letter(table, OWN, "A", ("B",), words, subject=secrets(table)[2])
    letters.add_press(table, OWN, "A", words)
    deadlines.ask_extension(table, OWN, "A", words)
    intake.submit(table, OWN, "A", f"PRESS {secrets(table)[0]}\nEND\nMOVE {secrets(table)[2]}: A", source="web")
    boris, gm = browser().sit(OWN, "B"), browser().sit(OWN, "GM")
    shown = [boris.get(f"{C}/letters").text, gm.get(G).text, gm.get(f"{G}/audit").text, gm.get(f"{G}/draft").text]
    shown += [m.text + m.subject for m in outbox.listing(table, OWN, None, 20) if m.kind in ("letter", "asked")]
    shown += [str(row.data) for row in lookups.audit(table, OWN)]
    shown += [row.raw + row.canonical for row in intake.versions(table, OWN, "A")]
    assert STRUCK in shown[0] and STRUCK in shown[2]
    assert not [secret for secret in parts(table) for page in shown if secret in page]


def test_the_quarantine_shows_no_secret(table: Services, browser: Make) -> None:
    body = quopri.encodestring("\n".join(secrets(table)).encode())
    raw = b"From: anna@own.test\r\nTo: " + secrets(table)[2].encode() + b"\r\n\r\nlook\r\n" + body
    number = inbox.store(table, raw, source="test", sender="anna@own.test").id
    inbox.quarantine(table, number, "no token", OWN)
    page = browser().sit(OWN, "GM").get(f"{G}/inbox/{number}").text
    assert "look" in page and STRUCK in page
    assert not [secret for secret in parts(table) if secret in page]


@pytest.fixture
def plays(table: Services) -> Iterator[str]:
    """A campaign whose Gamesmaster holds seat A."""
    yield creation.create(
        table,
        name="With a player",
        players=[NewPlayer(n, f"{n.lower()}@x.test") for n in ("Xenia", "Yuri", "Zoya")],
        gm_name="Xenia",
        gm_address="xenia@x.test",
        gm_letter="A",
        options=CampaignOptions(anonymous_letters=True),
    )


def test_a_gamesmaster_who_plays_reads_no_mail_put_aside_and_lets_none_in(
    table: Services, browser: Make, plays: str
) -> None:
    gm = browser().sit(plays, "GM")
    for letter in (None, "B"):
        raw = b"From: yuri@x.test\r\n\r\nGIVE 1 PM TO C " + str(letter).encode()
        number = inbox.store(table, raw, source="test", sender="yuri@x.test").id
        inbox.hold(table, number, plays, letter, "no token: GIVE 1 PM") if letter else inbox.quarantine(
            table, number, "unreadable: GIVE 1 PM", plays
        )
        assert gm.get(f"/gm/c/{plays}/inbox/{number}").status_code == 404
        assert gm.post(f"/gm/c/{plays}/inbox/release", {"number": str(number), "letter": "B"}).status_code == 404
    for page in ("", "/mail"):
        text = gm.get(f"/gm/c/{plays}{page}").text
        assert "yuri@x.test" in text and "GIVE 1 PM" not in text


def test_a_gamesmaster_who_plays_does_not_learn_who_wrote_unsigned(table: Services, browser: Make, plays: str) -> None:
    letters.add_letter(table, plays, "B", ("A",), "Beware.", anonymous=True)
    letters.add_press(table, plays, "C", "All is lost.", "Moscow")
    gm = browser().sit(plays, "GM")
    for page in ("", "/audit", "/mail"):
        text = gm.get(f"/gm/c/{plays}{page}").text
        assert "sender: B" not in text and "letter: C" not in text and "a private letter" not in text
    raw = [(row.actor, row.data) for row in _audit(table, plays) if row.action in ("letter", "press")]
    assert raw and all(actor == "-" and set(data) == {"id"} for actor, data in raw)


def _audit(services: Services, campaign: str) -> list[Audit]:
    with services.store.read() as session:
        return list(campaigns.audit_log(session, campaign))


def test_the_mail_pages_do_not_name_who_wrote_unsigned_by_the_answer(table: Services, browser: Make) -> None:
    change_options.change(table, OWN, {"anonymous_letters": True})
    known = letters.add_letter(table, OWN, "A", ("B",), "Beware.", anonymous=True)
    answer = letters.add_letter(table, OWN, "B", (), "Of whom?", in_reply_to=known)
    mails = [m for m in outbox.listing(table, OWN) if m.headers.get("X-Kolokol-Letter") == str(answer)]
    assert [m.letter for m in mails] == ["A"]
    with table.store.write() as session:
        session.execute(update(Outbox).where(Outbox.id == mails[0].id).values(state="failed"))
    assert {line.id: line.name for line in outbox.shown_to_gm(table, OWN)}[mails[0].id] is None
    gm = browser().sit(OWN, "GM")
    assert "<td>somebody not named</td><td>a private letter</td>" in gm.get(f"{G}/mail").text
    assert "to somebody not named: a private letter" in gm.get(G).text


def test_the_mail_pages_do_not_tell_who_alone_got_no_copy_of_an_unsigned_letter(table: Services, browser: Make) -> None:
    change_options.change(table, OWN, {"anonymous_letters": True})
    players = [seat.letter for seat in lookups.state(table, OWN).seats]
    sent = letters.add_letter(table, OWN, "A", tuple(p for p in players if p != "A"), "Beware.", anonymous=True)
    mails = {m.id for m in outbox.listing(table, OWN) if m.headers.get("X-Kolokol-Letter") == str(sent)}
    assert len(mails) == len(players) - 1
    assert {line.name for line in outbox.shown_to_gm(table, OWN) if line.id in mails} == {None}
    assert "<td>somebody not named</td><td>a private letter</td>" in browser().sit(OWN, "GM").get(f"{G}/mail").text


def test_who_wrote_unsigned_stays_so_through_every_answer(table: Services, browser: Make, plays: str) -> None:
    anna, boris = browser().sit(plays, "B"), browser().sit(plays, "C")
    base = f"/c/{plays}/letters"
    anna.post(base, {"to": ["C"], "text": "one", "anonymous": "true"})
    first = letters.letters_of(table, plays, "C")[-1]
    assert first.sender is None
    assert "goes to whoever wrote it" in boris.get(f"{base}?reply={first.id}").text
    boris.post(f"{base}?reply={first.id}", {"text": "two"})
    second = letters.letters_of(table, plays, "B")[-1]
    assert (second.text, second.sender) == ("two", "C")
    assert letters.letters_of(table, plays, "C")[-1].recipients == (), "not even by his own letter"
    anna.post(f"{base}?reply={second.id}", {"to": ["C"], "text": "three"})
    third = letters.letters_of(table, plays, "C")[-1]
    assert (third.text, third.sender) == ("three", None)
    mail = next(m for m in outbox.listing(table, plays) if "three" in m.text)
    assert "Yuri" not in mail.text and "(B)" not in mail.text
    assert "whoever wrote unsigned" in boris.get(base).text and "C to B" not in boris.get(base).text
