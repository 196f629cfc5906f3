"""Tables, logs and entries; logs and entries are final."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_FINAL = ("logs", "entries")

_REFUSE = """
CREATE FUNCTION schockauge_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% are never changed or deleted', TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def upgrade() -> None:
    """Make them."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "tables",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=True),
        sa.Column("paired_at_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_tables"),
    )
    op.create_table(
        "logs",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("table_name", sa.Text, nullable=True),
        sa.Column("first_seen_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_logs"),
        sa.ForeignKeyConstraint(["table_name"], ["tables.name"], name="fk_logs_table_name"),
        sa.CheckConstraint(
            "(kind = 'table' AND table_name IS NOT NULL) OR (kind = 'hub' AND table_name IS NULL)",
            name=op.f("ck_logs_kind"),
        ),
    )
    op.create_table(
        "entries",
        sa.Column("number", number, autoincrement=False, nullable=False),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("at_s", sa.Double, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("previous", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("received_at_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_entries"),
        sa.ForeignKeyConstraint(["log"], ["logs.id"], name="fk_entries_log"),
        sa.UniqueConstraint("log", "seq", name="uq_entries_log_seq"),
    )
    _make_final()


def downgrade() -> None:
    """Remove them with all that they hold."""
    for name in ("entries", "logs", "tables"):
        op.drop_table(name)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION schockauge_final()")


def _make_final() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_REFUSE)
        for name in _FINAL:
            op.execute(
                f"CREATE TRIGGER {name}_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON {name} "
                "FOR EACH STATEMENT EXECUTE FUNCTION schockauge_final()"
            )
        return
    for name in _FINAL:
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {name}_{what.lower()} BEFORE {what} ON {name} "
                f"BEGIN SELECT RAISE(ABORT, '{name} are never changed or deleted'); END"
            )
