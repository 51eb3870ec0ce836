"""Lines that delay, cut and double, between a client and PostgreSQL, and between a client and the HTTP server."""

from __future__ import annotations

import socket
from collections import Counter
from dataclasses import replace

import requests

from consistency import inconsistencies
from homes import temporary_home
from http_server import running
from miners import lost, talk
from proxies import Mood, between
from ricordo.blocking import Memory
from ricordo.database.embedded import ensure_running
from ricordo.errors import StoreError
from ricordo.settings import Settings
from stores import connect

SEED = 20261128


def test_over_a_bad_line_to_postgresql_what_is_acknowledged_is_there_once(settings: Settings) -> None:
    server = ensure_running(settings)
    name = f".s.PGSQL.{server.port}"
    with Memory(settings=settings), temporary_home() as folder, socket.socket(socket.AF_UNIX) as listening:

        def reach() -> socket.socket:
            there = socket.socket(socket.AF_UNIX)
            there.connect(f"{server.host}/{name}")
            return there

        listening.bind(str(folder / name))
        mood = Mood(SEED, delay=0.1, cut=0.02)
        far = replace(
            settings, database_url=f"postgresql://ricordo@/{settings.database}?host={folder}&port={server.port}"
        )
        refused = 0
        with between(listening, reach, mood), _opened(far) as memory:
            for number in range(12):
                while True:
                    try:
                        memory.mine(talk(number), conversation=f"talk-{number}")
                        break
                    except StoreError as error:
                        assert "\n" not in str(error)
                        refused += 1
                        assert refused < 200
            mood.cut = 0.0  # so that it can be closed
    assert min(mood.done["cut"], mood.done["delayed"], refused) > 0, (mood.done, refused)
    with connect(settings) as owner:
        assert inconsistencies(owner) == []
        assert lost(owner, list(range(12))) == []


def _opened(settings: Settings) -> Memory:
    """A memory to open, once the line is good enough for that."""
    for _ in range(50):
        try:
            with Memory(settings=settings, background=False):
                return Memory(settings=replace(settings, connect_timeout=20.0), background=False)
        except StoreError:
            continue
    raise AssertionError("it could not be opened in 50 attempts")


def test_over_a_line_that_cuts_and_doubles_a_request_with_a_key_is_done_once(settings: Settings) -> None:
    with running(settings) as server, socket.socket() as listening:
        host, port = server.url.removeprefix("http://").split(":")
        listening.bind(("127.0.0.1", 0))
        mood = Mood(SEED, delay=0.2, cut=0.1, twice=0.4)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1/notes"
        codes: Counter[int] = Counter()
        with between(listening, lambda: socket.create_connection((host, int(port))), mood):
            for number in range(40):
                headers = {"Authorization": f"Bearer {server.token}", "Idempotency-Key": f"note-{number}"}
                for _ in range(100):
                    try:
                        answer = requests.post(url, json={"content": f"note {number}"}, headers=headers, timeout=10)
                    except requests.RequestException:
                        codes[0] += 1
                        continue
                    codes[answer.status_code] += 1
                    if answer.status_code == 201:
                        break
        assert codes.keys() <= {0, 201, 409}, codes
        assert codes[201] == 40
        assert min(mood.done.values()) > 0 and codes[0] > 0, (mood.done, codes)
    with connect(settings) as owner:
        kept = Counter(text for (text,) in owner.execute("SELECT content FROM memories WHERE kind = 'note'"))
        assert kept == Counter(f"note {number}" for number in range(40))
