"""`gm mail` for whoever keeps the installation."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from gm.commands.service.mail import app
from tests.campaign_fixtures import SECRET_KEY
from tests.mail.post import Post


@pytest.fixture
def run(post: Post, monkeypatch: pytest.MonkeyPatch) -> Iterator[CliRunner]:
    monkeypatch.setenv("KOLOKOL_DATABASE_URL", post.services.settings.database_url)
    monkeypatch.setenv("KOLOKOL_SECRET_KEY", SECRET_KEY)
    monkeypatch.setenv("KOLOKOL_ORDERS_ADDRESS", "orders@bell.test")
    yield CliRunner()


def test_the_quarantine_is_listed_shown_and_released(post: Post, run: CliRunner) -> None:
    raw = post.raw("A", "GIVE 1 PM TO B", Precedence="bulk", To="orders@bell.test")
    number = post.hand_in(raw)
    listing = run.invoke(app, ["quarantine"])
    assert str(number) in listing.output and "bulk" in listing.output
    assert json.loads(run.invoke(app, ["quarantine", "--json"]).output)[0]["id"] == number
    shown = run.invoke(app, ["show", str(number)])
    assert "GIVE 1 PM TO B" in shown.output and "anna@players.test" in shown.output
    released = run.invoke(app, ["release", str(number), "--as", "a"])
    assert "handled" in released.output
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_a_strangers_mail_can_be_given_to_a_seat(post: Post, run: CliRunner) -> None:
    number = post.hand_in(post.raw("A", "GIVE 1 PM TO B", From="anna@new.test", To="orders@bell.test"))
    refused = run.invoke(app, ["release", str(number)])
    assert refused.exit_code != 0
    run.invoke(app, ["release", str(number), "--as", "A", "--campaign", post.campaign])
    assert post.orders_of("A") == "GIVE 1 PM TO B"


def test_send_empties_the_outbox_into_the_mailbox(post: Post, run: CliRunner) -> None:
    sent = run.invoke(app, ["send"])
    assert "0 wait" in sent.output and "0 have failed" in sent.output
    assert "none has failed" in run.invoke(app, ["failed"]).output


def test_poll_without_a_mailbox_says_what_to_set(run: CliRunner) -> None:
    polled = run.invoke(app, ["poll"])
    assert polled.exit_code != 0 and "IMAP" in str(polled.exception)
