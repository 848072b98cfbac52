"""Players say whether they are ready; a deadline that came nearer remembers the full one; sheets with unread lines.

Who asked to wait is not ready. Sheets on file count as they did: as understood.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("phases", sa.Column("full_deadline", sa.DateTime(timezone=True), nullable=True))
    op.add_column("waits", sa.Column("ready", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("submissions", sa.Column("unread", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    for table, column in (("submissions", "unread"), ("waits", "ready"), ("phases", "full_deadline")):
        with op.batch_alter_table(table) as change:
            change.drop_column(column)
