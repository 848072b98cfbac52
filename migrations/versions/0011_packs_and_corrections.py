"""Campaigns may have a board pack of their own; a Phase holds the corrections of the position with which it began.

Campaigns that are there play on the standard board, and nothing in them was corrected.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "packs",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("files", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_packs")),
    )
    op.add_column("campaigns", sa.Column("pack", sa.String(64), nullable=True))
    op.add_column("phases", sa.Column("corrections", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("phases", sa.Column("corrected", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("phases", "corrected")
    op.drop_column("phases", "corrections")
    op.drop_column("campaigns", "pack")
    op.drop_table("packs")
