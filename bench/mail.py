"""Mail in and mail out, against what the libraries do bare, in the same run.

1. One process: an order mail in -> stored -> parsed -> receipt in the outbox. Target: at most 10 ms a mail. The mail is
   an answer to a Bell with twelve orders of player A for June 1918, First Phase, in the game of 1976.
2. Accept, parse and store over SMTP, against aiosmtpd with `policy.default` parsing in its handler. Target: 0.5x.
3. A thousand Bells built on the fly and sent, against bare aiosmtplib with ready bytes. Target: 0.8x, memory flat.
"""

from __future__ import annotations

import asyncio
import email
import queue
import resource
import shutil
import smtplib
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from email.policy import default
from pathlib import Path

import aiosmtplib
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from gm.bootstrap import bootstrap
from gm.campaign.export import importing
from gm.campaign.ports import NewPlayer, Outgoing
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.config import Settings
from gm.mail.handle.handler import MailHandler
from gm.mail.handle.understand import understand
from gm.mail.identify.rate_limit import Limits
from gm.mail.parse.message import Envelope, read
from gm.mail.transport.smtp_in import Listener, SmtpHandler
from gm.mail.transport.smtp_out import Server, SmtpSender
from gm.mail.wiring import builder_for
from gm.rehearsal.crew import free_port
from gm.rendering.newsroom import PlainRenderer
from gm.web import sample

MAILS = 300
CAMPAIGNS = 20  # that the mails are for, in turn
BELLS = 1000
NO_LIMIT = Limits(10**9, 10**9, 10**9, 10**9, 10**9)
SHEET = sample.orders_of_1976("first")["A"].strip()
SHEET += "\nPURGE B WITH E USING 3 PM DIVIDE A 2, E 1\nCOUNTERPURGE STRONGEST\nVOTE CONTINUE"


def june_1918(services: Services, number: int) -> str:
    """The game of 1976 before June 1918, with players of its own."""
    return importing.import_bell(
        services,
        sample.positions_of_1976(),
        name=f"Bench {number}",
        players=[NewPlayer(f"Player {x}", address_of(x, number)) for x in "ABCDE"],
        gm_name="GM",
        gm_address="gm@players.test",
        id=f"bench-{number}",
    )


def address_of(letter: str, number: int) -> str:
    return f"{letter.lower()}{number}@players.test"


@contextmanager
def campaigns() -> Iterator[tuple[Services, list[str]]]:
    folder = Path(tempfile.mkdtemp())
    settings = replace(
        Settings(),
        database_url=f"sqlite:///{folder}/bench.sqlite",
        secret_key="only-for-this-measurement-" * 2,
        orders_address="orders@bell.test",
        mail_from="gm@bell.test",
        mail_domain="bell.test",
    )
    services = bootstrap(settings, renderer=PlainRenderer())
    yield services, [june_1918(services, number) for number in range(CAMPAIGNS)]
    services.close()
    shutil.rmtree(folder)


def order_mail(number: int, address: str, sender: str) -> bytes:
    quoted = "\n".join(f"> A  PETR: RL3 Lenin, RU8 PETR; line {n} of the Bell" for n in range(60))
    return (
        (
            "Received: from mail.players.test by mx.bell.test; Mon, 2 Mar 2026 10:15:00 +0000\n"
            f"From: Player <{sender}>\n"
            f"To: {address}\nSubject: Re: The Bell #1\nMessage-ID: <{number}.{time.time_ns()}@players.test>\n"
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
            f"Dear Gamesmaster,\n\n{SHEET}\n\nOn Mon, Mar 2, 2026 at 10:15 AM The Bell <{address}> wrote:\n\n{quoted}\n"
        )
        .replace("\n", "\r\n")
        .encode()
    )


def one_process() -> None:
    with campaigns() as (services, made):
        desks = [f"orders+{holders.seat_token(services, campaign, 'A')}@bell.test" for campaign in made]
        desk = MailHandler(services, NO_LIMIT)
        times, worked = [], []
        for number in range(MAILS):
            turn = number % CAMPAIGNS
            raw = order_mail(number, desks[turn], address_of("A", turn))
            started, busy = time.perf_counter(), time.process_time()
            desk.receive(raw, Envelope(source="pipe"))
            times.append((time.perf_counter() - started) * 1000)
            worked.append((time.process_time() - busy) * 1000)
        times, worked = times[20:], worked[20:]
        median, slow = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
        verdict = "met" if median <= 10 else "MISSED"
        print(f"order mail -> receipt in outbox: median {median:.1f} ms, 95% {slow:.1f} ms (target 10 ms: {verdict})")
        print(f"  of it at work: median {statistics.median(worked):.1f} ms, quickest {min(worked):.1f} ms")


class Plain:
    """The yardstick: aiosmtpd, and the library's own parser in its handler."""

    def __init__(self) -> None:
        self.parsed = 0

    async def handle_DATA(self, server: SMTP, session: object, envelope: object) -> str:
        message = email.message_from_bytes(envelope.original_content, policy=default)  # type: ignore[attr-defined]
        body = message.get_body(("plain",))
        self.parsed += bool(message["From"] and message["Subject"] and body is not None and body.get_content())
        return "250 OK"


def over_smtp(port: int, mails: list[bytes], to: str, finish: Callable[[], None] = lambda: None) -> float:
    """Mails a second over one connection, until all are parsed."""
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        started = time.perf_counter()
        for number, raw in enumerate(mails):
            client.sendmail(f"p{number}@players.test", [to], raw)
        finish()
        return len(mails) / (time.perf_counter() - started)


