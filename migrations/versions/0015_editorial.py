"""What the Gamesmaster writes into an issue besides headline and lead: column, farewell, stories.

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("phases", sa.Column("editorial", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("phases") as table:
        table.drop_column("editorial")
