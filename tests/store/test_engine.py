"""What the store promises whoever uses it, on both engines."""

import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, InvalidRequestError, StatementError

from gm.store.engine import Store
from gm.store.mail_tables import Audit
from gm.store.repositories import campaigns
from gm.store.tables import Bell, Campaign, SeatRow

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(store_url: str):
    made = Store(store_url, sync="off")
    with made.write() as session:
        session.add(
            Campaign(
                id="one",
                dice_name="one",
                name="One",
                paper="The Bell",
                status="running",
                options={},
                gm_name="G",
                gm_address="g@x.test",
                gm_token_hash="0" * 64,
                created_at=NOW,
                last_event_at=NOW,
            )
        )
    yield made
    made.close()


def test_of_fifty_concurrent_read_then_writes_none_is_lost(store: Store) -> None:
    def add() -> None:
        for _ in range(10):
            with store.write() as session:
                row = campaigns.lock(session, "one")
                assert row is not None
                row.next_bell = row.next_bell + 1

    threads = [threading.Thread(target=add) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as session:
        row = campaigns.get(session, "one")
        assert row is not None and row.next_bell == 51


def test_a_writer_that_fails_leaves_nothing(store: Store) -> None:
    with pytest.raises(RuntimeError), store.write() as session:
        session.add(Audit(campaign_id="one", at=NOW, actor="a", action="b", data={}))
        session.flush()
        raise RuntimeError("in the middle")
    with store.read() as session:
        assert campaigns.audit_log(session, "one") == []


def test_a_reader_sees_one_moment_while_a_writer_commits(store: Store) -> None:
    with store.read() as session:
        before = campaigns.get(session, "one")
        assert before is not None
        with store.write() as writing:
            row = campaigns.lock(writing, "one")
            assert row is not None
            row.name = "Two"
        session.expire_all()
        again = campaigns.get(session, "one")
        assert again is not None and again.name == "One"


def test_foreign_keys_are_enforced(store: Store) -> None:
    with pytest.raises(IntegrityError), store.write() as session:
        facts = {"status": "held", "generation": 1, "token_hash": "1", "nmr_count": 0, "standin": False}
        session.add(SeatRow(campaign_id="nobody", letter="A", **facts))


def test_a_state_that_does_not_exist_is_refused_by_the_database(store: Store) -> None:
    with pytest.raises(IntegrityError), store.write() as session:
        row = campaigns.lock(session, "one")
        assert row is not None
        row.status = "asleep"


def test_times_come_back_in_utc_whatever_zone_they_went_in_with(store: Store) -> None:
    local = datetime(2026, 6, 1, 20, 0, tzinfo=timezone(timedelta(hours=3)))
    with store.write() as session:
        row = campaigns.lock(session, "one")
        assert row is not None
        row.paused_at = local
    with store.read() as session:
        row = campaigns.get(session, "one")
        assert row is not None and row.paused_at == local and row.paused_at.tzinfo is UTC


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(StatementError, match="naive"), store.write() as session:
        row = campaigns.lock(session, "one")
        assert row is not None
        row.paused_at = datetime(2026, 6, 1, 20, 0)


def test_the_heavy_parts_of_a_bell_are_never_loaded_behind_anyones_back(store: Store) -> None:
    bell = {"kind": "phase", "turn": 1, "phase": "first", "incarnation": 0, "subject": "", "headline": ""}
    with store.write() as session:
        session.add(
            Bell(
                campaign_id="one",
                number=1,
                **bell,
                wordings=[],
                text="t",
                html="",
                json={},
                png=b"png",
                chain="",
                message_id="<m>",
                published_at=NOW,
            )
        )
    with store.read() as session:
        found = session.get_one(Bell, ("one", 1))
        with pytest.raises(InvalidRequestError):
            found.png  # noqa: B018


def test_what_a_json_column_holds_comes_back_as_it_was_even_half_a_character(store: Store) -> None:
    held = {"deep": [1, 2.5, None, True, "Чёрный ☭"], "large": 10**25, "half": "\ud83d"}
    with store.write() as session:
        session.get_one(Campaign, "one").options = held
    with store.read() as session:
        assert session.get_one(Campaign, "one").options == held


def test_a_broken_json_column_is_a_value_error(store: Store) -> None:
    if not store.is_sqlite:
        return  # PostgreSQL holds no broken JSON
    with store.write() as session:
        session.execute(text("UPDATE campaigns SET options = '{\"a\":'"))
    with store.read() as session, pytest.raises(ValueError, match="Expecting value"):
        session.get_one(Campaign, "one")
