"""Backup and restore: a whole installation in one file, taken while it runs, restored into an empty database.

The file is a zip: `manifest.json` and the data as the engine itself writes them (an SQLite copy by the online backup,
or one COPY a table from a single snapshot of PostgreSQL). Restoring brings the data back at the schema they were taken
at and then upgrades, so an old backup fits a newer version. The job queue is not kept: workers look by themselves.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import psycopg
from alembic.util import CommandError
from psycopg import sql
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from gm import __version__
from gm.config import Settings
from gm.errors import Conflict, Invalid, NotNow
from gm.store import mail_tables, migrate, tables, zips  # noqa: F401  (two of them fill the metadata)
from gm.store.base import Base
from gm.store.engine import make_engine

FORMAT = 1
MANIFEST, DATABASE, KEY = "manifest.json", "kolokol.sqlite", "secret.key"
CHUNK = 1 << 20
VERSION_TABLE = "alembic_version"
# What reading a file raises that is no backup, or a damaged one, or one that somebody made to do harm.
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, sqlite3.Error, psycopg.Error, SQLAlchemyError, CommandError, UnicodeError),
    *(KeyError, ValueError, TypeError, AttributeError, RecursionError, RuntimeError, EOFError, OverflowError, OSError),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One file inside: how many bytes, and what they must hash to."""

    bytes: int
    sha256: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    engine: str  # "sqlite" or "postgresql"
    schema: str
    rows: dict[str, int]  # of each table
    parts: dict[str, Part] = field(default_factory=dict)
    made_at: str = ""
    version: str = __version__
    format: int = FORMAT

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        data = json.loads(text)
        if not isinstance(data, dict) or not isinstance(data.get("rows"), dict):
            raise TypeError("its manifest is none")
        if data.get("format") != FORMAT:
            hint = "use the version of Kolokol that made it"
            raise Invalid("backup", f"a backup of format {data.get('format')} cannot be read", hint)
        parts = {name: Part(p["bytes"], p["sha256"], tuple(p["columns"])) for name, p in data.pop("parts").items()}
        return cls(parts=parts, **data)


# --- taking


def back_up(settings: Settings, target: Path) -> Manifest:
    """Write a backup of the running installation. The file appears whole or not at all, readable by its owner alone."""
    _is_elsewhere(settings, target)
    engine = make_engine(settings.database_url)
    unfinished = target.with_name(f".{target.name}.part")
    try:
        schema = migrate.current(engine)
        if schema is None:
            raise NotNow("backup", "there is no database to back up", "check KOLOKOL_DATABASE_URL")
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w+b") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as box:
            take = _take_sqlite if engine.dialect.name == "sqlite" else _take_postgresql
            rows, parts = take(engine, box, settings)
            made_at = datetime.now(UTC).isoformat(timespec="seconds")
            manifest = Manifest(engine.dialect.name, schema, rows, parts, made_at)
            box.writestr(MANIFEST, manifest.to_json())
        unfinished.replace(target)
        return manifest
    except (OSError, sqlite3.OperationalError) as error:  # a disk without room, a folder that is shut
        what = error.strerror if isinstance(error, OSError) else str(error)
        raise NotNow("backup", f"{target} cannot be written: {what}", "see that there is room for it") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        engine.dispose()


def _is_elsewhere(settings: Settings, target: Path) -> None:
    """No backup is written over what it is of."""
    if settings.is_postgresql:
        return
    database = _file_of(settings)
    own = [Path(f"{database}{end}") for end in ("", "-wal", "-shm", "-journal", ".key")]
    if target.resolve() in [path.resolve() for path in own]:
        raise Conflict("backup", f"{target} is a file of the installation itself", "name another file")


def _take_sqlite(engine: Engine, box: zipfile.ZipFile, settings: Settings) -> tuple[dict[str, int], dict[str, Part]]:
    parts = {}
    with TemporaryDirectory(prefix="kolokol-backup-") as folder:
        copy = Path(folder) / DATABASE
        with closing(sqlite3.connect(_file_of(settings))) as live, closing(sqlite3.connect(copy)) as still:
            live.backup(still)
            still.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        rows = _check_sqlite(copy)
        with copy.open("rb") as source:
            parts[DATABASE] = _write(box, DATABASE, iter(lambda: source.read(CHUNK), b""))
    key = _key_file(settings)
    if key.is_file():
        parts[KEY] = _write(box, KEY, [key.read_bytes()])
    return rows, parts


