"""A mail to a player's secret address, or released, is read before those of strangers.

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("ahead", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_inbox_state_ahead_id", "inbox", ["state", "ahead", "id"])
    op.drop_index("ix_inbox_state", "inbox")


def downgrade() -> None:
    op.create_index("ix_inbox_state", "inbox", ["state"])
    op.drop_index("ix_inbox_state_ahead_id", "inbox")
    with op.batch_alter_table("inbox") as table:
        table.drop_column("ahead")
