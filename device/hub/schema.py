"""The tables of the hub's database; `device.hub.migrations` makes them, a test compares the two."""

from __future__ import annotations

import sqlalchemy as sa

TABLE, HUB = "table", "hub"
"""Kinds of logs."""

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")  # there the row's own number

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("key", sa.LargeBinary, nullable=True),  # NULL: it was unpaired, its logs stay
    sa.Column("paired_at_s", sa.Double, nullable=False),
)
"""Every table that was ever paired, and the key that its messages are sealed with."""

logs = sa.Table(
    "logs",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("table_name", sa.ForeignKey("tables.name"), nullable=True),
    sa.Column("first_seen_s", sa.Double, nullable=False),
    sa.CheckConstraint(
        "(kind = 'table' AND table_name IS NOT NULL) OR (kind = 'hub' AND table_name IS NULL)",
        name="kind",
    ),
)
"""Logs by the hash of their first entry, and whose they are."""

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=False),
    sa.Column("log", sa.ForeignKey("logs.id"), nullable=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("at_s", sa.Double, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),  # the very JSON that was hashed, not a parsed form
    sa.Column("previous", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("received_at_s", sa.Double, nullable=False),
    sa.UniqueConstraint("log", "seq"),
)
"""Entries of all logs in the order in which they were committed; never changed, never deleted."""
