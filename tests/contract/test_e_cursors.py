"""Pages: every row comes once, whatever is changed, moved or removed meanwhile; what is no cursor of it is refused."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from http_server import Server, running
from stores import settings_for

_BEGIN = datetime(2026, 3, 1, 18, tzinfo=UTC)
#: Each list that has pages, and another list of the same operation.
LISTS = [
    ("/v1/memories?kind=note", "/v1/memories?kind=note&text=o"),
    ("/v1/activity", "/v1/activity?type=user_action"),
    ("/v1/palace/wings?order=newest", "/v1/palace/wings?order=name"),
    ("/v1/palace/wings?order=largest", "/v1/palace/wings?order=newest"),
    ("/v1/palace/wings?order=name", "/v1/palace/wings?order=name&search=o"),
    ("/v1/palace/wings/W-001/rooms", "/v1/palace/wings/W-002/rooms"),
    ("/v1/palace/rooms/W-001/R-01/closets", "/v1/palace/rooms/W-002/R-02/closets"),
    ("/v1/palace/rooms/W-001/R-01/drawers", "/v1/palace/rooms/W-001/R-01/drawers?closet=1"),
]


@pytest.fixture(scope="module")
def server(server_home: Path) -> Iterator[Server]:
    with running(settings_for(server_home)) as server:
        yield server


def _talk(server: Server, id: str, wing: str, days: int, turns: int = 3) -> None:
    messages = [
        {"role": "user", "content": f"{id} {number}", "at": (_BEGIN + timedelta(days=days, hours=number)).isoformat()}
        for number in range(turns)
    ]
    server.post("/v1/conversations", {"conversation": id, "messages": messages, "project": wing})


@pytest.fixture
def ada(server: Server) -> Server:
    """Asked by a user who has four wings, the first with four rooms, and notes."""
    ada = server.of(f"ada {uuid4()}")
    for number, wing in enumerate(("Boat", "Cellos", "Door", "Oslo")):
        _talk(ada, f"talk-{number}", wing, number)
    for number in range(3):
        _talk(ada, f"more-{number}", "Boat", 10 + number)
        ada.post("/v1/notes", {"content": f"note {number}"})
    ada.post("/v1/palace/drawers/move", {"drawers": ["W-001/R-01/D-002"], "closet": "another"})
    return ada


def _page(server: Server, path: str, cursor: str | None, limit: int = 1) -> Any:
    more = f"&cursor={quote(cursor)}" if cursor else ""
    return server.get(f"{path}{'&' if '?' in path else '?'}limit={limit}{more}")


def _all(server: Server, path: str, cursor: str | None = None) -> list[Any]:
    found = []
    while True:
        page = _page(server, path, cursor)
        found += page["items"]
        if (cursor := page["cursor"]) is None:
            return found


@pytest.mark.parametrize(("path", "other"), LISTS)
def test_what_is_no_cursor_of_this_list_is_refused(ada: Server, path: str, other: str) -> None:
    cursor = _page(ada, path, None)["cursor"]
    mark, *place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    forged: list[Any] = [
        [], {}, None, [mark], [mark, *place, 1], [mark, *[True for _ in place]], [mark, *[-1 for _ in place]],
        [mark, *[2**31 for _ in place]], [mark, *["\0" for _ in place]], [mark, *["\ud800" for _ in place]],
        [mark, *["0001-01-01T00:00:00+23:00" for _ in place]], [mark, *["NaN; DROP TABLE" for _ in place]],
    ]  # fmt: skip
    wrong = [base64.urlsafe_b64encode(json.dumps(each).encode()).decode() for each in forged]
    wrong += ["x", "0", "[" * 3000, "\u00e9" * 99, str(uuid4())]
    wrong += [cursor[:-2], cursor[2:], cursor[::-1], cursor.swapcase()]
    wrong += [base64.urlsafe_b64encode(cursor.encode()).decode(), base64.urlsafe_b64encode(b"[" * 2900).decode()]
    wrong += [_page(ada, each, None)["cursor"] for each, *_ in LISTS if each != path]
    for each in filter(None, wrong):
        answer = ada.ask("GET", path, params={"limit": 1, "cursor": each})
        assert answer.status_code == 422, (each, answer.text)
        assert [told["field"] for told in answer.json()["errors"]] == ["cursor"], answer.text
    refused = ada.ask("GET", other, params={"cursor": cursor})
    assert (refused.status_code, "belongs to another list" in refused.text) == (422, True)
    for limit in ("0", "-1", "1001", "9" * 99, "1e3", ""):
        assert ada.ask("GET", path, params={"limit": limit}).status_code == 422, limit


@pytest.mark.parametrize(("path", "other"), LISTS)
def test_a_cursor_of_another_user_brings_nothing_of_theirs(server: Server, path: str, other: str) -> None:
    theirs, own = server.of(f"bob {uuid4()}"), server.of(f"ada {uuid4()}")
    for each, name in ((theirs, "theirs"), (own, "own")):
        for number in range(3):
            _talk(each, f"{name} {number}", name if number else f"{name} as well", 3 * number)
            each.post("/v1/notes", {"content": f"{name} {number}"})
    cursor = _page(theirs, path, None)["cursor"]
    answer = own.ask("GET", path, params={"cursor": cursor} if cursor else {})
    assert answer.status_code in (200, 422)
    assert "theirs" not in answer.text


def test_no_row_is_passed_over_or_comes_twice_while_others_are_changed(ada: Server) -> None:
    def names(found: list[Any]) -> list[str]:
        return [each["name"] for each in found]

    for order in ("newest", "largest", "name"):
        path = f"/v1/palace/wings?order={order}"
        every = names(_all(ada, path))
        first = _page(ada, path, None, 2)
        if order == "newest":  # the last of the page is talked of again
            _talk(ada, "again", every[1], 99)
        elif order == "largest":
            _talk(ada, "large", every[1], 2, 40)
        else:  # it is no more: its rooms go to another
            ada.post(f"/v1/palace/wings/{every[1]}/merge", {"into": every[0]})
        assert names(first["items"] + _all(ada, path, first["cursor"])) == every

    path = "/v1/palace/wings/W-001/rooms"
    every = [each["pointer"] for each in _all(ada, path)]
    first = _page(ada, path, None, 2)
    _talk(ada, "more-1", "Boat", -50)  # an older turn: the room began earlier
    ada.post(f"/v1/palace/rooms/{every[1].removeprefix('§ ')}/move", {"wing": "Door"})
    rest = [each["pointer"] for each in _all(ada, path, first["cursor"])]
    assert [each for each in rest if each in every] == every[2:]
