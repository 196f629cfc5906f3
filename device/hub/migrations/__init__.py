"""How the hub's database came to its present form, step by step (Alembic)."""
