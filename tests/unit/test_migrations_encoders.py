"""A store that had vectors before encoders were kept: whoever has some is given theirs, whoever owns the store."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

from models import OTHER
from ricordo.blocking import Memory
from ricordo.settings import Settings
from stores import connect
from talks import BATTERY

_SCRIPT = files("ricordo.database") / "migrations" / "0008_encoders_of_owners.sql"
_TABLES = ("users", "embeddings", "models", "user_models")


def test_an_owner_that_is_no_superuser_names_the_encoder_of_each_user(with_encoder: Settings) -> None:
    for settings in (replace(with_encoder, user="ada"), replace(with_encoder, user="bob", encoder=OTHER)):
        with Memory(settings=settings, background=False) as memory:
            memory.mine(BATTERY, conversation="battery")
            memory.embed_pending()
    role = f"owner_of_{with_encoder.schema}"
    with connect(with_encoder) as owner:
        before = set(owner.execute("SELECT user_id, model, next_model FROM user_models").fetchall())
        owner.execute("DELETE FROM user_models")
        owner.execute(f"CREATE ROLE {role} NOLOGIN; GRANT USAGE, CREATE ON SCHEMA {with_encoder.schema} TO {role}")
        for table in _TABLES:
            owner.execute(f"ALTER TABLE {table} OWNER TO {role}")
        owner.execute(f"SET ROLE {role}")
        with owner.transaction():
            owner.execute(_SCRIPT.read_text())
        owner.execute("RESET ROLE")
        assert len(before) == 2
        assert set(owner.execute("SELECT user_id, model, next_model FROM user_models").fetchall()) == before
        forced = owner.execute(
            "SELECT count(*) FROM pg_class WHERE relforcerowsecurity AND relnamespace = %s::regnamespace "
            "AND relname = ANY(%s)",
            [with_encoder.schema, ["users", "embeddings", "user_models"]],
        ).fetchone()
        assert forced == (3,)
        for table in _TABLES:
            owner.execute(f"ALTER TABLE {table} OWNER TO CURRENT_USER")
        owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
