"""Sessions of the web that were signed out.

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ended_sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_ended_sessions_ended_at", "ended_sessions", ["ended_at"])


def downgrade() -> None:
    op.drop_table("ended_sessions")
