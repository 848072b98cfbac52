"""Mails that failed are counted at every look of the monitoring: an index finds them among all that ever went out.

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

FAILED = sa.text("state = 'failed'")


def upgrade() -> None:
    op.create_index("ix_outbox_failed", "outbox", ["id"], sqlite_where=FAILED, postgresql_where=FAILED)


def downgrade() -> None:
    op.drop_index("ix_outbox_failed", "outbox")
