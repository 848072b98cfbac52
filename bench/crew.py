"""Campaigns due in the same minute, orders on file, with the real press: by the one process on SQLite, and by one
worker, two and three on PostgreSQL, from the same database; and how long players of other campaigns wait for a
receipt and for their desk's page meanwhile.

`python -m bench crew`; BENCH_DUE says how many campaigns (40), BENCH_CREWS which crews ("sqlite 1 2 3": the one process
on SQLite, and so many workers on PostgreSQL).
"""

from __future__ import annotations

import os
import shutil
import signal
import smtplib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx
import psycopg
from sqlalchemy import text

from bench.campaign import databases
from bench.mail import address_of, free_port, order_mail
from gm.bootstrap import bootstrap
from gm.campaign import ticker
from gm.campaign.access import callers
from gm.campaign.export import importing
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.seats import holders
from gm.campaign.services import Services, no_wake
from gm.config import Settings
from gm.rendering.newsroom import PlainRenderer
from gm.store import migrate
from gm.store.engine import make_engine
from gm.store.jobs import WakeUps
from gm.web import sample
from gm.web.guard.session import SeatKey, Session, Sessions
from gm.worker import WARM_UP_AFTER

DUE, OTHERS = int(os.environ.get("BENCH_DUE", "40")), 4
CREWS = os.environ.get("BENCH_CREWS", "sqlite 1 2 3").split()
PAUSE = 0.5  # seconds between two order mails, and between two looks at a desk
KEY = "only-for-this-measurement-" * 2


def settings_for(url: str, listen: str = "") -> Settings:
    return replace(
        Settings(),
        database_url=url,
        secret_key=KEY,
        orders_address="orders@bell.test",
        mail_from="gm@bell.test",
        mail_domain="bell.test",
        lmtp_listen=listen,
        clock_jump_minutes=10**6,
    )


def opened(url: str) -> Services:
    return bootstrap(settings_for(url), renderer=PlainRenderer(), wake=no_wake)


def prepare(url: str) -> None:
    """Campaigns in June 1918, with the orders of 1976 on file."""
    engine = make_engine(url)
    migrate.upgrade(engine)
    engine.dispose()
    services = opened(url)
    for number in range(DUE + OTHERS):
        importing.import_bell(
            services,
            sample.positions_of_1976(),
            name=f"Bench {number}",
            players=[NewPlayer(f"Player {x}", address_of(x, number)) for x in "ABCDE"],
            gm_name="GM",
            gm_address="gm@players.test",
            id=f"bench-{number}",
            options={"grace_hours": 0, "reminders": []},
        )
    ticker.tick(services, limit=10**6)
    for number in range(DUE):
        for letter, sheet in sample.orders_of_1976("first").items():
            intake.submit(services, f"bench-{number}", letter, sheet, source="mail")
    services.close()


@contextmanager
def crew(services: Services, number: int, listen: str, web: int) -> Iterator[None]:
    """Processes that have come up, are warm, and have nothing to do: the web and its workers."""
    environment = {
        **os.environ,
        "KOLOKOL_DATABASE_URL": services.settings.database_url,
        "KOLOKOL_SECRET_KEY": KEY,
        "KOLOKOL_ORDERS_ADDRESS": "orders@bell.test",
        "KOLOKOL_MAIL_FROM": "gm@bell.test",
        "KOLOKOL_MAIL_DOMAIN": "bell.test",
        "KOLOKOL_LMTP_LISTEN": listen,
        "KOLOKOL_CLOCK_JUMP_MINUTES": "1000000",
        "KOLOKOL_TICK_SECONDS": "1",
    }
    serve = ["serve", "--listen", f"127.0.0.1:{web}"]
    commands = [[*serve, "--worker"]] if services.store.is_sqlite else [serve, *[["worker"]] * number]
    quiet = subprocess.DEVNULL
    started = [
        subprocess.Popen([sys.executable, "-m", "gm", *words], env=environment, stdout=quiet, stderr=quiet)
        for words in commands
    ]
    try:
        until = time.monotonic() + 120
        while not _up(services, number, listen, web):
            assert time.monotonic() < until and not any(p.poll() for p in started), "the workers never came up"
            time.sleep(0.2)
        time.sleep(WARM_UP_AFTER + 5 * number)
        yield
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.wait(180)  # it finishes the mails that it has begun


def _up(services: Services, number: int, listen: str, web: int) -> bool:
    if not services.store.is_sqlite:
        with services.store.read() as session:
            found = session.scalar(text("SELECT count(*) FROM jobs.procrastinate_workers"))
        if int(found or 0) < 2 * number:
            return False
    host, _, port = listen.rpartition(":")
    try:
        smtplib.SMTP(host, int(port), timeout=5).quit()
        return httpx.get(f"http://127.0.0.1:{web}/healthz", timeout=5).is_success
    except (OSError, httpx.HTTPError):
        return False


def release(services: Services) -> None:
    """All but the last campaigns are due now."""
    now = datetime.now(UTC)
    keep = [f"bench-{number}" for number in range(DUE, DUE + OTHERS)]
    names = ", ".join(f"'{name}'" for name in keep)
    moment = now.replace(tzinfo=None).isoformat(" ") if services.store.is_sqlite else now.isoformat()
    with services.store.write() as session:
        for statement in (
            f"UPDATE phases SET deadline = '{moment}' WHERE state = 'open' AND campaign_id NOT IN ({names})",
            f"UPDATE alarms SET due_at = '{moment}' WHERE kind = 'close' AND done_at IS NULL"
            f" AND campaign_id NOT IN ({names})",
        ):
            session.execute(text(statement))
    if not services.store.is_sqlite:
        push = WakeUps(services.settings.database_url)
        push(now, False)
        push.close()


