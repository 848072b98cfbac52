"""No secret is ever written into a log, in whatever field, text or traceback it turns up."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from gm import logs
from gm.campaign.access import links
from gm.campaign.access.links import Purpose, Ticket
from gm.campaign.seats import holders
from gm.campaign.services import Services
from gm.config import Settings
from gm.rendering.newsroom import PlainRenderer
from tests.campaign_fixtures import start

SETTINGS = replace(
    Settings(),
    database_url="postgresql://kolokol:dragoon-1918@db/kolokol",
    secret_key="k" * 40,
    smtp_password="sesame-out",
    imap_password="sesame-in",
    metrics_token="watcher",
    log_format="json",
    log_level="debug",
)
SECRETS = ("dragoon-1918", "k" * 40, "sesame-out", "sesame-in", "watcher")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure(SETTINGS, stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(written: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_the_settings_know_which_of_them_are_secret() -> None:
    assert set(SECRETS) <= set(logs.secrets_of(SETTINGS))


def test_secrets_are_struck_out_of_events_fields_and_tracebacks(written: io.StringIO) -> None:
    log = structlog.get_logger("test")
    for secret in SECRETS:
        log.info(f"login with {secret}", detail=f"x{secret}x", nested={"list": [secret]}, password="anything")
        try:
            raise RuntimeError(f"refused {secret}")
        except RuntimeError:
            log.exception("failed")
    found = written.getvalue()
    assert logs.STRUCK in found and "Traceback" in found
    assert not any(secret in found for secret in (*SECRETS, "anything"))


def test_what_libraries_log_goes_the_same_way(written: io.StringIO) -> None:
    logging.getLogger("some.library").warning("cannot log in as %s with %s", "orders", "sesame-in")
    [line] = lines(written)
    assert line["logger"] == "some.library" and line["level"] == "warning"
    assert line["event"] == f"cannot log in as orders with {logs.STRUCK}"


def test_a_line_of_json_is_one_event_with_its_time(written: io.StringIO) -> None:
    structlog.get_logger("gm.worker").info("done", kind="publish", campaign="front", number=3)
    [line] = lines(written)
    assert line["event"] == "done" and line["campaign"] == "front" and line["number"] == 3
    assert str(line["timestamp"]).endswith("Z")


def test_tokens_and_links_of_a_real_seat_are_struck_out(sqlite_services: Services, written: io.StringIO) -> None:
    campaign = start(replace(sqlite_services, renderer=PlainRenderer()))
    token = holders.seat_token(sqlite_services, campaign, "A")
    ticket = links.sign(sqlite_services, Ticket(Purpose.SIGN_IN, campaign, "A", links.fingerprint(token)))
    structlog.get_logger("test").info(
        "mail",
        to=f"orders+{token}@bell.test",
        shouted=f"ORDERS+{token.upper()}@BELL.TEST",
        link=links.url(sqlite_services, ticket),
        bare=f"read {ticket} again",
        header=f"Authorization: Bearer {ticket}",
    )
    found = written.getvalue()
    assert token not in found.lower() and ticket not in found


@given(st.text(min_size=1, max_size=40), st.sampled_from(SECRETS), st.text(max_size=40))
def test_a_secret_is_struck_out_wherever_it_stands(before: str, secret: str, after: str) -> None:
    event = logs.striker(SECRETS)(None, "info", {"event": before + secret + after, "other": [before, {"k": secret}]})
    assert secret not in str(event["event"]).replace(before, "", 1)
    assert secret not in str(event["other"][1])


def test_what_a_flood_repeats_is_logged_once_a_minute(written: io.StringIO) -> None:
    for _ in range(500):
        logging.getLogger("asyncio").error("socket.accept() out of system resource\nsocket: <socket>")
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("uvicorn.error").error("Exception in ASGI application\n")
    assert [str(line["event"])[:10] for line in lines(written)] == ["socket.acc", "Invalid HT", "Exception "]


def test_and_again_in_the_next_minute() -> None:
    now = [0.0]
    once = logs.OnceAMinute(lambda: now[0])
    record = logging.makeLogRecord({"msg": "Invalid HTTP request received."})
    told = []
    for now[0] in (0.0, 30.0, 61.0, 62.0):
        told.append(once.filter(record))
    assert told == [True, False, True, False]


def test_what_strangers_say_to_the_listener_is_logged_once_a_minute(written: io.StringIO) -> None:
    """Five hundred characters of each unknown command were, as fast as somebody could send them."""
    aiosmtpd = logging.getLogger("mail.log")
    for number in range(500):
        aiosmtpd.warning("%r unrecognised: %s", ("203.0.113.5", number), "X" * 500)
        aiosmtpd.warning("%r too many bogus commands", ("203.0.113.5", number))
        structlog.get_logger("mail").warning(logs.LISTENER_FAILED, error="RecursionError")
    assert len(lines(written)) == 3


STRANGE = "XX\x1b[2J\x07\r\n2026-11-19 [error] forged\x9b\u202e\u2028\ud800"


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_nothing_that_is_logged_can_move_a_terminal_or_begin_a_line(written: io.StringIO, log_format: str) -> None:
    logs.configure(replace(SETTINGS, log_format=log_format), stream=written)
    log = structlog.get_logger("test")
    log.warning("said", command=STRANGE, each=[STRANGE])
    logging.getLogger("some.library").warning("unrecognised: %s", STRANGE)
    assert len(written.getvalue().splitlines()) == 2, "a line each"
    try:
        raise RuntimeError(STRANGE)
    except RuntimeError:
        log.exception("failed")
    found = written.getvalue()
    assert "Traceback" in found and "x1b[2J" in found
    assert all(character.isprintable() or character == "\n" for character in found)
