"""The public beacon of a campaign, and what it gave for the dice of a Phase. Campaigns that are there have none.

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    values = sa.JSON(none_as_null=True)
    op.add_column("campaigns", sa.Column("beacon", values, nullable=True))
    op.add_column("dice", sa.Column("beacon_round", sa.BigInteger(), nullable=True))
    op.add_column("dice", sa.Column("beacon", values, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("dice") as table:
        table.drop_column("beacon")
        table.drop_column("beacon_round")
    with op.batch_alter_table("campaigns") as table:
        table.drop_column("beacon")
