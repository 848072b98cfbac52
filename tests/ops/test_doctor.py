"""`gm doctor` sees what is wrong, says what to do, and changes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from typer.testing import CliRunner

from gm.campaign import ticker
from gm.campaign.mailbox import outbox
from gm.campaign.ports import Mail
from gm.cli import app
from gm.config import Settings
from gm.doctor.finding import Finding, Level
from gm.doctor.run_checks import CHECKS, examine
from gm.rehearsal.crew import free_port
from gm.store import migrate
from gm.store.engine import make_engine
from tests.campaign_fixtures import FakeClock, installed, settings_for


def findings(settings: Settings, *only: str) -> list[Finding]:
    return list(examine(settings, only))


def level(settings: Settings, check: str, *only: str) -> Level:
    """The worst that was found by one check."""
    found = [f.level for f in findings(settings, *only) if f.check == check]
    return max(found, key=list(Level).index)


@pytest.fixture
def real(sqlite_url: str) -> Settings:
    """As a careful keeper would set it."""
    return settings_for(
        sqlite_url,
        base_url="https://bell.example.org",
        admins="keeper@example.org",
        mail_transport="smtp",
        mail_from="gm@bell.example.org",
        mail_domain="bell.example.org",
        orders_address="orders@bell.example.org",
    )


@pytest.fixture
def mail_server() -> Iterator[int]:
    controller = Controller(object(), hostname="127.0.0.1", port=free_port())
    controller.start()
    yield controller.port
    controller.stop()


def test_a_good_installation_gets_no_complaint(real: Settings, mail_server: int) -> None:
    services = installed(real)
    ticker.tick(services)
    services.close()
    settings = replace(
        real, smtp_host="127.0.0.1", smtp_port=mail_server, smtp_tls="none", lmtp_listen=f"127.0.0.1:{mail_server}"
    )
    found = findings(settings)
    assert [f for f in found if f.level is not Level.OK] == []
    assert {f.check for f in found} >= {"python", "board", "fonts", "secrets", "database", "schema", "clock", "worker"}


def test_every_complaint_says_what_to_do() -> None:
    broken = replace(
        Settings(),
        database_url="postgresql://nobody@127.0.0.1:1/none",
        base_url="ftp:nowhere",
        demo=True,
        mail_transport="smtp",
        orders_address="orders+x@localhost",
        smtp_host="127.0.0.1",
        smtp_port=1,
        imap_host="127.0.0.1",
        imap_port=1,
        lmtp_listen="nonsense",
    )
    complaints = [f for f in findings(broken) if f.level is not Level.OK]
    assert {f.check for f in complaints} >= {"database", "secrets", "web", "mail", "smtp", "imap", "lmtp"}
    assert all(f.todo for f in complaints)


def test_it_changes_nothing(tmp_path: Path) -> None:
    findings(replace(Settings(), database_url=f"sqlite:///{tmp_path}/kolokol.sqlite"))
    assert list(tmp_path.iterdir()) == []


def test_a_schema_that_is_behind_is_seen(tmp_path: Path, real: Settings) -> None:
    settings = replace(real, database_url=f"sqlite:///{tmp_path}/old.sqlite")
    engine = make_engine(settings.database_url)
    migrate.upgrade(engine, "0001")
    engine.dispose()
    assert level(settings, "schema", "database") is Level.WARN


def test_a_worker_that_is_gone_and_one_that_never_was_are_told_apart(real: Settings) -> None:
    assert level(real, "worker", "work") is Level.WARN
    services = installed(real, clock=FakeClock(datetime.now(UTC) - timedelta(hours=2)))
    ticker.tick(services)
    services.close()
    assert level(real, "worker", "work") is Level.FAIL


def test_a_clock_in_doubt_is_a_failure(real: Settings) -> None:
    clock = FakeClock(datetime.now(UTC) - timedelta(days=400))
    services = installed(replace(real, clock_jump_minutes=60), clock=clock)
    ticker.tick(services)
    clock.advance(days=400)
    ticker.tick(services)
    services.close()
    assert level(real, "clock", "work") is Level.FAIL


def test_mail_that_could_not_be_sent_is_told(real: Settings) -> None:
    services = installed(real)
    outbox.queue(services, Mail("k", "links", "anna@players.test", "Anna", "subject", "text"))
    [mail] = outbox.claim(services, "w")
    outbox.failed(services, mail.id, mail.lease, "550 no such user", permanent=True)
    services.close()
    assert level(real, "outbox", "work") is Level.WARN


@pytest.mark.parametrize(
    "changes",
    [
        {"smtp_password": "x", "smtp_tls": "none", "smtp_host": "mail.example.org"},
        {"imap_password": "x", "imap_tls": False, "imap_host": "mail.example.org"},
    ],
)
def test_a_password_that_would_go_unencrypted_is_a_failure(real: Settings, changes: dict[str, object]) -> None:
    assert level(replace(real, **changes), "secrets", "secrets") is Level.FAIL


def test_a_key_that_others_can_read_is_a_failure(real: Settings, tmp_path: Path) -> None:
    settings = replace(real, secret_key="")
    installed(settings).close()
    assert level(settings, "secrets", "secrets") is Level.OK
    os.chmod(tmp_path / "kolokol.sqlite.key", 0o644)
    assert level(settings, "secrets", "secrets") is Level.FAIL


def test_a_demonstration_on_the_open_net_is_a_failure(real: Settings) -> None:
    assert level(replace(real, demo=True), "web", "web") is Level.FAIL


def test_a_refused_login_is_told_without_the_password(real: Settings, mail_server: int) -> None:
    settings = replace(
        real,
        smtp_host="127.0.0.1",
        smtp_port=mail_server,
        smtp_tls="none",
        smtp_user="orders",
        smtp_password="only-for-this-test",
    )
    [finding] = findings(settings, "smtp")
    assert finding.level is Level.FAIL and finding.todo
    assert "only-for-this-test" not in finding.words + finding.todo


def test_a_check_that_breaks_is_a_finding_not_an_end(real: Settings) -> None:
    def breaks(settings: Settings) -> Iterator[Finding]:
        raise ZeroDivisionError
        yield

    found = list(examine(real, checks={"fonts": breaks, "board": CHECKS["board"]}))
    assert [f.check for f in found if f.level is Level.FAIL] == ["fonts"]
    assert "board" in {f.check for f in found}


def test_the_command_ends_with_1_only_for_a_failure(real: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", real.database_url)
    runner = CliRunner()
    good = runner.invoke(app, ["doctor", "--only", "database", "--json"])
    assert good.exit_code == 0 and {f["check"] for f in json.loads(good.stdout)} == {"database", "schema"}
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    assert runner.invoke(app, ["doctor", "--only", "database"]).exit_code == 1


def test_settings_are_listed_and_secrets_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOLOKOL_SMTP_PASSWORD", "only-for-this-test")
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", "postgresql://kolokol:another-secret@db/kolokol")
    shown = CliRunner().invoke(app, ["settings"]).stdout
    assert "KOLOKOL_SMTP_PASSWORD=set" in shown and "@db/kolokol" in shown
    assert "only-for-this-test" not in shown and "another-secret" not in shown
