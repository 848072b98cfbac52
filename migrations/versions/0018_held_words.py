"""The words of a mail that waits for a confirmation, as they were understood.

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("inbox", sa.Column("words", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("inbox") as table:
        table.drop_column("words")
