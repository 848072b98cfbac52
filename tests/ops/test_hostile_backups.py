"""A backup that is damaged, or that somebody made to do harm: a line says so, and nothing is left in place."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from gm import backup
from gm.cli import main
from gm.errors import Invalid
from tests.bombs import METHODS, bomb, held_at_most
from tests.campaign_fixtures import settings_for

Parts = dict[str, bytes]


@pytest.fixture
def parts(sqlite_url: str, tmp_path: Path) -> Parts:
    backup.back_up(settings_for(sqlite_url), tmp_path / "good.backup")
    with zipfile.ZipFile(tmp_path / "good.backup") as box:
        return {name: box.read(name) for name in box.namelist()}


def packed(folder: Path, parts: Mapping[str, bytes], change: Callable[[dict[str, Any]], object] | None = None) -> Path:
    """A backup of these parts, with hashes that fit."""
    manifest = json.loads(parts[backup.MANIFEST])
    for name, part in manifest["parts"].items():
        part |= {"bytes": len(parts[name]), "sha256": hashlib.sha256(parts[name]).hexdigest()}
    if change is not None:
        change(manifest)
    with zipfile.ZipFile(folder / "bad.backup", "w") as box:
        for name, content in parts.items():
            box.writestr(name, content if name != backup.MANIFEST else json.dumps(manifest))
    return folder / "bad.backup"


def refused(folder: Path, file: Path) -> str:
    """By the check and by the restore; nothing of it is there, and the good one can be restored."""
    there = settings_for(f"sqlite:///{folder}/new/k.sqlite")
    (folder / "new").mkdir(exist_ok=True)
    with pytest.raises(Invalid):
        backup.check(file)
    with pytest.raises(Invalid) as caught:
        backup.restore(there, file)
    assert list((folder / "new").iterdir()) == []
    assert "\n" not in str(caught.value)
    return str(caught.value)


def altered(parts: Parts, folder: Path, *statements: str) -> Parts:
    file = folder / "altered.sqlite"
    file.write_bytes(parts[backup.DATABASE])
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return {**parts, backup.DATABASE: file.read_bytes()}


def test_a_database_that_is_none_or_half_of_one(parts: Parts, tmp_path: Path) -> None:
    database = parts[backup.DATABASE]
    for content in (b"", b"garbage" * 1000, database[: len(database) // 2], database[:100] + b"\xff" * 5000):
        refused(tmp_path, packed(tmp_path, {**parts, backup.DATABASE: content}))


@pytest.mark.parametrize("content", [b"[]", b'"x"', b"5", b"null", b"[" * 100_000, b"\xff", b"{}", b'{"format": 1}'])
def test_a_manifest_that_is_none(parts: Parts, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad.backup"
    with zipfile.ZipFile(file, "w") as box:
        box.writestr(backup.MANIFEST, content)
        box.writestr(backup.DATABASE, parts[backup.DATABASE])
    refused(tmp_path, file)


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "rows": lambda m: m["rows"].update(campaigns=7),
    "other tables": lambda m: m["rows"].update(more=0),
    "no rows": lambda m: m.update(rows=None),
    "rows of a kind": lambda m: m.update(rows=[1]),
    "parts of a kind": lambda m: m.update(parts=[1]),
    "no parts": lambda m: m.update(parts={}),
    "engine": lambda m: m.update(engine="oracle"),
    "size": lambda m: m["parts"][backup.DATABASE].update(bytes="x"),
    "too much": lambda m: m.update(more=1),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_manifest_that_does_not_fit(parts: Parts, tmp_path: Path, name: str) -> None:
    file = packed(tmp_path, parts, CHANGES[name])
    there = settings_for(f"sqlite:///{tmp_path}/new/k.sqlite")
    (tmp_path / "new").mkdir()
    with pytest.raises(Invalid):
        backup.restore(there, file)
    assert list((tmp_path / "new").iterdir()) == []


def test_a_database_with_more_than_our_tables_or_of_another_schema(parts: Parts, tmp_path: Path) -> None:
    trigger = "CREATE TRIGGER t AFTER INSERT ON campaigns BEGIN DELETE FROM campaigns; END"
    assert "more than tables" in refused(tmp_path, packed(tmp_path, altered(parts, tmp_path, trigger)))
    view = "CREATE VIEW v AS SELECT 1"
    assert "more than tables" in refused(tmp_path, packed(tmp_path, altered(parts, tmp_path, view)))
    named = altered(parts, tmp_path, 'CREATE TABLE "x"" UNION SELECT 1 --" (a)')
    assert "no table of Kolokol" in refused(tmp_path, packed(tmp_path, named))
    there = settings_for(f"sqlite:///{tmp_path}/new/k.sqlite")

    def more(rows: dict[str, Any]) -> None:
        rows["rows"]["strangers"] = 0

    with pytest.raises(Invalid, match="strangers"):
        statement = "CREATE TABLE strangers (a)"
        backup.restore(there, packed(tmp_path, altered(parts, tmp_path, statement), more))
    assert list((tmp_path / "new").iterdir()) == []
    for statement in ("UPDATE alembic_version SET version_num = 'nowhere'", "ALTER TABLE campaigns DROP COLUMN pack"):
        with pytest.raises(Invalid):
            backup.restore(there, packed(tmp_path, altered(parts, tmp_path, statement)))
        assert list((tmp_path / "new").iterdir()) == []
    backup.restore(there, tmp_path / "good.backup")


@pytest.mark.parametrize("statement", ["DELETE FROM alembic_version", "DROP TABLE alembic_version"])
def test_a_database_that_does_not_say_its_schema(parts: Parts, tmp_path: Path, statement: str) -> None:
    said = refused(tmp_path, packed(tmp_path, altered(parts, tmp_path, statement)))
    assert "not of the schema" in said or "no such table: alembic_version" in said


def test_what_is_no_file_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "nowhere", Path("/dev/null")):
        with pytest.raises(SystemExit) as end:
            main(["backup", "--check", str(path)])
        assert end.value.code and "gm:" in capsys.readouterr().err


@pytest.fixture
def keyed(sqlite_url: str, tmp_path: Path) -> Parts:
    """What a backup holds of an installation with a key."""
    settings = settings_for(sqlite_url)
    Path(f"{make_url(sqlite_url).database}.key").write_bytes(bytes(range(32)))
    backup.back_up(settings, tmp_path / "good.backup")
    with zipfile.ZipFile(tmp_path / "good.backup") as box:
        return {name: box.read(name) for name in box.namelist()}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [backup.MANIFEST, backup.KEY])
def test_a_part_that_unpacks_to_more_than_it_says(keyed: Parts, tmp_path: Path, method: str, name: str) -> None:
    others = {other: content for other, content in keyed.items() if other != name}
    made = bomb(METHODS[method], name, 64, len(keyed[name]), keyed[name], others)
    (tmp_path / "bad.backup").write_bytes(made)
    held_at_most(16, lambda: refused(tmp_path, tmp_path / "bad.backup"))


def test_a_restore_reads_a_part_no_further_than_it_should_be(keyed: Parts, tmp_path: Path) -> None:
    """Deflated, its directory tells the truth of its first bytes and of their checksum."""
    key = keyed[backup.KEY]
    others = {other: content for other, content in keyed.items() if other != backup.KEY}
    made = bytearray(bomb(METHODS["deflated"], backup.KEY, 64, len(key), key, others))
    struct.pack_into("<I", made, made.index(b"PK\x01\x02") + 16, zlib.crc32(key))
    (tmp_path / "bad.backup").write_bytes(made)
    there = settings_for(f"sqlite:///{tmp_path}/new/k.sqlite")
    (tmp_path / "new").mkdir()
    held_at_most(16, lambda: backup.restore(there, tmp_path / "bad.backup"))
    assert (tmp_path / "new" / "k.sqlite.key").read_bytes() == key