def bells(services: Services) -> int:
    with services.store.read() as session:
        return int(session.scalar(text("SELECT count(*) FROM bells")) or 0)


def write_letters(services: Services, listen: str, stop: threading.Event, count: list[int]) -> None:
    """Players of other campaigns send orders, one mail after another."""
    host, _, port = listen.rpartition(":")
    seats = [(n, x) for x in "ABCDE" for n in range(DUE, DUE + OTHERS)]
    while not stop.is_set():
        number, letter = seats[count[0] % len(seats)]
        address = f"orders+{holders.seat_token(services, f'bench-{number}', letter)}@bell.test"
        raw = order_mail(count[0], address, address_of(letter, number))
        with smtplib.SMTP(host, int(port), timeout=60) as server:
            server.sendmail(address_of(letter, number), [address], raw)
        count[0] += 1
        stop.wait(PAUSE)


def look_at_desk(services: Services, web: int, stop: threading.Event, seconds: list[float]) -> None:
    """A player of another campaign opens the desk again and again."""
    campaign = f"bench-{DUE}"
    mark = callers.fingerprint(services, campaign, "A")
    assert mark is not None
    sessions = Sessions(services.secret_key, services.settings)
    cookie = sessions.dump(Session(sid="bench", seats=(SeatKey(campaign, "A", mark),)))
    with httpx.Client(base_url=f"http://127.0.0.1:{web}", timeout=60, cookies={sessions.name: cookie}) as client:
        while not stop.is_set():
            began = time.perf_counter()
            client.get(f"/c/{campaign}/desk").raise_for_status()
            seconds.append(time.perf_counter() - began)
            stop.wait(PAUSE)


def waits(services: Services, since: int) -> list[float]:
    """Seconds from the receipt of a mail to its answer being sent."""
    query = text(
        "SELECT i.received_at, o.sent_at FROM inbox i JOIN outbox o ON o.in_reply_to = i.message_id"
        " WHERE i.id > :since AND o.sent_at IS NOT NULL"
    )
    with services.store.read() as session:
        pairs = [(row[0], row[1]) for row in session.execute(query, {"since": since})]
    return sorted((_moment(b) - _moment(a)).total_seconds() for a, b in pairs)


def _moment(value: object) -> datetime:
    return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))


def round_of(services: Services, number: int) -> float:
    """Campaigns a second from the common deadline to the last Bell in the outbox."""
    listen, web = f"127.0.0.1:{free_port()}", free_port()
    with services.store.read() as session:
        since = int(session.scalar(text("SELECT coalesce(max(id), 0) FROM inbox")) or 0)
    before = bells(services)
    stop, count, desk = threading.Event(), [0], list[float]()
    with crew(services, number, listen, web):
        meanwhile = [
            threading.Thread(target=write_letters, args=(services, listen, stop, count)),
            threading.Thread(target=look_at_desk, args=(services, web, stop, desk)),
        ]
        release(services)
        began = time.monotonic()
        for thread in meanwhile:
            thread.start()
        while bells(services) < before + DUE:
            assert time.monotonic() < began + 1800, "not all Bells were printed"
            time.sleep(0.1)
        seconds = time.monotonic() - began
        stop.set()
        for thread in meanwhile:
            thread.join()
        time.sleep(3)
        answered = waits(services, since)
    late = statistics.median(answered) if answered else float("nan")
    slow = statistics.quantiles(desk, n=20)[-1] if len(desk) > 1 else float("nan")
    name = "sqlite, one process" if services.store.is_sqlite else f"postgresql, {number} worker{'s' * (number > 1)}"
    print(
        f"{name}: {DUE} campaigns in {seconds:.1f} s, {DUE / seconds:.2f}/s;"
        f" receipts of others: {len(answered)} of {count[0]} answered, median {late:.2f} s;"
        f" desk of another: 95% within {slow * 1000:.0f} ms",
        flush=True,
    )
    return DUE / seconds


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="kolokol-crew-"))
    try:
        if "sqlite" in CREWS:
            prepare(f"sqlite:///{folder}/crew.sqlite")
            services = opened(f"sqlite:///{folder}/crew.sqlite")
            round_of(services, 1)
            services.close()
        with databases() as urls:
            first, server = urls["postgresql"]
            prepare(first)
            speed = {int(crew): _on_copy(first, server, int(crew)) for crew in CREWS if crew != "sqlite"}
            if {1, 2, 3} <= set(speed):
                two, three = speed[2] / speed[1], speed[3] / speed[1]
                print(f"two workers {two:.2f}x of one (target 1.8x), three {three:.2f}x")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _on_copy(prepared: str, server: str, number: int) -> float:
    """Every crew gets the same database."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE crew{number} TEMPLATE few")
    services = opened(prepared.replace("/few?", f"/crew{number}?"))
    try:
        return round_of(services, number)
    finally:
        services.close()


if __name__ == "__main__":
    main()
