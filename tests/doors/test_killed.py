"""SIGKILL at random under load by web, LMTP and IMAP: every acknowledged order is on file or answered.

`make kills` does it thirty times on each engine, and so does CI; at a desk it is done a few times.
"""

from __future__ import annotations

import os
import signal
import time
from random import Random

import pytest
from sqlalchemy import text

from gm.campaign.access import callers, links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.seats import holders
from gm.campaign.services import Services, no_wake
from gm.config import Settings
from gm.rehearsal.crew import free_port
from tests.campaign_fixtures import installed
from tests.doors.house import House, Post
from tests.doors.load import Load
from tests.doors.servers import answers
from tests.support import IN_CI, PATIENCE, wait_until

KILLS = int(os.environ.get("KILLS") or (8 if IN_CI else 2))
CAMPAIGN = "summer-1918"
SECRET = "for-the-tests-of-the-doors-" + "x" * 20


def prepared(house: House, post: Post, domain: str, settings: dict[str, object]) -> Services:
    """A campaign that is open for orders, and a look into its database."""
    house.write_env(post.by_imap(domain) | {"ORDERS_ADDRESS": f"orders@{post.domain}", "SECRET_KEY": SECRET} | settings)
    seats = [word for name in ("Anna", "Boris", "Clara") for word in ("-p", f"{name} <{name.lower()}@kill.test>")]
    house.gm("campaign", "new", "Summer 1918", "--gm", "Gregor <gregor@kill.test>", *seats)
    house.gm("campaign", "open", CAMPAIGN, "--force")
    url = str(settings.get("DATABASE_URL", f"sqlite:///{house.folder}/kolokol.sqlite"))
    return installed(Settings.load({"KOLOKOL_DATABASE_URL": url, "KOLOKOL_SECRET_KEY": SECRET}, None), wake=no_wake)


def load_on(services: Services, post: Post, domain: str, listeners: list[int], web: str) -> Load:
    tokens, addresses = {}, {}
    for letter in "ABC":
        mark = callers.fingerprint(services, CAMPAIGN, letter)
        assert mark is not None
        tokens[letter] = links.sign(services, Ticket(Purpose.API, CAMPAIGN, letter, mark))
        addresses[letter] = f"orders+{holders.seat_token(services, CAMPAIGN, letter)}@{post.domain}"
    senders = {letter: holders.seat_of(services, CAMPAIGN, letter).address for letter in "ABC"}
    return Load(post, addresses, senders, domain, listeners, web, tokens)


def rows(services: Services, query: str) -> list[tuple[object, ...]]:
    with services.store.read() as session:
        return [tuple(row) for row in session.execute(text(query)).all()]


def nothing_is_lost(services: Services, post: Post, load: Load, domain: str, why: object) -> None:
    """Each acknowledged mail was dealt with as orders, once; each version that the web confirmed is on file."""
    wait_until(lambda: not post.dovecot.mailbox(f"orders@{domain}"), 120, why)
    wait_until(lambda: not rows(services, "SELECT id FROM inbox WHERE state = 'new'"), 120, why)
    became = {identity: (state, reason) for identity, state, reason in rows(
        services, "SELECT message_id, state, reason FROM inbox ORDER BY id DESC"
    )}  # fmt: skip
    lost = sorted(identity for identity in load.acknowledged if identity not in became)
    assert not lost, f"{len(lost)} of {len(load.acknowledged)} are lost: {lost[:5]}"
    undone = {i: became[i] for i in load.acknowledged if not _dealt_with(became[i])}
    assert not undone
    twice = rows(services, "SELECT inbox_id FROM submissions WHERE inbox_id > 0 GROUP BY inbox_id HAVING count(*) > 1")
    assert not twice
    on_file = set(rows(services, "SELECT letter, version FROM submissions WHERE source = 'api'"))
    assert set(load.versions) <= on_file
    assert len(load.acknowledged) > KILLS and load.versions, "there was a load"
    print(f"{KILLS} kills, {len(load.acknowledged)} mails and {len(load.versions)} web orders acknowledged, none lost")


def _dealt_with(what: tuple[object, object]) -> bool:
    state, reason = what
    return state == "handled" and str(reason).startswith(("orders taken", "orders overtaken"))


def test_one_process_killed_at_random_loses_no_acknowledged_order(house: House, post: Post) -> None:
    domain, chance = "killed.test", Random(1918)
    services = prepared(house, post, domain, {"LMTP_LISTEN": f"127.0.0.1:{post.listener}"})
    process = house.start("serve", "--worker")
    wait_until(lambda: answers(post.listener), PATIENCE, house.logs)
    load = load_on(services, post, domain, [post.listener], house.url)
    load.start()
    try:
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.5, 8))
            house.stop(process, signal.SIGKILL)
            process = house.start("serve", "--worker")
        wait_until(lambda: answers(post.listener), PATIENCE, house.logs)
        house.wait_for_web()
        time.sleep(2)
    finally:
        load.stop()
    nothing_is_lost(services, post, load, domain, house.logs)
    services.close()


@pytest.mark.postgres
def test_two_workers_killed_at_random_lose_no_acknowledged_order(house: House, post: Post, postgres_url: str) -> None:
    domain, chance = "killed-too.test", Random(1976)
    services = prepared(house, post, domain, {"DATABASE_URL": postgres_url})
    ports = [post.listener, free_port()]
    house.start("serve")

    def hire(number: int) -> object:
        """The first reads the mailbox, as docs/operations.md says; each has its own listener."""
        more = {} if number == 0 else {"KOLOKOL_IMAP_HOST": ""}
        return house.start("worker", KOLOKOL_LMTP_LISTEN=f"127.0.0.1:{ports[number]}", **more)

    workers = [hire(0), hire(1)]
    wait_until(lambda: all(answers(port) for port in ports), PATIENCE, house.logs)
    house.wait_for_web()
    load = load_on(services, post, domain, ports, house.url)
    load.start()
    try:
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.5, 5))
            number = chance.randrange(2)
            house.stop(workers[number], signal.SIGKILL)  # type: ignore[arg-type]
            workers[number] = hire(number)
        wait_until(lambda: all(answers(port) for port in ports), PATIENCE, house.logs)
        time.sleep(2)
    finally:
        load.stop()
    nothing_is_lost(services, post, load, domain, house.logs)
    services.close()
