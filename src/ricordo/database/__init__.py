"""The PostgreSQL store: the embedded server, connections, tenants and migrations. It knows no feature."""

from ricordo.database.store import Database, Transaction, migrate, owner

__all__ = ["Database", "Transaction", "migrate", "owner"]
