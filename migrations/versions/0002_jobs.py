"""The job queue of PostgreSQL installations: procrastinate's own tables, in a schema of their own.

SQLite has no workers to wake, and gets none.

Revision ID: 0002
Revises: 0001
"""

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    connection = op.get_bind().connection.driver_connection
    op.execute("CREATE SCHEMA jobs")
    op.execute("SET LOCAL search_path TO jobs, public")
    with connection.cursor() as cursor:  # its SQL is full of percent signs: past SQLAlchemy's parameters
        cursor.execute(SchemaManager.get_schema().encode())
    op.execute("SET LOCAL search_path TO DEFAULT")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP SCHEMA jobs CASCADE")
