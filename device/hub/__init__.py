"""The hub of a tournament: takes in the logs of all tables and keeps them (docs/hub.md).

Needs the extra `hub`. `database` opens PostgreSQL or one SQLite file, `streams` writes and reads
logs there, `intake` decides what a table's message is worth, `receiver` does both for every
message that comes from the broker.
"""
