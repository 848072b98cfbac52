"""The database: SQLite or PostgreSQL through SQLAlchemy. Tables and queries only; decisions are in gm.campaign."""