class Reader:
    """As in the service: the listener stores and says yes, and the desk reads a moment later."""

    def __init__(self, desk: MailHandler) -> None:
        self._desk = desk
        self._queue: queue.Queue[tuple[bytes, Envelope]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def take(self, raw: bytes, road: Envelope) -> None:
        self._desk.take(raw, road)
        self._queue.put((raw, road))

    def _read(self) -> None:
        while True:
            raw, road = self._queue.get()
            assert "MOVE Lenin" in understand(read(raw, road)).wishes.orders
            self._queue.task_done()

    def finish(self) -> None:
        self._queue.join()


def accepting() -> None:
    with campaigns() as (services, made):
        token = holders.seat_token(services, made[0], "A")
        address = f"orders+{token}@bell.test"
        mails = [order_mail(n, address, address_of("A", 0)) for n in range(MAILS)]
        yardstick = Controller(Plain(), hostname="127.0.0.1", port=free_port())
        yardstick.start()
        reader = Reader(MailHandler(services, NO_LIMIT))
        doorman = SmtpHandler(
            "orders@bell.test",
            (),
            reader.take,
            lambda token: holders.seat_by_token(services, token) is not None,
            NO_LIMIT,
        )
        ours = Listener(doorman, "127.0.0.1", free_port(), 10_000_000, "mx.bell.test")
        ours.start()
        rates: dict[str, list[float]] = {"bare": [], "ours": []}
        for part in range(3):  # in turn, so that a busy minute hits both
            share = mails[part::3]
            rates["bare"].append(over_smtp(yardstick.port, share, address))
            rates["ours"].append(over_smtp(ours.port, share, address, reader.finish))
        yardstick.stop()
        ours.stop()
        compare("accept, parse, store over SMTP", "aiosmtpd + policy.default", rates, 0.5)


class Sink:
    async def handle_DATA(self, server: SMTP, session: object, envelope: object) -> str:
        return "250 OK"


def sending() -> None:
    with campaigns() as (services, made):
        controller = Controller(Sink(), hostname="127.0.0.1", port=free_port(), data_size_limit=None)
        controller.start()
        builder = builder_for(services)
        png = bytes(range(256)) * 1200  # a map of 300 KB
        builder.pictures_of = lambda campaign, number: {"map@bell": png}
        builder.__post_init__()
        bells = [bell(made[0], number) for number in range(20)]
        ready = [builder.build(mail) for mail in bells]
        sender = SmtpSender(builder, Server("127.0.0.1", controller.port, "none"), 10**9)
        list(sender.send(bells[:5]))
        before = peak()
        rates: dict[str, list[float]] = {"bare": [], "ours": []}
        for _ in range(5):
            rates["bare"].append(bare(controller.port, ready, BELLS // 5))
            rates["ours"].append(rate(lambda: all(r.ok for r in sender.send(many(bells, BELLS // 5))), BELLS // 5))
        grown = peak() - before
        sender.close()
        controller.stop()
        size = len(ready[0]) // 1024
        compare(f"{BELLS} Bells of {size} KB built on the fly and sent", "aiosmtplib with ready bytes", rates, 0.8)
        print(f"  memory: {grown / 1024:.1f} MB more at the peak than before ({threading.active_count()} threads)")


def bell(campaign: str, number: int) -> Outgoing:
    text = "THE BELL #4\n" + "A  PETR: RL3 Lenin, RU8 PETR\n" * 300
    html = "<p>" + "A  PETR: RL3 Lenin, RU8 PETR – naïve<br>\n" * 1200 + '</p><img src="cid:map@bell">'
    letter = "ABCDE"[number % 5]
    about = (campaign, letter, f"{letter.lower()}@players.test", f"Player {letter}", "bell", "The Bell #4", text, html)
    now = datetime.now(UTC)
    return Outgoing(number, "x", f"<{number:032x}@bell.test>", f"k{number}", *about, (), {}, None, (), 4, 1, now)


def many(bells: list[Outgoing], count: int) -> list[Outgoing]:
    return [bells[n % len(bells)] for n in range(count)]


def rate(work: Callable[[], object], count: int) -> float:
    started = time.perf_counter()
    assert work()
    return count / (time.perf_counter() - started)


def bare(port: int, ready: list[bytes], count: int) -> float:
    async def run() -> float:
        client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False, use_tls=False)
        await client.connect()
        started = time.perf_counter()
        for number in range(count):
            await client.sendmail("gm@bell.test", ["a@players.test"], ready[number % len(ready)])
        took = time.perf_counter() - started
        await client.quit()
        return count / took

    return asyncio.run(run())


def peak() -> int:
    """Kilobytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def compare(what: str, yardstick: str, rates: dict[str, list[float]], target: float) -> None:
    ours, theirs = statistics.median(rates["ours"]), statistics.median(rates["bare"])
    ratio = statistics.median(o / b for o, b in zip(rates["ours"], rates["bare"], strict=True))
    verdict = "met" if ratio >= target else "MISSED"
    print(f"{what}: {ours:.0f}/s; {yardstick}: {theirs:.0f}/s; {ratio:.2f}x  (target {target}x: {verdict})")


def main() -> None:
    one_process()
    accepting()
    sending()


if __name__ == "__main__":
    main()
