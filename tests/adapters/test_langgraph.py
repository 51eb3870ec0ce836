"""Row E10 of the contract: LangGraph's store, driven through langgraph's own interface."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from ricordo.adapters.langgraph import RicordoStore
from ricordo.blocking import Memory
from ricordo.client import AsyncMemory
from ricordo.errors import InvalidInput
from ricordo.settings import Settings
from stores import connect

TEA = ("users", "ada", "likes")


@pytest.fixture
def store(memory: Memory) -> RicordoStore:
    return RicordoStore(memory)


def keys(found: Any) -> list[str]:
    return [each.key for each in found]


def age(settings: Settings, minutes: float) -> None:
    """Let time pass for every item."""
    with connect(settings) as connection:
        connection.execute(
            "UPDATE memories SET expires_at = expires_at - %s * interval '1 minute' WHERE kind = 'document'", [minutes]
        )


def test_e10_langgraph_an_item_is_put_got_replaced_and_deleted(store: RicordoStore) -> None:
    value = {"text": "  green tea \n", "nested": {"cups": [1, 2.5, None, True]}, "ü": "ß"}
    store.put(TEA, "drink", value)
    first = store.get(TEA, "drink")
    assert first is not None
    assert (first.namespace, first.key, first.value) == (TEA, "drink", value)
    assert first.created_at == first.updated_at
    store.put(TEA, "drink", {"text": "coffee"})
    second = store.get(TEA, "drink")
    assert second is not None
    assert second.value == {"text": "coffee"}
    assert second.created_at == first.created_at < second.updated_at
    store.delete(TEA, "drink")
    store.delete(TEA, "drink")
    assert store.get(TEA, "drink") is None
    assert store.get(("users",), "drink") is None
    store.put(TEA, "drink", {"text": "again"})
    assert keys(store.search(TEA)) == ["drink"]


def test_e10_langgraph_a_batch_reads_first_and_the_last_write_of_a_key_counts(store: RicordoStore) -> None:
    store.put(("a",), "old", {"n": 0})
    results = store.batch(
        [
            PutOp(("a",), "new", {"n": 1}),
            GetOp(("a",), "old"),
            GetOp(("a",), "new"),
            SearchOp(("a",)),
            PutOp(("a",), "new", {"n": 2}),
            PutOp(("a",), "old", None),
            ListNamespacesOp(),
        ]
    )
    assert results[0] is results[2] is results[4] is results[5] is None
    assert results[1].value == {"n": 0}
    assert keys(results[3]) == ["old"]
    assert results[6] == [("a",)]
    assert [(each.key, each.value) for each in store.search(("a",))] == [("new", {"n": 2})]


def test_e10_langgraph_a_batch_with_a_bad_write_writes_nothing(store: RicordoStore) -> None:
    with pytest.raises(InvalidInput, match="value"):
        store.batch([PutOp(("a",), "good", {"n": 1}), PutOp(("a",), "bad", {"n": object()})])
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a",), "good", {"n": 1}), PutOp(("a.b",), "bad", {"n": 1})])
    with pytest.raises(InvalidInput, match="not a store operation"):
        store.batch(["put"])  # type: ignore[list-item]
    assert store.search(()) == []


def test_e10_langgraph_namespaces_that_are_none_are_refused(store: RicordoStore) -> None:
    wrong: list[Any] = [(), ("",), ("a.b",), ("langgraph", "x"), ("a", 1)]
    for namespace in wrong:
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "key", {"n": 1})


def test_e10_langgraph_a_search_keeps_to_its_prefix_by_whole_labels(store: RicordoStore) -> None:
    for namespace in (("docs",), ("docs", "a"), ("docs", "a", "b"), ("docs2",), ("docsa",)):
        store.put(namespace, ".".join(namespace), {"n": 1})
    assert keys(store.search(("docs",))) == ["docs.a.b", "docs.a", "docs"]
    assert keys(store.search(("docs", "a"))) == ["docs.a.b", "docs.a"]
    assert len(store.search(())) == 5
    assert keys(store.search(("docs",), limit=1, offset=1)) == ["docs.a"]
    assert store.search(("docs",), offset=9) == []


#: What a filter finds among the items of the test below.
_FILTERS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "report"}, "ab"),
    ({"kind": "report", "score": 4.5}, "b"),
    ({"score": {"$gt": 3}}, "bc"),
    ({"score": {"$gte": 3}}, "abc"),
    ({"score": {"$lt": 4.5}}, "a"),
    ({"score": {"$lte": 4.5, "$gt": 3}}, "b"),
    ({"kind": {"$ne": "report"}}, "cd"),
    ({"kind": {"$eq": "memo"}}, "c"),
    ({"meta": {"author": "Ada"}}, "ac"),
    ({"meta": {"author": "Ada", "year": 2026}}, "a"),
    ({"tags": ["x", "y"]}, "b"),
    ({"kind": {"$gt": "n"}}, "ab"),
    ({"absent": None}, "abcd"),
    ({"score": True}, ""),
    ({"score": {"$eq": 3.0}}, "a"),
    ({"flag": 1}, ""),
    ({"flag": {"$eq": 1}}, ""),
    ({"flag": {"$ne": 1}}, "abcd"),
    ({"flag": {"$eq": True}}, "d"),
]


def test_e10_langgraph_filters_compare_fields(store: RicordoStore) -> None:
    store.put(("f",), "a", {"kind": "report", "score": 3, "meta": {"author": "Ada", "year": 2026}})
    store.put(("f",), "b", {"kind": "report", "score": 4.5, "tags": ["x", "y"], "meta": {"author": "Bo"}})
    store.put(("f",), "c", {"kind": "memo", "score": 9, "meta": {"author": "Ada", "year": 2025}})
    store.put(("f",), "d", {"text": "neither kind nor score", "flag": True})
    for condition, found in _FILTERS:
        assert sorted(keys(store.search(("f",), filter=condition))) == list(found), condition
        assert sorted(keys(store.search(("f",), filter=condition, query="report memo"))) == list(found), condition


_NOT_UNDERSTOOD: list[Any] = [
    {"kind": {"$in": ["a"]}},
    {"kind": {"$regex": "a"}},
    {"kind": {"$gt": 1, "plain": 2}},
    {"$or": [{"kind": "a"}]},
    {"score": {"$gt": None}},
    {"score": {"$lt": [1]}},
    {1: "a"},
    [("kind", "a")],
    # What no value can hold would never be found.
    {"kind": datetime(2026, 1, 1)},
    {"kind": {"$eq": uuid4()}},
    {"score": math.nan},
]


def test_e10_langgraph_a_filter_that_is_not_understood_raises(store: RicordoStore) -> None:
    for condition in _NOT_UNDERSTOOD:
        with pytest.raises(InvalidInput, match="filter"):
            store.search(("empty",), filter=condition)


def test_e10_langgraph_namespaces_are_listed(store: RicordoStore) -> None:
    for namespace in (("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f"), ("a", "c", "f")):
        store.put(namespace, "key", {"n": 1})
    assert store.list_namespaces(prefix=("a", "b"), max_depth=3) == [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]
    assert store.list_namespaces(suffix=("f",)) == [("a", "b", "f"), ("a", "c", "f")]
    assert store.list_namespaces(prefix=("a", "*", "f")) == [("a", "b", "f"), ("a", "c", "f")]
    assert store.list_namespaces(prefix=("a", "b"), suffix=("*", "i")) == [("a", "b", "d", "i")]
    assert store.list_namespaces(limit=2, offset=1) == [("a", "b", "d", "e"), ("a", "b", "d", "i")]
    assert store.list_namespaces(prefix=("a", "b", "c", "d", "e", "f", "g")) == []
    store.delete(("a", "c", "f"), "key")
    assert store.list_namespaces(suffix=("f",)) == [("a", "b", "f")]
    with pytest.raises(InvalidInput, match="match_type"):
        store.batch([ListNamespacesOp((MatchCondition("infix", ("a",)),))])  # type: ignore[arg-type]


def test_e10_langgraph_a_time_to_live_ends_and_begins_anew_with_a_read(memory: Memory, settings: Settings) -> None:
    store = RicordoStore(memory, ttl={"default_ttl": 10, "refresh_on_read": True})
    store.put(("t",), "default", {"n": 1})
    store.put(("t",), "ever", {"n": 2}, ttl=None)
    store.put(("t",), "long", {"n": 3}, ttl=60)
    age(settings, 6)
    assert store.get(("t",), "default", refresh_ttl=True) is not None
    age(settings, 6)
    assert store.get(("t",), "default", refresh_ttl=False) is not None
    assert len(store.search(("t",), refresh_ttl=False)) == 3
    age(settings, 6)
    assert store.get(("t",), "default") is None
    assert sorted(keys(store.search(("t",)))) == ["ever", "long"]
    assert store.list_namespaces() == [("t",)]
    assert memory.notes.sweep() == 1
    store.put(("t",), "default", {"n": 4})
    age(settings, 11)
    store.put(("t",), "default", {"n": 5})
    found = store.get(("t",), "default")
    assert found is not None
    assert found.value == {"n": 5}
    with pytest.raises(InvalidInput, match="minutes"):
        store.put(("t",), "never", {"n": 1}, ttl=0)
    with pytest.raises(InvalidInput, match="sweep_interval_minutes"):
        RicordoStore(memory, ttl={"sweep_interval_minutes": 5})
    with pytest.raises(InvalidInput, match="unknown setting 'ttl_minutes'"):
        RicordoStore(memory, ttl={"ttl_minutes": 5})  # type: ignore[typeddict-unknown-key]


def test_e10_langgraph_what_is_no_list_of_fields_or_no_json_is_refused(store: RicordoStore, memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="fields: must be a list of paths, such as \\['text'\\], not 'text'"):
        RicordoStore(memory, fields="text")
    odd: list[Any] = ["text", True, [1]]
    for index in odd:
        with pytest.raises(InvalidInput, match="index"):
            store.put(("a",), "key", {"text": "boat"}, index=index)
    deep: dict[str, Any] = {}
    for _ in range(50_000):
        deep = {"in": deep}
    with pytest.raises(InvalidInput, match="value"):
        store.put(("a",), "key", deep)
    assert store.search(("a",)) == []
    store.put(("a",), "key", {"text": r"A pattern: [\u0000-\u001f]"})  # six characters each, and no NUL
    assert [each.value for each in store.search(("a",))] == [{"text": r"A pattern: [\u0000-\u001f]"}]


def test_e10_langgraph_a_query_brings_what_answers_it_first(with_vectors: Settings) -> None:
    with Memory(settings=replace(with_vectors, user="ada")) as memory:
        store = RicordoStore(memory, fields=["text"])
        store.put(("m",), "food", {"text": "She loves Italian cooking, pasta above all."})
        store.put(("m",), "job", {"text": "She works as a harbour pilot."})
        store.put(("m",), "secret", {"text": "harbour pilot, kept out of searches"}, index=False)
        store.put(("m",), "title", {"text": "nothing", "title": "sailing ships"}, index=["title"])
        memory.embed_pending()
        found = store.search(("m",), query="What is her profession?")
        assert found[0].key == "job"
        assert found[0].score is not None
        assert {each.key: each.score for each in found}["secret"] is None
        assert store.search(("m",), query="sailing ships", limit=1)[0].key == "title"
        assert store.search(("m",), query="pasta", limit=1)[0].key == "food"
        store.put(("m",), "food", {"text": "She has come to like sushi."})
        assert store.search(("m",), query="sushi", limit=1)[0].key == "food"


def test_e10_langgraph_stores_are_apart_by_user_collection_and_agent(memory: Memory) -> None:
    stores = [
        RicordoStore(memory),
        RicordoStore(memory, collection="other"),
        RicordoStore(memory, agent="coder"),
        RicordoStore(memory, agent="tester"),
        RicordoStore(memory.of("bo")),
    ]
    for number, each in enumerate(stores):
        each.put(("n",), "key", {"n": number})
    for number, each in enumerate(stores):
        assert [found.value for found in each.search(("n",))] == [{"n": number}]
    assert memory.notes.search() == []
    item = memory.documents.get("langgraph", [(("n",), "key")], agent="coder")[0]
    assert item is not None
    assert {each.actor for each in memory.audit.of_memory(item.id)} == {"agent:coder"}
    memory.agents.delete("coder")
    assert RicordoStore(memory, agent="coder").search(("n",)) == []


def test_e10_langgraph_an_item_keeps_its_history_and_can_be_forgotten(memory: Memory) -> None:
    store = RicordoStore(memory)
    store.put(TEA, "drink", {"text": "tea"})
    store.put(TEA, "drink", {"text": "coffee"})
    item = memory.documents.get("langgraph", [(TEA, "drink")])[0]
    assert item is not None
    said = [each.fields["metadata"]["value"]["text"] for each in memory.entries.history(item.id)]
    assert said == ["tea", "coffee"]
    memory.entries.redact(item.id)
    assert store.get(TEA, "drink") is None
    assert store.search(()) == []
    store.put(TEA, "drink", {"text": "water"})
    assert [each.value for each in store.search(())] == [{"text": "water"}]


def test_e10_langgraph_one_key_written_from_everywhere_at_once_is_one_item(settings: Settings) -> None:
    async def scenario() -> None:
        async with AsyncMemory(settings=settings) as memory:
            store = RicordoStore(memory, agent="swarm")
            await asyncio.gather(*(store.aput(("c",), "key", {"n": number}) for number in range(12)))
            [found] = await store.asearch(("c",))
            assert found.value["n"] in range(12)
            with pytest.raises(InvalidInput, match="AsyncMemory"):
                store.get(("c",), "key")

    asyncio.run(scenario())


def test_e10_langgraph_a_big_value_is_kept_whole(store: RicordoStore) -> None:
    value = {"text": "word " * 100_000}
    store.put(("big",), "k" * 3_000, value)
    [found] = store.search(("big",))
    assert found.value == value
    assert keys(store.search(("big",), query="word")) == ["k" * 3_000]


def test_e10_langgraph_a_graph_remembers_across_threads(memory: Memory) -> None:
    def reply(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
        said = state["messages"][-1].content
        known = [each.value["text"] for each in store.search(("facts",), query=said)]
        store.put(("facts",), str(len(known)), {"text": said})
        return {"messages": [("assistant", f"I knew: {known}")]}

    builder = StateGraph(MessagesState)
    builder.add_node("reply", reply)
    builder.add_edge(START, "reply")
    builder.add_edge("reply", END)
    graph = builder.compile(store=RicordoStore(memory))
    graph.invoke({"messages": [("user", "My boat is called Dido.")]})
    for answer in (
        graph.invoke({"messages": [("user", "How is my boat called?")]}),
        asyncio.run(graph.ainvoke({"messages": [("user", "And the boat?")]})),
    ):
        assert "My boat is called Dido." in answer["messages"][-1].content
