"""June 1918 of the sample game, wholly by mail: from the invitation to The Bell #4, with real servers on loopback."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.adjudicator.chance import Chance, ScriptedChance
from gm.adjudicator.engine.options import GameOptions
from gm.adjudicator.outcome import Outcome
from gm.adjudicator.sequence import adjudicate
from gm.board.load import standard_board
from gm.board.model import Board
from gm.campaign.mailbox import inbox, outbox
from gm.campaign.manage import creation
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.cases.reader import Case, read_cases
from gm.orders.kinds import Sheet
from gm.position import Phase, Player, Position
from gm.worker import Worker, make_worker
from tests.campaign_fixtures import FakeClock, installed, settings_for
from tests.mail.programs import gmail, iphone, mutt, outlook, thunderbird
from tests.mail.world import HERE, PASSWORD, USER, Imap, Person, World, html_of, text_of
from tests.support import wait_until

CASES = Path(__file__).parent.parent / "cases" / "published" / "bell.case"
PEOPLE = (
    ("A", "Anna", "Europe/London", gmail),
    ("B", "Boris", "UTC", outlook),
    ("C", "Clara", "America/New_York", mutt),
    ("D", "Dmitri", "Europe/Berlin", iphone),
    ("E", "Elena", "Asia/Tokyo", thunderbird),
)


@pytest.fixture(scope="module")
def cases() -> dict[Phase, Case]:
    found = list(read_cases(standard_board(), [CASES]))
    assert [c.error for c in found] == [None] * 4
    return dict(zip((Phase.SETUP, Phase.PREGAME, Phase.FIRST, Phase.SECOND), found, strict=True))


def rules_of_1976(cases: Mapping[Phase, Case], used: list[ScriptedChance]) -> Callable[..., Outcome]:
    """The adjudicator with the luck of the sample game instead of its own dice."""

    def rules(
        board: Board, position: Position, orders: Mapping[Player, Sheet], chance: Chance, options: GameOptions
    ) -> Outcome:
        scripted = cases[position.phase].luck.chance()
        used.append(scripted)
        return adjudicate(board, position, orders, scripted, options)

    return rules


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    imap = Imap(tmp_path / "pymap.log")
    made = World(imap)
    yield made
    made.stop()
    imap.kill()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def luck() -> list[ScriptedChance]:
    return []


@pytest.fixture
def services(
    sqlite_url: str, clock: FakeClock, world: World, cases: dict[Phase, Case], luck: list[ScriptedChance]
) -> Iterator[Services]:
    settings = replace(
        settings_for(sqlite_url),
        mail_transport="smtp",
        mail_from=f"gm@{HERE}",
        mail_domain=HERE,
        orders_address=f"orders@{HERE}",
        smtp_host="127.0.0.1",
        smtp_port=world.port,
        smtp_tls="none",
        mails_per_minute=100_000,
        imap_host="127.0.0.1",
        imap_port=world.imap.port,
        imap_tls=False,
        imap_user=USER,
        imap_password=PASSWORD,
    )
    made = installed(settings, clock=clock, rules=rules_of_1976(cases, luck))
    yield made
    made.close()


@pytest.fixture
def worker(services: Services) -> Iterator[Worker]:
    made = make_worker(services)
    made.open()
    yield made
    made.close()
    made.sender.close()  # type: ignore[attr-defined]


@pytest.fixture
def people(world: World) -> dict[str, Person]:
    return {
        letter: Person(letter, name, f"{name.lower()}@players.test", zone, program, world)
        for letter, name, zone, program in PEOPLE
    }


def invite(services: Services, people: dict[str, Person], **options: object) -> str:
    seats = [NewPlayer(p.name, p.address, p.zone, letter) for letter, p in people.items()]
    return creation.create(
        services,
        name="The sample game",
        players=seats,
        gm_name="Gregor",
        gm_address="gregor@players.test",
        options={"ready": "automatic", "early_close_hours": 0, "early_delay_minutes": 0, "min_hours": 0} | options,
    )


def play(worker: Worker, people: dict[str, Person], case: Case, issue: int, clock: FakeClock) -> None:
    """Everybody answers the Bell with his orders and gets a receipt; then the Phase closes by itself."""
    sheets = {letter: text for letter, text in case.orders.items() if text.strip()}
    for letter, person in people.items():
        bell = person.waits_for(f"#{issue}")
        person.answers(bell, sheets.get(letter, "VOTE CONTINUE"))
    for person in people.values():
        receipt = person.waits_for("are on file", issue)
        assert "NOT UNDERSTOOD" not in text_of(receipt), text_of(receipt)
        assert receipt["Auto-Submitted"] == "auto-replied"
    clock.advance(minutes=1)
    worker.once()


def test_june_1918_is_played_by_mail_from_the_invitation_to_the_bell_4(
    services: Services,
    worker: Worker,
    world: World,
    people: dict[str, Person],
    cases: dict[Phase, Case],
    luck: list[ScriptedChance],
    clock: FakeClock,
) -> None:
    campaign = invite(services, people)
    worker.once()
    for person in people.values():
        person.answers(person.waits_for("An invitation"), "ACCEPT")
    for person in people.values():
        person.waits_for("Welcome to The sample game")
    worker.once()  # the deal, and The Bell #1
    play(worker, people, cases[Phase.PREGAME], 1, clock)
    play(worker, people, cases[Phase.FIRST], 2, clock)
    play(worker, people, cases[Phase.SECOND], 3, clock)

    bells = {letter: person.waits_for("#4") for letter, person in people.items()}
    for phase, turn in ((Phase.SETUP, 0), (Phase.PREGAME, 0), (Phase.FIRST, 1), (Phase.SECOND, 1)):
        outcome = lookups.outcome(services, campaign, turn, phase.value)
        wrong = [found for expected in cases[phase].expected if (found := expected.check(outcome))]
        assert wrong == [], phase
    assert [chance.left_over() for chance in luck] == [[], [], [], []]
    assert lookups.state(services, campaign).bell_number == 4
    _nothing_leaks(services, campaign, people)
    _pictures_are_there(bells)
    _threads_hold(bells)
    _every_mail_was_answered_once(services, people, world)


def _nothing_leaks(services: Services, campaign: str, people: dict[str, Person]) -> None:
    """A seat's token stands in its own headers alone, never in the text of a Bell."""
    tokens = {letter: holders.seat_token(services, campaign, letter) for letter in people}
    for letter, person in people.items():
        for mail in person.mailbox:
            words = text_of(mail) + html_of(mail)
            assert not any(token in words for token in tokens.values()), mail["Subject"]
            others = [token for other, token in tokens.items() if other != letter]
            assert not any(token in str(mail) for token in others)
    for line in lookups.bells(services, campaign):
        issue = lookups.bell(services, campaign, line.number)
        assert not any(token in issue.text + issue.html for token in tokens.values())


