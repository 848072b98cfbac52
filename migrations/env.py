"""Alembic's entry: on a connection that the service hands over, or on KOLOKOL_DATABASE_URL from the command line."""

from alembic import context
from sqlalchemy import Connection

from gm.config import Settings
from gm.store import mail_tables, tables  # noqa: F401  (they fill the metadata)
from gm.store.base import Base
from gm.store.engine import make_engine


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=connection.dialect.name == "sqlite",  # SQLite cannot alter a column in place
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


handed = context.config.attributes.get("connection")
if handed is not None:
    run(handed)
else:
    engine = make_engine(context.config.attributes.get("url") or Settings.load().database_url)
    with engine.begin() as own:
        run(own)
    engine.dispose()
