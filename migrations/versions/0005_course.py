"""A Phase holds a short summary of the issues before it, so that no Bell is made from all of them.

Those that are there hold none: theirs is made once, from the beginning, when they are printed.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("phases", sa.Column("course", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("phases") as table:
        table.drop_column("course")
