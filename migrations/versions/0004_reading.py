"""Each adjudication records the versions of the reading and of the dice; those of before were judged by version 1.

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("reading", "dice"):
        op.add_column("adjudications", sa.Column(name, sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    with op.batch_alter_table("adjudications") as table:
        table.drop_column("dice")
        table.drop_column("reading")
