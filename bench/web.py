"""Requests a second of the desk and the archive, against a bare page in the same run.

The bare page is what one would write first: FastAPI, a SQLAlchemy session that reads 73 rows (about as many stacks as
stand on the map), a Jinja table. Each application runs in a process of its own behind uvicorn, on a loopback socket;
one client asks all of them in turn, in short rounds, so that a busy machine is busy for everybody. SQLite throughout.
Then the check while a player types, at an even rate, and the Gamesmaster's button that publishes a draft he has seen.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import uvicorn
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ROWS = 73
ROUNDS, REQUESTS, AT_ONCE = 7, 200, 4
TYPED, TYPED_A_SECOND = 400, 20
CAMPAIGN = "bench"
TEMPLATE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title></head><body>
<h1>{{ title }}</h1><table><tr><th>Province</th><th>Player</th><th>Stack</th></tr>
{% for row in rows %}<tr><td>{{ row.province }}</td><td>{{ row.owner or '-' }}</td><td>{{ row.pieces }}</td></tr>
{% endfor %}</table></body></html>"""


class Base(DeclarativeBase):
    pass


class Row(Base):
    __tablename__ = "stacks"
    id: Mapped[int] = mapped_column(primary_key=True)
    province: Mapped[str]
    owner: Mapped[str | None]
    pieces: Mapped[str]


def bare(folder: str, port: int) -> None:
    """The page to be measured against."""
    from fastapi import FastAPI
    from fastapi.responses import HTMLResponse
    from jinja2 import Environment
    from sqlalchemy import create_engine, select
    from sqlalchemy.orm import Session, sessionmaker

    engine = create_engine(f"sqlite:///{folder}/bare.sqlite")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(
            Row(province=f"P{n:03}", owner="ABCDE"[n % 5], pieces=f"RL{n % 3} Leader {n}, RU4 PETR")
            for n in range(ROWS)
        )
        session.commit()
    sessions = sessionmaker(engine)
    template = Environment(autoescape=True).from_string(TEMPLATE)
    app = FastAPI()

    @app.get("/")
    def page() -> HTMLResponse:
        with sessions() as session:
            rows = session.scalars(select(Row).order_by(Row.province)).all()
            return HTMLResponse(template.render(title="Positions", rows=rows))

    uvicorn.run(app, port=port, log_level="error", access_log=False)


def ours(folder: str, port: int) -> None:
    from gm.bootstrap import bootstrap
    from gm.web.app import create_app
    from gm.web.guard.limits import Limiter

    services = bootstrap(settings(folder))
    app = timed(create_app(services, limiter=Limiter(factor=1e9)))
    uvicorn.run(app, port=port, log_level="error", access_log=False)


def timed(app: ASGIApp) -> ASGIApp:
    """The application, saying in milliseconds how long each answer took, and how long the process has worked."""

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()

        async def stamped(message: Message) -> None:
            if message["type"] == "http.response.start":
                took = f"{(time.perf_counter() - began) * 1000:.2f} {time.process_time() * 1000:.2f}"
                message["headers"] = [*message["headers"], (b"x-took", took.encode())]
            await send(message)

        await app(scope, receive, stamped)

    return run


def settings(folder: str):  # type: ignore[no-untyped-def]
    from gm.config import Settings

    return replace(Settings(), database_url=f"sqlite:///{folder}/kolokol.sqlite", secret_key="b" * 40)


def prepare(folder: str) -> tuple[str, str]:
    """A campaign at June 1918, Second Phase, with orders on file. Gives the cookie of player A and his forms' token."""
    from gm.bootstrap import bootstrap
    from gm.campaign import ticker
    from gm.campaign.access import callers
    from gm.campaign.export import importing
    from gm.campaign.phase import intake, publishing
    from gm.web import sample
    from gm.web.guard.session import SeatKey, Session, Sessions

    services = bootstrap(settings(folder))
    importing.import_bell(
        services,
        sample.positions_of_1976(),
        name="Bench",
        players=sample.PLAYERS,
        gm_name="Redmond",
        gm_address="gm@players.example",
        options={"publish": "manual", "early_close_hours": 0, "early_delay_minutes": 0},
        id=CAMPAIGN,
        first_bell=2,
    )
    ticker.tick(services)
    for letter, text in sample.orders_of_1976("first").items():
        intake.submit(services, CAMPAIGN, letter, text, source="mail", ready=True)
    ticker.tick(services)
    publishing.publish(services, CAMPAIGN, "GM")
    intake.submit(services, CAMPAIGN, "A", sample.orders_of_1976("second")["A"], source="web")
    mark = callers.fingerprint(services, CAMPAIGN, "A")
    assert mark is not None
    sessions = Sessions(services.secret_key, services.settings)
    session = Session(sid="bench", seats=(SeatKey(CAMPAIGN, "A", mark),))
    services.close()
    return f"{sessions.name}={sessions.dump(session)}", sessions.csrf(session)


