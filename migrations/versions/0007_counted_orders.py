"""The orders that key the dice (version 2) are kept as they were sealed, whatever a later version would print.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sealed_orders", sa.Column("counted", sa.Text()))


def downgrade() -> None:
    op.drop_column("sealed_orders", "counted")
