"""Proposals of trades and Purges; a seat knows when it last read its letters.

What was written before counts as read.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "proposals",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("proposer", sa.String(length=1), nullable=False),
        sa.Column("orders", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("answers", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_proposals_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "number", name=op.f("pk_proposals")),
        sa.UniqueConstraint("campaign_id", "key", name=op.f("uq_proposals_campaign_id_key")),
    )
    op.add_column("seats", sa.Column("letters_read_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE seats SET letters_read_at = (SELECT MAX(at) FROM letters)")


def downgrade() -> None:
    with op.batch_alter_table("seats") as table:
        table.drop_column("letters_read_at")
    op.drop_table("proposals")
