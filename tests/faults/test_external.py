"""The same code on a server of the user's own: as a superuser, and as a role that an administrator let in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from consistency import inconsistencies
from homes import temporary_home
from miners import talk
from models import model_folder
from ricordo.blocking import Memory
from ricordo.database.embedded import ensure_running
from ricordo.errors import StoreIncompatible
from ricordo.settings import Settings
from stores import settings_for
from talks import BATTERY


@pytest.fixture
def host() -> Iterator[str]:
    """The socket's folder of a server that no Ricordo has prepared."""
    with temporary_home() as home:
        yield ensure_running(Settings(home=home)).host


def own_store(host: str, user: str, server_home: Path) -> Settings:
    url = f"postgresql://{user}@/ricordo?host={host}"
    return replace(settings_for(server_home), database_url=url, model_dir=model_folder())


def use(store: Settings) -> None:
    """What a memory is for, and that users do not see each other."""
    with Memory(settings=replace(store, user="ada")) as ada, Memory(settings=replace(store, user="ben")) as ben:
        assert ada.mine(BATTERY, conversation="battery").stored == len(BATTERY)
        assert ada.mine(BATTERY, conversation="battery").duplicates == len(BATTERY)
        assert ben.mine(talk(3), conversation="talk-3").stored == len(talk(3))
        for memory in (ada, ben):
            memory.embed_pending()
        recalled = ada.recall("Which pack of cells did we take?")
        assert "12V20Ah" in recalled.context
        assert (recalled.pending, recalled.notes) == (0, ())  # words and vectors were compared
        assert not [hit for hit in ben.recall("Lindner pack of cells", top_k=100) if "Lindner" in hit.text]
        assert sum(wing.drawers for wing in ada.palace.tree()) == len(BATTERY)
        assert {drawer.text for drawer in ben.palace.show("W-1/R-1")} <= {turn["content"] for turn in talk(3)}


def check(store: Settings, host: str) -> None:
    with psycopg.connect(f"host={host} user=ricordo dbname=ricordo", autocommit=True) as owner:
        owner.execute(f"SET search_path = {store.schema}, public")
        assert inconsistencies(owner) == []
        assert owner.execute("SELECT count(*) FROM memories").fetchone() == (len(BATTERY) + len(talk(3)),)


def test_as_a_superuser(host: str, server_home: Path) -> None:
    store = own_store(host, "ricordo", server_home)
    use(store)
    check(store, host)


@pytest.mark.parametrize("user", ["guest", '"Mrs. Guest"'])
def test_as_a_role_that_an_administrator_let_in(host: str, server_home: Path, user: str) -> None:
    store = own_store(host, user.strip('"').replace(" ", "%20"), server_home)
    with psycopg.connect(f"host={host} user=ricordo dbname=ricordo", autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {user} LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB")
        with pytest.raises(StoreIncompatible) as raised, Memory(settings=store):
            pass
        statements = str(raised.value).split("run in this database: ")[1]
        assert "CREATE EXTENSION vector; CREATE ROLE" in statements
        administrator.execute(statements)
    use(store)
    check(store, host)


def test_as_a_role_that_may_make_roles_but_is_no_superuser(host: str, server_home: Path) -> None:
    """As the big hosts have it: the role makes everything by itself, save the extension."""
    store = own_store(host, "host_admin", server_home)
    with psycopg.connect(f"host={host} user=ricordo dbname=ricordo", autocommit=True) as administrator:
        administrator.execute("CREATE ROLE host_admin LOGIN CREATEROLE; CREATE EXTENSION vector")
        administrator.execute("GRANT CREATE ON DATABASE ricordo TO host_admin")
    use(store)
    check(store, host)
