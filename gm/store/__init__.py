"""Where campaigns are kept: SQLite or PostgreSQL through SQLAlchemy. No decision is taken here."""
