"""What a player has typed at the desk and not sent is kept, one text a seat and Phase.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

KEY = ("campaign_id", "turn", "phase", "incarnation")


def upgrade() -> None:
    op.create_table(
        "unsent_sheets",
        sa.Column("campaign_id", sa.String(80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("letter", sa.String(1), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            KEY,
            [f"phases.{name}" for name in KEY],
            name=op.f("fk_unsent_sheets_campaign_id_phases"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(*KEY, "letter", name=op.f("pk_unsent_sheets")),
    )


def downgrade() -> None:
    op.drop_table("unsent_sheets")
