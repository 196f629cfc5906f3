"""What Alembic runs: on the connection, and in the transaction, of whoever asked for it."""

from __future__ import annotations

from alembic import context

from device.hub.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite can, too: a power cut leaves the step before
)
with context.begin_transaction():
    context.run_migrations()