def _take_postgresql(engine: Engine, box: zipfile.ZipFile, _: Settings) -> tuple[dict[str, int], dict[str, Part]]:
    rows, parts = {}, {}
    with engine.connect() as connection:
        connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        for table in _tables(connection):
            columns = tuple(column["name"] for column in inspect(connection).get_columns(table))
            with _driver(connection).cursor() as cursor:
                with cursor.copy(_copy("COPY {} ({}) TO STDOUT", table, columns)) as copy:
                    parts[f"{table}.copy"] = _write(box, f"{table}.copy", (bytes(block) for block in copy), columns)
                rows[table] = cursor.rowcount
    return rows, parts


def _write(box: zipfile.ZipFile, name: str, blocks: Any, columns: tuple[str, ...] = ()) -> Part:
    digest, size = hashlib.sha256(), 0
    with box.open(name, "w", force_zip64=True) as out:
        for block in blocks:
            out.write(block)
            digest.update(block)
            size += len(block)
    return Part(size, digest.hexdigest(), columns)


# --- checking


def check(source: Path) -> Manifest:
    """Read all of a backup and compare it with its manifest. Raises Invalid where anything is missing or changed."""
    with _opened(source) as (box, manifest):
        if manifest.engine == "sqlite":
            with TemporaryDirectory(prefix="kolokol-check-") as folder:
                _unpack(box, Path(folder) / DATABASE, manifest)
        return manifest