def _pictures_are_there(bells: dict[str, EmailMessage]) -> None:
    """Every picture that the HTML shows travels with it, and none comes from elsewhere."""
    for mail in bells.values():
        carried = {str(part["Content-ID"]).strip("<>") for part in mail.walk() if part["Content-ID"]}
        assert set(re.findall(r'src="cid:([^"]+)"', html_of(mail))) == carried != set()
        assert not re.search(r'<img[^>]+src="(?!cid:)', html_of(mail))


def _threads_hold(bells: dict[str, EmailMessage]) -> None:
    """All issues of a campaign hang on one root, and say what they are."""
    roots = {str(mail["References"]).split()[0] for mail in bells.values()}
    assert len(roots) == 1
    for mail in bells.values():
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail["List-Id"] and not mail["List-Unsubscribe"]


def _every_mail_was_answered_once(services: Services, people: dict[str, Person], world: World) -> None:
    sent = sum(person.sent for person in people.values())
    answers = [row for row in outbox.listing(services, None, limit=1000) if row.kind in ("answer", "receipt")]
    assert len(answers) == sent
    assert not inbox.quarantined(services) and not inbox.in_state(services, "new")
    wait_until(lambda: world.imap.count("INBOX") == 0, why="handled mail is moved away")
    assert world.imap.count("Kolokol") == sent
