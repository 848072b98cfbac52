"""Stand-ins have a style; sealed orders say which stand-in wrote them, in which version.

Sheets that are there were written by people, or by nobody.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("style", sa.String(12), nullable=True))
    op.add_column("sealed_orders", sa.Column("style", sa.String(12), nullable=True))
    op.add_column("sealed_orders", sa.Column("standin", sa.Integer(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("sealed_orders") as table:
        table.drop_column("standin")
        table.drop_column("style")
    with op.batch_alter_table("seats") as table:
        table.drop_column("style")