@contextmanager
def _opened(source: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    hint = "take another backup; this one cannot be trusted"
    try:
        with zipfile.ZipFile(source) as box:
            manifest = Manifest.from_json(zips.content(box, MANIFEST, CHUNK).decode())
            if manifest.engine == "sqlite" and DATABASE not in manifest.parts:
                raise ValueError("there is no database in it")
            for name, part in manifest.parts.items():
                with zips.opened(box, name) as file:
                    digest, size = _digest(file, part.bytes)
                if (digest, size) != (part.sha256, part.bytes):
                    raise Invalid("backup", f"{name} in {source.name} is not what was backed up", hint)
            yield box, manifest
    except FileNotFoundError:
        raise Invalid("backup", f"there is no file {source}", "name the file that `gm backup` wrote") from None
    except OperationalError:  # the database here is away: no fault of the backup
        raise
    except DAMAGED as error:
        raise Invalid("backup", f"{source.name} is no whole backup ({str(error)[:200]})", hint) from error


def _digest(file: IO[bytes], most: int) -> tuple[str, int]:
    """Hash and size; of a file that is longer than it should be, not of all of it."""
    digest, size = hashlib.sha256(), 0
    while size <= most and (block := file.read(CHUNK)):
        digest.update(block)
        size += len(block)
    return digest.hexdigest(), size


# --- restoring


def restore(settings: Settings, source: Path) -> Manifest:
    """Put a backup into an empty database, see that every row is there, and upgrade it to the present schema."""
    with _opened(source) as (box, manifest):
        wanted = "postgresql" if settings.is_postgresql else "sqlite"
        if manifest.engine != wanted:
            hint = "campaigns move between engines by `gm export` and `gm import`"
            raise Invalid("backup", f"this is a backup of {manifest.engine}, and the database here is {wanted}", hint)
        put = _put_sqlite if wanted == "sqlite" else _put_postgresql
        put(settings, box, manifest)
    return manifest


def _compare(found: Mapping[str, int], manifest: Manifest) -> None:
    if found != manifest.rows:
        wrong = sorted(name for name in {*manifest.rows, *found} if found.get(name) != manifest.rows.get(name))
        raise Invalid("backup", f"rows are missing, or too many: {', '.join(wrong)[:200]}", "take another backup")


def _upgrade(url: str) -> None:
    """To the present schema, all of it: nothing that is not ours is in the database then."""
    engine = make_engine(url)
    try:
        migrate.upgrade(engine)
        with engine.connect() as connection:
            looked = inspect(connection)
            ours = {name: {column.name for column in table.columns} for name, table in Base.metadata.tables.items()}
            there = {name: {column["name"] for column in looked.get_columns(name)} for name in _tables(connection)}
            if {name: there.get(name) for name in ours} != ours or looked.get_view_names():
                raise Invalid("backup", "the database is not one of Kolokol", "take another backup")
            if strange := sorted(there.keys() - ours.keys()):
                what = f"the database has a table that Kolokol does not: {strange[0][:80]}"
                raise Invalid("backup", what, "drop it where the backup was taken, and take another")
    finally:
        engine.dispose()


def _put_sqlite(settings: Settings, box: zipfile.ZipFile, manifest: Manifest) -> None:
    """Checked and brought to the present schema beside its place: it comes there whole or not at all."""
    target = Path(_file_of(settings))
    if target.exists():
        hint = "move it away first, with its -wal, -shm and .key beside it, or choose another KOLOKOL_DATABASE_URL"
        raise Conflict("backup", f"there is a database at {target} already", hint)
    key = _key_file(settings)
    if KEY in manifest.parts and key.exists() and key.read_bytes() != zips.content(box, KEY, CHUNK):
        raise Conflict("backup", f"{key.name} is another installation's key", "move it away first")
    unfinished = target.with_name(f".{target.name}.part")
    try:
        _unpack(box, unfinished, manifest)
        beside = make_url(settings.database_url).set(database=str(unfinished))
        try:
            _upgrade(beside.render_as_string(hide_password=False))
        except OperationalError as error:  # it is the backup's own file that was asked
            raise ValueError(str(error.orig)) from error
        with closing(sqlite3.connect(unfinished)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        if KEY in manifest.parts and not key.exists():
            with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(zips.content(box, KEY, CHUNK))
        unfinished.replace(target)
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            Path(f"{unfinished}{end}").unlink(missing_ok=True)


def _unpack(box: zipfile.ZipFile, target: Path, manifest: Manifest) -> None:
    """The database of a backup as a file, readable by its owner alone: with the rows and of the schema that it says."""
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with zips.opened(box, DATABASE) as data, os.fdopen(handle, "wb") as out:
        while block := data.read(CHUNK):
            out.write(block)
    _compare(_check_sqlite(target), manifest)
    with closing(sqlite3.connect(target)) as connection:
        if connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall() != [(manifest.schema,)]:
            raise Invalid("backup", "the database is not of the schema that the manifest names", "take another backup")


def _put_postgresql(settings: Settings, box: zipfile.ZipFile, manifest: Manifest) -> None:
    engine = make_engine(settings.database_url)
    try:
        if migrate.current(engine) is not None:
            hint = "create an empty database and set KOLOKOL_DATABASE_URL to it"
            raise Conflict("backup", "the database is not empty", hint)
        migrate.upgrade(engine, manifest.schema)
        rows = {}
        with engine.begin() as connection:
            for table in _tables(connection):
                rows[table] = _load(connection, table, box, manifest.parts[f"{table}.copy"])
            _compare(rows, manifest)
    finally:
        engine.dispose()
    _upgrade(settings.database_url)


def _load(connection: Connection, table: str, box: zipfile.ZipFile, part: Part) -> int:
    with _driver(connection).cursor() as cursor, zips.opened(box, f"{table}.copy") as data:
        with cursor.copy(_copy("COPY {} ({}) FROM STDIN", table, part.columns)) as copy:
            while block := data.read(CHUNK):
                copy.write(block)
        count = cursor.rowcount
        for column in part.columns:  # numbers given from now on must not have been given before
            sequence = cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", (table, column)).fetchone()
            if sequence and sequence[0]:
                query = sql.SQL("SELECT setval(%s, greatest((SELECT max({}) FROM {}), 1))")
                cursor.execute(query.format(sql.Identifier(column), sql.Identifier(table)), (sequence[0],))
    return count


# --- both


def _tables(connection: Connection) -> list[str]:
    """Those that others refer to come first."""
    found = [name for name, _ in inspect(connection).get_sorted_table_and_fkc_names() if name is not None]
    return [name for name in found if name != VERSION_TABLE]


def _copy(words: str, table: str, columns: tuple[str, ...]) -> sql.Composed:
    return sql.SQL(words).format(sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns)))


def _driver(connection: Connection) -> psycopg.Connection[Any]:
    found = connection.connection.driver_connection
    assert isinstance(found, psycopg.Connection)
    return found


def _check_sqlite(path: Path) -> dict[str, int]:
    """Rows of each table of a file that is whole."""
    with closing(sqlite3.connect(path)) as connection:
        verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            raise Invalid("backup", f"the copy of the database is damaged: {verdict}", "look at the disk")
        kinds = {row[0] for row in connection.execute("SELECT type FROM sqlite_master")}
        if not kinds <= {"table", "index"}:
            raise Invalid("backup", "the database holds more than tables", "take another backup")
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
        tables = [name for name in names if name != VERSION_TABLE and not name.startswith("sqlite_")]
        if strange := [name for name in tables if not name.isidentifier()]:
            raise Invalid("backup", f"{strange[0][:80]!r} is no table of Kolokol", "take another backup")
        return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}


def _file_of(settings: Settings) -> str:
    database = make_url(settings.database_url).database
    if not database or database == ":memory:":
        raise Invalid("backup", "a database in memory cannot be kept", "set KOLOKOL_DATABASE_URL to a file")
    return database


def _key_file(settings: Settings) -> Path:
    return Path(f"{_file_of(settings)}.key")
