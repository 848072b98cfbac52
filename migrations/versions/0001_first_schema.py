"""The first schema.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(length=80), nullable=False),
        sa.Column("dice_name", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("paper", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("gm_name", sa.Text(), nullable=False),
        sa.Column("gm_address", sa.Text(), nullable=False),
        sa.Column("gm_letter", sa.String(length=1), nullable=True),
        sa.Column("gm_token_hash", sa.String(length=64), nullable=False),
        sa.Column("gm_generation", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_event_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_bell", sa.Integer(), nullable=False),
        sa.Column("chain", sa.String(length=64), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pause_reason", sa.Text(), nullable=True),
        sa.CheckConstraint("status IN ('inviting', 'running', 'paused', 'finished')", name=op.f("ck_campaigns_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
        sa.UniqueConstraint("gm_token_hash", name=op.f("uq_campaigns_gm_token_hash")),
    )
    with op.batch_alter_table("campaigns", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_campaigns_last_event_at"), ["last_event_at"], unique=False)

    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("last_tick_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("halted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("halted_reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clock")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_audit_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_campaign_id_id"), ["campaign_id", "id"], unique=False)

    op.create_table(
        "bells",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("headline", sa.Text(), nullable=False),
        sa.Column("wordings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("json", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=True),
        sa.Column("chart", sa.LargeBinary(), nullable=True),
        sa.Column("chain", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_bells_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "number", name=op.f("pk_bells")),
    )
    op.create_table(
        "inbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("source", sa.String(length=12), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("envelope_to", sa.Text(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("campaign_id", sa.String(length=80), nullable=True),
        sa.Column("letter", sa.String(length=2), nullable=True),
        sa.Column("handled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.CheckConstraint("state IN ('new', 'handled', 'held', 'quarantined')", name=op.f("ck_inbox_state")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_inbox_campaign_id_campaigns"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("digest", name=op.f("uq_inbox_digest")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inbox_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_inbox_sender_received_at"), ["sender", "received_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_inbox_state"), ["state"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=True),
        sa.Column("letter", sa.String(length=2), nullable=True),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("in_reply_to", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=True),
        sa.Column("headers", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("attachments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("bell", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease", sa.Text(), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('queued', 'sent', 'failed', 'cancelled')", name=op.f("ck_outbox_state")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_outbox_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_campaign_id_id"), ["campaign_id", "id"], unique=False)
        batch_op.create_index(
            "ix_outbox_waiting",
            ["not_before"],
            unique=False,
            sqlite_where=sa.text("state = 'queued'"),
            postgresql_where=sa.text("state = 'queued'"),
        )

    op.create_table(
        "phases",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("position", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("grace_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("adjudicated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("orders_digest", sa.String(length=64), nullable=True),
        sa.Column("headline", sa.Text(), nullable=True),
        sa.Column("lead", sa.Text(), nullable=True),
        sa.Column("erratum", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "state IN ('pending', 'open', 'grace', 'sealed', 'adjudicated', 'published', 'void')",
            name=op.f("ck_phases_state"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_phases_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "turn", "phase", "incarnation", name=op.f("pk_phases")),
        sa.UniqueConstraint("campaign_id", "ordinal", name=op.f("uq_phases_campaign_id_ordinal")),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role IN ('player', 'standby', 'reader', 'gone')", name=op.f("ck_players_role")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_players_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    with op.batch_alter_table("players", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_players_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_players_campaign_id"), ["campaign_id"], unique=False)

    op.create_table(
        "requests",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("letter", sa.String(length=1), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("starts", sa.Date(), nullable=True),
        sa.Column("ends", sa.Date(), nullable=True),
        sa.Column("standin", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('extension', 'absence')", name=op.f("ck_requests_kind")),
        sa.CheckConstraint("state IN ('asked', 'granted', 'declined')", name=op.f("ck_requests_state")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_requests_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requests")),
        sa.UniqueConstraint("campaign_id", "key", name=op.f("uq_requests_campaign_id_key")),
    )
    op.create_table(
        "adjudications",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("points", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "turn", "phase", "incarnation"],
            ["phases.campaign_id", "phases.turn", "phases.phase", "phases.incarnation"],
            name=op.f("fk_adjudications_campaign_id_phases"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "turn", "phase", "incarnation", name=op.f("pk_adjudications")),
    )
    op.create_table(
        "alarms",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("hours", sa.Integer(), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('remind', 'close', 'adjudicate', 'draft', 'publish')", name=op.f("ck_alarms_kind")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "turn", "phase", "incarnation"],
            ["phases.campaign_id", "phases.turn", "phases.phase", "phases.incarnation"],
            name=op.f("fk_alarms_campaign_id_phases"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alarms")),
    )
    with op.batch_alter_table("alarms", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_alarms_campaign_id_turn_phase_incarnation"),
            ["campaign_id", "turn", "phase", "incarnation"],
            unique=False,
        )
        batch_op.create_index(
            "ix_alarms_due",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("done_at IS NULL"),
            postgresql_where=sa.text("done_at IS NULL"),
        )

    op.create_table(
        "decisions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "turn", "phase", "incarnation"],
            ["phases.campaign_id", "phases.turn", "phases.phase", "phases.incarnation"],
            name=op.f("fk_decisions_campaign_id_phases"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
    )
    with op.batch_alter_table("decisions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_decisions_campaign_id_turn_phase_incarnation"),
            ["campaign_id", "turn", "phase", "incarnation"],
            unique=False,
        )

    op.create_table(
        "dice",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revealed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id", "turn", "phase", "incarnation"],
            ["phases.campaign_id", "phases.turn", "phases.phase", "phases.incarnation"],
            name=op.f("fk_dice_campaign_id_phases"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "turn", "phase", "incarnation", name=op.f("pk_dice")),
    )
    op.create_table(
        "seats",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("letter", sa.String(length=1), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("nmr_count", sa.Integer(), nullable=False),
        sa.Column("standin", sa.Boolean(), nullable=False),
        sa.Column("bounce", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "status IN ('invited', 'held', 'resigning', 'removed', 'quit')", name=op.f("ck_seats_status")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_seats_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id_players")),
        sa.PrimaryKeyConstraint("campaign_id", "letter", name=op.f("pk_seats")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_seats_token_hash")),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("letter", sa.String(length=1), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.String(length=12), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("canonical", sa.Text(), nullable=False),
        sa.Column("problems", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("receipt", sa.String(length=64), nullable=False),
        sa.Column("resigns", sa.Boolean(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("inbox_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.CheckConstraint(
            "status IN ('taken', 'withdrawn', 'ahead', 'late', 'refused')", name=op.f("ck_submissions_status")
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_submissions_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_submissions_inbox_id_inbox")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("campaign_id", "key", name=op.f("uq_submissions_campaign_id_key")),
    )
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_submissions_campaign_id_turn_phase_incarnation_letter_version"),
            ["campaign_id", "turn", "phase", "incarnation", "letter", "version"],
            unique=False,
        )

    op.create_table(
        "tenures",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("letter", sa.String(length=1), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_tenures_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tenures_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenures")),
    )
    with op.batch_alter_table("tenures", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tenures_campaign_id"), ["campaign_id"], unique=False)

    op.create_table(
        "waits",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("letter", sa.String(length=1), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "turn", "phase", "incarnation"],
            ["phases.campaign_id", "phases.turn", "phases.phase", "phases.incarnation"],
            name=op.f("fk_waits_campaign_id_phases"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "turn", "phase", "incarnation", "letter", name=op.f("pk_waits")),
    )
    op.create_table(
        "letters",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("sender", sa.String(length=2), nullable=False),
        sa.Column("recipients", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("dateline", sa.Text(), nullable=True),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("in_reply_to", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("submission_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("bell", sa.Integer(), nullable=True),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('press', 'letter')", name=op.f("ck_letters_kind")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_letters_campaign_id_campaigns"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["in_reply_to"], ["letters.id"], name=op.f("fk_letters_in_reply_to_letters")),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_letters_submission_id_submissions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters")),
        sa.UniqueConstraint("campaign_id", "key", name=op.f("uq_letters_campaign_id_key")),
    )
    with op.batch_alter_table("letters", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_letters_campaign_id_kind_bell"), ["campaign_id", "kind", "bell"], unique=False
        )

    op.create_table(
        "sealed_orders",
        sa.Column("campaign_id", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=12), nullable=False),
        sa.Column("incarnation", sa.Integer(), nullable=False),
        sa.Column("letter", sa.String(length=1), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("receipt", sa.String(length=64), nullable=False),
        sa.Column("source", sa.String(length=12), nullable=False),
        sa.Column("submission_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.CheckConstraint(
            "source IN ('submitted', 'none', 'standing', 'standin', 'removed', 'deal')",
            name=op.f("ck_sealed_orders_source"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "turn", "phase", "incarnation"],
            ["phases.campaign_id", "phases.turn", "phases.phase", "phases.incarnation"],
            name=op.f("fk_sealed_orders_campaign_id_phases"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_sealed_orders_submission_id_submissions")
        ),
        sa.PrimaryKeyConstraint("campaign_id", "turn", "phase", "incarnation", "letter", name=op.f("pk_sealed_orders")),
    )


def downgrade() -> None:
    op.drop_table("sealed_orders")
    with op.batch_alter_table("letters", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_letters_campaign_id_kind_bell"))

    op.drop_table("letters")
    op.drop_table("waits")
    with op.batch_alter_table("tenures", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tenures_campaign_id"))

    op.drop_table("tenures")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_submissions_campaign_id_turn_phase_incarnation_letter_version"))

    op.drop_table("submissions")
    op.drop_table("seats")
    op.drop_table("dice")
    with op.batch_alter_table("decisions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_decisions_campaign_id_turn_phase_incarnation"))

    op.drop_table("decisions")
    with op.batch_alter_table("alarms", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_alarms_due", sqlite_where=sa.text("done_at IS NULL"), postgresql_where=sa.text("done_at IS NULL")
        )
        batch_op.drop_index(batch_op.f("ix_alarms_campaign_id_turn_phase_incarnation"))

    op.drop_table("alarms")
    op.drop_table("adjudications")
    op.drop_table("requests")
    with op.batch_alter_table("players", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_players_campaign_id"))
        batch_op.drop_index(batch_op.f("ix_players_address"))

    op.drop_table("players")
    op.drop_table("phases")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_outbox_waiting", sqlite_where=sa.text("state = 'queued'"), postgresql_where=sa.text("state = 'queued'")
        )
        batch_op.drop_index(batch_op.f("ix_outbox_campaign_id_id"))

    op.drop_table("outbox")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_inbox_state"))
        batch_op.drop_index(batch_op.f("ix_inbox_sender_received_at"))
        batch_op.drop_index(batch_op.f("ix_inbox_campaign_id"))

    op.drop_table("inbox")
    op.drop_table("bells")
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_campaign_id_id"))

    op.drop_table("audit")
    op.drop_table("clock")
    with op.batch_alter_table("campaigns", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_campaigns_last_event_at"))

    op.drop_table("campaigns")