@contextmanager
def serving(target: object, folder: str) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = multiprocessing.get_context("spawn").Process(target=target, args=(folder, port), daemon=True)
    process.start()
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.join(5)


async def ask(port: int, path: str, cookie: str, number: int) -> None:
    """One connection, kept open, that asks again and again."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode()
    for _ in range(number):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = next(
            int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
        )
        await reader.readexactly(length)
    writer.close()
    await writer.wait_closed()


async def rate(port: int, path: str, cookie: str) -> float:
    began = time.perf_counter()
    await asyncio.gather(*(ask(port, path, cookie, REQUESTS // AT_ONCE) for _ in range(AT_ONCE)))
    return REQUESTS / (time.perf_counter() - began)


def measure(pages: dict[str, tuple[int, str, str]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in pages}
    for number in range(-1, ROUNDS):
        for name, (port, path, cookie) in pages.items():
            speed = asyncio.run(rate(port, path, cookie))
            if number >= 0:  # the first round warms everything up
                found[name].append(speed)
    return found


async def typed(port: int, cookie: str, token: str, text: str) -> tuple[float, float]:
    """One check of what is typed so far: what `timed` says of it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"text": text}).encode()
    head = f"POST /api/v1/campaigns/{CAMPAIGN}/orders/check HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n"
    head += f"X-CSRF: {token}\r\nContent-Type: application/json\r\nConnection: close\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 200"), answer
    line = next(line for line in answer.split(b"\r\n") if line.startswith(b"x-took"))
    clock, processor = map(float, line.split(b":")[1].split())
    return clock, processor


async def typing(port: int, cookie: str, token: str) -> list[tuple[float, float]]:
    """A player's sheet of 1976, growing letter by letter, so many checks a second whether answered or not."""
    from gm.web import sample

    sheet = sample.orders_of_1976("second")["A"]
    asked = []
    for n in range(TYPED):
        text = sheet[: len(sheet) * (n + 1) // TYPED]
        asked.append(asyncio.create_task(typed(port, cookie, token, text)))
        await asyncio.sleep(1 / TYPED_A_SECOND)
    return await asyncio.gather(*asked)


def publish(folder: str) -> tuple[float, float]:
    """Seconds that the draft takes to be set, and then its publishing, of the processor."""
    from gm.bootstrap import bootstrap
    from gm.campaign import ticker
    from gm.campaign.phase import drafting, intake, publishing
    from gm.web import sample

    services = bootstrap(settings(folder))
    for letter, text in sample.orders_of_1976("second").items():
        intake.submit(services, CAMPAIGN, letter, text, source="mail", ready=True)
    ticker.tick(services)
    began = time.process_time()
    drafting.preview(services, CAMPAIGN)
    seen = time.process_time()
    publishing.publish(services, CAMPAIGN, "GM")
    done = time.process_time()
    services.close()
    return seen - began, done - seen


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cookie, token = prepare(folder)
        with serving(bare, folder) as plain, serving(ours, folder) as real:
            base = f"/c/{CAMPAIGN}"
            pages = {
                f"bare page ({ROWS} rows)": (plain, "/", ""),
                "desk": (real, f"{base}/desk", cookie),
                "archive": (real, f"{base}/bells", cookie),
                "an issue of The Bell": (real, f"{base}/bells/3", cookie),
            }
            found = measure(pages)
            checks = asyncio.run(typing(real, cookie, token))
        shown, printed = publish(folder)
    first = next(iter(found.values()))
    print(f"{'page':<24}{'requests/s':>12}{'of the bare page':>20}   wanted")
    for name, speeds in found.items():
        ratio = statistics.median(s / b for s, b in zip(speeds, first, strict=True))
        wanted = "0.7 or more" if name in ("desk", "archive") else ""
        print(f"{name:<24}{statistics.median(speeds):>12.0f}{ratio:>20.2f}   {wanted}")
    clock, processor = (sorted(column) for column in zip(*checks, strict=True))
    middle, late, each = clock[TYPED // 2], clock[TYPED * 95 // 100], (processor[-1] - processor[0]) / (TYPED - 1)
    print(f"\na check while typing, {TYPED_A_SECOND} a second: {each:.1f} ms of the processor;")
    print(f"answered within {middle:.1f} ms (median), {late:.1f} ms (95 of 100), wanted 60 ms")
    print(f"\nthe draft is set: {shown:.2f} s of the processor; its publishing: {printed:.2f} s, wanted 1 s")


if __name__ == "__main__":
    main()
