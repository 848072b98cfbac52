"""What our question about a held mail showed of it: confirmed is that and nothing else.

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("shown", sa.String(64), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("inbox") as table:
        table.drop_column("shown")
