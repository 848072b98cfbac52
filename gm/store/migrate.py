"""Migrating a database to the present schema. Alembic only: no table is ever made from the models directly."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine


def script_folder() -> Path:
    """migrations/ beside the package in a checkout, inside it when installed."""
    package = Path(__file__).resolve().parent.parent
    beside = package.parent / "migrations"
    return beside if (beside / "env.py").is_file() else package / "_migrations"


def config(connection: Connection | None = None, url: str | None = None) -> Config:
    settings = Config()
    settings.set_main_option("script_location", str(script_folder()).replace("%", "%%"))
    if url is not None:
        settings.attributes["url"] = url
    settings.attributes["connection"] = connection
    return settings


def upgrade(engine: Engine, revision: str = "head") -> None:
    with engine.begin() as connection:
        command.upgrade(config(connection), revision)


def downgrade(engine: Engine, revision: str = "base") -> None:
    with engine.begin() as connection:
        command.downgrade(config(connection), revision)


def head() -> str | None:
    return ScriptDirectory.from_config(config()).get_current_head()


def current(engine: Engine) -> str | None:
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()
