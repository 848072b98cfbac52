"""A backup of a live installation comes back whole, plays on, and is refused where it cannot be trusted."""

from __future__ import annotations

import errno
import stat
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from gm import backup
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.seats import holders
from gm.campaign.services import Services, no_wake
from gm.config import Settings
from gm.errors import Conflict, Invalid, NotNow
from gm.rendering.newsroom import PlainRenderer
from gm.store.engine import make_engine
from tests.campaign_fixtures import FakeClock, installed, let_pass, settings_for, start


@pytest.fixture
def live(store_url: str, clock: FakeClock) -> Services:
    services = installed(settings_for(store_url), clock=clock, wake=no_wake, renderer=PlainRenderer())
    yield services
    services.close()


def restored(url: str, clock: FakeClock) -> Services:
    return installed(settings_for(url), clock=clock, wake=no_wake, renderer=PlainRenderer())


def play_a_turn(services: Services, campaign: str, clock: FakeClock) -> int:
    """Somebody orders, time goes by; gives the number of the last Bell."""
    intake.submit(services, campaign, "A", "VOTE CONTINUE", source="web")
    let_pass(services, clock, days=9)
    return lookups.state(services, campaign).bell_number


def test_a_restored_installation_is_the_same_and_plays_on(
    live: Services, elsewhere: str, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = start(live)
    play_a_turn(live, campaign, clock)
    file = tmp_path / "kolokol.backup"
    taken = backup.back_up(live.settings, file)
    back = backup.restore(settings_for(elsewhere), file)
    assert back == taken and taken.rows["campaigns"] == 1 and taken.rows["bells"] >= 2

    copy = restored(elsewhere, clock)
    try:
        assert lookups.state(copy, campaign) == lookups.state(live, campaign)
        assert holders.seat_token(copy, campaign, "A") == holders.seat_token(live, campaign, "A")
        assert [b.number for b in lookups.bells(copy, campaign)] == [b.number for b in lookups.bells(live, campaign)]
        before = lookups.state(copy, campaign).bell_number
        assert play_a_turn(copy, campaign, clock) > before, "new rows get numbers that are free"
    finally:
        copy.close()


def test_a_backup_is_taken_while_orders_come_in(
    live: Services, elsewhere: str, clock: FakeClock, tmp_path: Path
) -> None:
    campaign = start(live)
    done = threading.Event()
    versions: list[int] = []

    def write() -> None:
        while not done.is_set():
            versions.append(intake.submit(live, campaign, "B", f"PRESS\nissue {len(versions)}", source="web").version)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(versions) < 3:
            assert writer.is_alive()
        at_least = versions[-1]
        backup.back_up(live.settings, tmp_path / "kolokol.backup")
    finally:
        done.set()
        writer.join()
    backup.restore(settings_for(elsewhere), tmp_path / "kolokol.backup")
    copy = restored(elsewhere, clock)
    found = intake.current_orders(copy, campaign, "B")
    copy.close()
    assert found is not None and at_least <= found.version <= versions[-1]


def test_a_backup_is_for_its_owner_alone_and_can_be_checked(live: Services, tmp_path: Path) -> None:
    file = tmp_path / "kolokol.backup"
    taken = backup.back_up(live.settings, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert backup.check(file) == taken
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_a_backup_in_which_a_byte_was_changed_is_refused(live: Services, elsewhere: str, tmp_path: Path) -> None:
    start(live)
    file, forged = tmp_path / "kolokol.backup", tmp_path / "forged.backup"
    backup.back_up(live.settings, file)
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(forged, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            wanted = name in (backup.DATABASE, "players.copy")
            target.writestr(name, data.replace(b"Anna", b"Hana") if wanted else data)
    with pytest.raises(Invalid, match="not what was backed up"):
        backup.restore(settings_for(elsewhere), forged)


def test_half_a_file_is_no_backup(live: Services, tmp_path: Path) -> None:
    file = tmp_path / "kolokol.backup"
    backup.back_up(live.settings, file)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(Invalid, match="no whole backup"):
        backup.check(file)


def test_nothing_is_ever_restored_over_something(live: Services, tmp_path: Path) -> None:
    file = tmp_path / "kolokol.backup"
    backup.back_up(live.settings, file)
    with pytest.raises(Conflict):
        backup.restore(live.settings, file)


def test_an_sqlite_backup_brings_its_key_and_touches_no_other(
    sqlite_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    settings = replace(settings_for(sqlite_url), secret_key="")
    services = installed(settings, clock=clock)
    backup.back_up(settings, tmp_path / "kolokol.backup")
    services.close()
    (tmp_path / "new").mkdir()
    there = replace(settings, database_url=f"sqlite:///{tmp_path}/new/kolokol.sqlite")
    key = tmp_path / "new" / "kolokol.sqlite.key"
    key.write_text("another installation's")
    with pytest.raises(Conflict, match="another installation's key"):
        backup.restore(there, tmp_path / "kolokol.backup")
    key.unlink()
    backup.restore(there, tmp_path / "kolokol.backup")
    assert key.read_bytes() == services.secret_key
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_engines_are_not_mixed_up(sqlite_url: str, tmp_path: Path) -> None:
    backup.back_up(settings_for(sqlite_url), tmp_path / "kolokol.backup")
    with pytest.raises(Invalid, match="backup of sqlite"):
        backup.restore(settings_for("postgresql://localhost/none"), tmp_path / "kolokol.backup")


def test_where_nothing_is_nothing_is_backed_up(tmp_path: Path) -> None:
    empty = f"sqlite:///{tmp_path}/empty.sqlite"
    make_engine(empty).dispose()
    with pytest.raises(NotNow):
        backup.back_up(replace(Settings(), database_url=empty), tmp_path / "kolokol.backup")
    assert not (tmp_path / "kolokol.backup").exists()


@pytest.mark.parametrize("end", ["", "-wal", "-shm", ".key"])
def test_no_backup_is_written_over_the_installation(sqlite_services: Services, end: str) -> None:
    database = Path(make_url(sqlite_services.settings.database_url).database or "")
    kept = database.read_bytes()
    link = database.with_name("link.backup")
    link.symlink_to(f"{database}{end}")
    for target in (Path(f"{database}{end}"), link):
        with pytest.raises(Conflict, match="a file of the installation itself"):
            backup.back_up(sqlite_services.settings, target)
    assert database.read_bytes() == kept


def test_a_backup_for_which_there_is_no_room_is_told_in_a_line(
    sqlite_services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(NotNow, match="cannot be written"):
        backup.back_up(sqlite_services.settings, Path("/dev/full/x.backup"))
    monkeypatch.setattr(backup, "_write", full)
    with pytest.raises(NotNow, match="No space left"):
        backup.back_up(sqlite_services.settings, tmp_path / "x.backup")
    assert not list(tmp_path.glob("*x.backup*"))
