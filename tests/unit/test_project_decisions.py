"""Turns that decide something for a project come with requests that they matter to, whatever their words."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from pytest import approx

from bench.assistants import PROJECTS
from bench.deciding import fit, found_among
from commands import called
from llm_server import MODEL, lines, serving
from ricordo.blocking import Memory
from ricordo.mcp.caller import Caller
from ricordo.mcp.context import opening_context
from ricordo.recall import deciding
from ricordo.settings import Settings
from ricordo.text import decision_in, given_up, may_decide, tokens_in
from ricordo.text.deciding_words import WEIGHTS

ASKED = "The order totals were off by one cent again in March. How do we store money from now on?"
DECIDED = "We decided that every amount of money is an integer number of cents; floats are never used for totals."
REQUEST = "Add a discount to orders and compute the reduced total price."


@pytest.mark.parametrize(
    "text",
    [
        DECIDED,
        "Rule from today: no new npm package goes into the front end without Mira's approval.",
        "Tests never touch the network.",
        "Schema changes go out in two releases: first add and backfill, then switch and drop.",
        "ok so let's agree on this: text messages only go out between 8 and 20",
        "Every read of a chart has to pass ChartGate.open(reason=...).",
        "I talked to Petra: please don't add new slices.",
        "DOTween everywhere in the UI.",
        "We’ll use Postgres for the queue as well.",
        "commit 56f9d84614: Add the queue\n\nWe decided to keep it in Postgres.\n\nFiles: a.py",
        "Ab sofort geht jede Schnittstelle nur noch über das Gateway.",
        "Wir haben uns für sqlx entschieden, das ORM wird nicht mehr benutzt.",
        "Decision: use UUIDv7. " + "The reasons are these. " * 60,
        "New endpoints need an entry in openapi.yaml before they get merged.",
        "Since the audit, admin actions require a second factor.",
        "The rule is that migrations are reversible.",
        "I want every public function to have a docstring with an example.",
        "Mocking the database in tests is over. We start a real one.",
        "Passwörter werden ausschließlich mit Argon2 gespeichert.",
        "Only squash merges on main.",
        "Beschluss von heute: keine neuen Abhängigkeiten ohne Rücksprache.",
        "Let's move to Zustand for client state.",
        "I'll settle on Parquet for the intermediate files.",
        "The v1 endpoints are frozen: no field is ever removed.",
        "Test data lives in `tests/fixtures`.",
        "Use pnpm in this repo, not npm.",
        "Let's just use Postgres.",
        "**Rule:** one migration for each release. " + "These are the reasons. " * 60,
        "Once a message is out, you don't edit it.",
        "Fine, DuckDB then.",
        "No, MessagePack it is.",
        "Ops said we may use two cores per pod.",
        "Compliance won't allow e-mail addresses in the warehouse.",
        "Ines owns the public API.",
        "It turns out the printer accepts at most 40 lines per page.",
        "Gzip was too slow for the big dumps, so we're on zstd.",
        "We're stuck on Python 3.9 until the cluster is replaced.",
        "We only edit the source strings.",
        "Keep the timeout at 5 seconds.",
        "We use Temporal for dates.",
        # These have none of the words that a rule names.
        "ines wants to see anything touching the ad slots before it goes in, she's the one on the phone",
        "no cgo anymore, it killed the arm build twice, we exec the binary like everywhere else",
        "Between nine and six nothing goes live on camp days, even if it is one line.",
        "whatever a worker does must be harmless when it happens twice",
    ],
)
def test_what_later_work_must_follow_is_a_decision(text: str) -> None:
    assert decision_in(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Fixed in the fax gateway: the TIFF is rotated before sending. The tests pass.",
        "There is a bug: the tooltip stays open. Can you look into it?",
        "Should we always use UTC?",
        "Add a date picker to the booking form.",
        "Maybe we should only use one queue.",
        "You need to install the package first.",
        "Good, commit that.",
        "Why does this test fail?",
        "commit 56f9d84614: Never lose a turn; keep every page under 100 kB\n\nFiles: a.py",
        "The expression never matches, so the counter is never incremented.",
        "All 14 tests pass now, and the linter is quiet.",
        "The docs say that `fetch` rejects only on network failures.",
        "Nothing happens when I click on save.",
        "Found the cause: the queue was full. The job never ran.",
        "Fixed in the map: tiles are cached in two sizes.",
        "The docs say we have to call init first.",
        "Ok, do it then.",
        "We're stuck on this error since noon.",
        "I got woken up at 4.",
        "flaky as always",
        "22 modules use the old logger and 9 use the new one.",
        "Put the changelog under the news.",
        "use the second screenshot, the first one is from before the fix",
        "No, the other file.",
        "No errors in the console.",
        "The job must have been retried after the timeout.",
        "All right, there is no need to restart the server.",
        "Es funktioniert immer noch nicht.",
        "Ich muss kurz weg.",
        "This must be read in full. " * 40,  # a long explanation says such words somewhere
        "Rules: [no-console]. Let's use a sample of 100 rows. " * 20,
        "Let's call the triangle ABC.",
        "- Background jobs run only in processes with the LLM.\n\n(CHANGELOG.md, commit 11050811a1)",
        "Let's do this!",
        "My screen is frozen again.",
        "Let's have lunch at noon.",
        "Let's not worry about it.",
        "We settled the bill.",
        "I agreed to look at it later.",
        "Let's move on to the next step and check the logs.",
        "Great, now we need to focus on the end-to-end tests.",
        "The port must be open for this to work.",
        "Now the button only shows when the user is logged in.",
        "This should never happen in production.",
        "Let's keep going with the third file.",
        "Let's use the debugger to find out where it hangs.",
        "Every request takes 300 ms now.",
        "looks good, but the button has to be green",
        "don't use any here",
        "only show the badge if there are unread messages",
        "The API key must not be committed, so I added it to .gitignore.",
        "I'll just need to check the test file.",
        "I think about my workflow, so can you show how every step depends on the others",
    ],
)
def test_tasks_questions_reports_and_long_explanations_are_none(text: str) -> None:
    assert decision_in(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We dropped DOTween, LeanTween from now on.", ["dotween"]),
        ("moment.js is out.", ["moment.js"]),
        ("Wir nehmen Podman statt Docker", ["docker"]),
        ("DOTween everywhere in the UI.", []),
        ("We dropped support for Python 3.9.", []),
        ("First add the column, and drop one release later.", []),
        ("a" * 1_000_000, []),  # in no time
    ],
)
def test_what_a_decision_gives_up(text: str, words: list[str]) -> None:
    assert given_up(text) == words


@pytest.fixture
def shop(with_vectors: Settings) -> Settings:
    """A project with a decision, another one, and a talk about other things."""
    with Memory(settings=with_vectors) as memory:
        memory.mine([_said(ASKED), _said(DECIDED)], conversation="money", project="shop")
        other = DECIDED.replace("cents", "tenths of a cent")
        memory.mine([_said(ASKED), _said(other)], conversation="other", project="kiln")
        for number, text in enumerate(
            ["The tooltip of the map stays open.", "The footer shows last year.", "The logo is blurry on phones."]
        ):
            memory.mine([_said(text)], conversation=f"bug-{number}", project="shop")
        memory.embed_pending()
    return with_vectors


def _said(text: str) -> dict[str, str]:
    return {"role": "user", "content": text, "at": "2026-03-01T18:00Z"}


def test_a_decision_comes_with_requests_in_its_project(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        found = memory.recall(REQUEST, project="shop")
        assert [hit.text for hit in found if hit.decision] == [DECIDED]
        assert not [hit for hit in found if "tenths" in hit.text]
        assert not any(hit.decision for hit in memory.recall(REQUEST))  # of no project
        assert not any(hit.decision for hit in memory.recall("Explain how closures work.", project="shop"))
        assert len(memory.recall(REQUEST, project="shop", top_k=1)) == 1


def test_a_likely_answer_keeps_its_place(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        found = memory.recall("What does the footer show?", project="shop", top_k=1)
        assert [hit.text for hit in found] == ["The footer shows last year."]


def test_a_decision_that_was_redacted_comes_no_more(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        hit = next(hit for hit in memory.recall(REQUEST, project="shop") if hit.decision)
        memory.entries.redact(hit.id)
        assert not any(hit.decision for hit in memory.recall(REQUEST, project="shop"))
    assert called(shop, "verify", "--store").code == 0


def test_the_command_line_and_hooks_show_decisions_first(shop: Settings) -> None:
    assert "(decision)" in called(shop, "recall", "--project", "shop", REQUEST).out
    found = called(shop, "recall", "--project", "shop", "--json", REQUEST).json["results"]
    assert [each["decision"] for each in found if each["text"] == DECIDED] == [True]
    block = _prompted(shop, REQUEST)
    assert block.splitlines()[2].endswith(f'kind="decision">{DECIDED}</memory>')


@pytest.mark.parametrize("across", ["nothing", "personal", "everything"])
def test_only_the_project_itself_decides(shop: Settings, across: str) -> None:
    with Memory(settings=shop) as memory:
        memory.mine([_said("We decided that I keep my money as a number of euros in a jar.")], conversation="private")
        memory.embed_pending()
        memory.settings.update(across_projects=across)
        assert [hit.text for hit in memory.recall(REQUEST, project="shop") if hit.decision] == [DECIDED]
        assert not any(hit.decision for hit in memory.recall(REQUEST, project="of nothing"))


def test_filters_apply_to_decisions(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        assert not any(hit.decision for hit in memory.recall(REQUEST, project="shop", speaker="assistant"))
        assert any(hit.decision for hit in memory.recall(REQUEST, project="shop", speaker="user"))


def test_an_edit_takes_a_decision_out_or_in(shop: Settings) -> None:
    talk = [_said(ASKED) | {"id": "m1"}, _said(DECIDED) | {"id": "m2"}]
    rounded = DECIDED + " Round half up."
    with Memory(settings=shop) as memory:
        memory.mine([_said("The total of a reduced order is off.")], conversation="talk", project="kiln")
        for text, decided in [(DECIDED, [DECIDED]), ("A cent too much again.", []), (rounded, [rounded])]:
            talk[1]["content"] = text
            memory.mine(talk, conversation="edited", project="kiln")
            memory.embed_pending()
            found = memory.recall(REQUEST, project="kiln", top_k=20)
            assert [hit.text for hit in found if hit.decision and hit.conversation == "edited"] == decided
    assert called(shop, "verify", "--store").code == 0


def test_a_decision_that_a_newer_one_gives_up_is_marked_and_comes_after_it(with_vectors: Settings) -> None:
    old, new = "DOTween everywhere in the UI, for panels and menus.", "We dropped DOTween, LeanTween from now on."
    prompt = "Make the sidebar slide in from the left with an animation."
    with Memory(settings=with_vectors) as memory:
        for month, text in enumerate([old, new], 1):
            asked = {"role": "user", "content": "How do we animate menus and panels?", "at": f"2026-0{month}-01T18:00Z"}
            memory.mine([asked, asked | {"content": text}], conversation=f"ui-{month}", project="shop")
        memory.embed_pending()
        found = {hit.text: hit for hit in memory.recall(prompt, project="shop") if hit.decision}
        assert list(found) == [new, old]
        assert found[old].superseded_by == found[new].pointer
        assert found[old].current is False
        assert found[new].superseded_by is None
    told = _prompted(with_vectors, prompt)
    assert told.index(new) < told.index(old)
    assert 'kind="decision" note="replaced on 2026-02-01 by' in told


def test_an_llm_that_reranks_does_not_drop_decisions(shop: Settings) -> None:
    def decided_last(request: dict[str, object]) -> str:
        given = sorted(lines(request), key=lambda line: line["text"] == DECIDED)
        return json.dumps({"best": [line["n"] for line in given]})

    with serving(decided_last) as endpoint:
        settings = replace(shop, llm_url=endpoint.address, llm_model=MODEL)
        with Memory(settings=settings) as memory:
            for number in range(8):
                memory.mine([_said(f"The footer is {number} px too high.")], conversation=f"f-{number}", project="shop")
            memory.embed_pending()
            found = memory.recall(REQUEST, project="shop", top_k=3, rerank=True)
            assert endpoint.requests
            assert [hit.text for hit in found if hit.decision] == [DECIDED]


def test_long_decisions_leave_room_for_the_answer_to_a_question(with_vectors: Settings) -> None:
    answer = "Marta Lindqvist from purchasing is the contact for discount codes at the supplier Brandt."
    question = "Who is the contact for discount codes at the supplier Brandt?"
    reasons = "The discount of an order is applied before tax, and codes are compared without case. " * 7
    rules = ["unique", "never stacked", "checked on the server", "stored in upper case", "shown on invoices", "rare"]
    with Memory(settings=with_vectors) as memory:
        for number, rule in enumerate(rules):
            long = f"Decision: discount codes of orders are {rule}. {reasons}"
            memory.mine([_said("How do discount codes work?"), _said(long)], conversation=f"c-{number}", project="shop")
        memory.mine([_said("Whom do I ask at Brandt?"), _said(answer)], conversation="contact", project="shop")
        memory.embed_pending()
    told = [_prompted(with_vectors, question) for _ in range(5)]
    assert answer in told[0].partition("</memory>")[0]
    assert all(tokens_in(each) <= 400 for each in told)
    shown = [line.partition(" at=")[0] for each in told for line in each.splitlines() if line.startswith("<memory p")]
    assert len(shown) == len(set(shown)) > 2


def test_a_session_begins_with_the_decisions_that_stand(with_vectors: Settings) -> None:
    said = ["DOTween everywhere in the UI.", "We dropped DOTween, LeanTween from now on.", "The logo is blurry."]
    long = f"We decided that logs go to stdout. {'It was a long talk with the operators of the cluster. ' * 12}"
    with Memory(settings=with_vectors) as memory:
        for month, text in reversed(list(enumerate([*said, long], 1))):  # the oldest is stored last
            asked = {"role": "user", "content": "What do we do here?", "at": f"2026-0{month}-01T18:00Z"}
            memory.mine([asked, asked | {"content": text}], conversation=f"c-{month}", project="shop")
        memory.mine([_said(DECIDED)], conversation="other", project="kiln")
        memory.mine([_said("Which color?")], conversation="last", project="shop")
    begun = _hooked(with_vectors, "session-start", {"hook_event_name": "SessionStart", "source": "startup"})
    listed = begun.partition("Decisions in this project (clearest first):\n")[2].partition("</memory_context>")[0]
    assert [line.partition('kind="decision">')[2][:30] for line in listed.splitlines()[2:]] == [long[:30], said[1][:30]]
    assert "[…]" in listed  # of a long turn, the sentences that decide
    assert "stdout" not in _prompted(with_vectors, "Write the messages of the cluster's operators to logs on stdout.")
    with Memory(settings=with_vectors) as memory:
        hits = {hit.text: hit.id for hit in memory.recall("logs DOTween cluster", project="shop", top_k=10)}
        reads = {text: len(memory.audit.of_memory(id)) for text, id in hits.items()}
    assert reads[long] == reads[said[1]] == reads[said[0]] + 1  # of all that was read, what was shown


def test_turns_that_may_decide_follow_the_decisions_if_there_is_room(with_vectors: Settings) -> None:
    said = [DECIDED, "The second one, as the float kind drifted by half a beat at the end.", "The logo is blurry."]
    start = {"hook_event_name": "SessionStart", "source": "startup"}
    with Memory(settings=with_vectors) as memory:
        for month, text in enumerate(said, 1):
            turn = {"role": "user", "content": text, "at": f"2026-0{month}-01T18:00Z"}
            memory.mine([turn], conversation=f"c-{month}", project="shop")
    begun = _hooked(with_vectors, "session-start", start).partition("You stopped at")[0]
    assert "Decisions in this project (clearest first), then remarks that may be decisions:\n" in begun
    lines = [line for line in begun.splitlines() if line.startswith("<memory p")]
    assert [line.partition(">")[2].removesuffix("</memory>") for line in lines] == said[:2]
    assert ['kind="decision"' in line for line in lines] == [True, False]
    with Memory(settings=with_vectors) as memory:
        assert not any(hit.text == said[1] and hit.decision for hit in memory.recall("float", project="shop"))
        for number in range(40):
            text = f"Rule {number}: the counter of table {number} is never reset."
            memory.mine([_said(text)], conversation=f"n-{number}", project="shop")
    begun = _hooked(with_vectors, "session-start", start | {"session_id": "another"})
    assert said[1] not in begun and begun.count('kind="decision"') > 15


def test_a_session_begins_with_the_clearest_decisions_and_answers(with_vectors: Settings) -> None:
    with Memory(settings=with_vectors) as memory:
        for number in range(40):
            text = f"Rule: table {number} is never reset. {'Somebody looked at it last week. ' * 16}"
            memory.mine([_said(text)], conversation=f"n-{number}", project="shop")
        asked = {
            "role": "assistant",
            "content": "Shall I pull in gorm for the members page?",
            "at": "2026-03-01T17:59Z",
        }
        answer = "Rule: sql goes into queries/*.sql only, never into the code."
        memory.mine([asked, _said(answer)], conversation="asked", project="shop")
        for number in range(40, 80):
            memory.mine([_said(f"Rule: table {number} is never reset.")], conversation=f"n-{number}", project="shop")
    begun = _hooked(with_vectors, "session-start", {"hook_event_name": "SessionStart", "source": "startup"})
    lines = [line for line in begun.partition("You stopped at")[0].splitlines() if line.startswith("<memory p")]
    assert answer in lines[0]
    assert 15 < len(lines) < 80
    assert all("is never reset." in line for line in lines[1:])


def test_of_many_decisions_the_nearest_must_be_nearer(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        request = "Show the price of a parcel in the basket."
        assert [hit.text for hit in memory.recall(request, project="shop") if hit.decision] == [DECIDED]
        for number in range(150):
            memory.mine([_said(f"Rule: shelf {number} is never empty.")], conversation=f"n-{number}", project="shop")
        memory.embed_pending()
        assert not [hit.text for hit in memory.recall(request, project="shop") if hit.decision]
        assert DECIDED in [hit.text for hit in memory.recall(REQUEST, project="shop") if hit.decision]


def test_after_a_compaction_a_session_gets_the_decisions_again(shop: Settings) -> None:
    for source, expected in [("startup", True), ("resume", False), ("compact", True)]:
        begun = _hooked(shop, "session-start", {"hook_event_name": "SessionStart", "source": source})
        assert (DECIDED in begun) == expected, source


def test_what_is_told_elsewhere_gives_up_no_decision(with_vectors: Settings) -> None:
    said = ["Every change gets a review by two people.", "Decided: we tag on Fridays. The review is over, 4.12 is out."]
    with Memory(settings=with_vectors) as memory:
        for month, text in enumerate(said, 1):
            turn = {"role": "user", "content": text, "at": f"2026-0{month}-01T18:00Z"}
            memory.mine([turn], conversation=f"c-{month}", project="shop")
    begun = _hooked(with_vectors, "session-start", {"hook_event_name": "SessionStart", "source": "startup"})
    assert all(text in begun.partition("You stopped at")[0] for text in said)


def test_a_prompt_for_a_model_begins_with_the_decisions_of_its_project(shop: Settings) -> None:
    with Memory(settings=shop) as memory:
        caller = Caller(partial(_itself, memory), "mcp", project="shop")
        told = memory._call(opening_context, caller)
        assert told.count(DECIDED) == 1
        heading = "Decisions in this project (clearest first), then remarks that may be decisions:\n<memory_context>\n"
        assert told.startswith(heading)
        assert "Decisions in" not in memory._call(partial(opening_context, topic="footer"), caller)
        assert "Decisions in" not in memory._call(partial(opening_context, project="shop"), caller)
        elsewhere = memory._call(opening_context, Caller(partial(_itself, memory), "mcp", project="nothing"))
        assert DECIDED not in elsewhere.partition("</memory_context>")[0]
        assert "Decisions in" not in elsewhere


async def _itself(memory: Memory) -> Any:
    return memory._inner


def _hooked(settings: Settings, event: str, given: dict[str, str]) -> str:
    """What a hook adds in one session."""
    sent = {"session_id": "s", "cwd": "/home/ada/shop"} | given
    told = called(settings, "hook", event, "--budget", "600", given=json.dumps(sent).encode())
    return str(told.json["hookSpecificOutput"]["additionalContext"]) if told.out.strip() else ""


def _prompted(settings: Settings, prompt: str) -> str:
    """What the hook of a prompt adds in one session."""
    return _hooked(settings, "prompt", {"hook_event_name": "UserPromptSubmit", "prompt": prompt})


def test_what_only_hints_at_a_decision_may_decide() -> None:
    text = "The second one, as the float kind drifted by half a beat at the end."
    assert may_decide(text) and decision_in(text) is None
    assert not may_decide("Let me look at the log first.")


def test_the_weights_of_words_are_those_that_the_projects_give() -> None:
    fitted = fit(list(PROJECTS.values()))
    assert {name: fitted.get(name, 0.0) for name in WEIGHTS} == approx(dict(WEIGHTS), abs=0.03)
    assert set(fitted) - set(WEIGHTS) <= {name for name, value in fitted.items() if abs(value) < 0.08}


@pytest.mark.slow
def test_decisions_are_found_in_projects_that_the_weights_were_not_found_on() -> None:
    blind = {"podcasts", "waste", "meters", "kennels", "marking", "elevators"}
    weights = fit([project for name, project in PROJECTS.items() if name not in blind])
    found = [found_among(PROJECTS[name], weights) for name in sorted(blind)]
    assert sum(each for each, _ in found) >= 0.75 * sum(there for _, there in found)


@pytest.mark.parametrize(
    "text",
    [
        f"I looked at the logs of the night. {DECIDED} The rest of the report is fine, and the cause is known by now. "
        "Somebody ran the import twice, which explains the other figures that looked odd in the table.",
        f"{'The figures of the night looked odd in the table. ' * 4}{DECIDED}",
    ],
)
def test_of_a_long_turn_the_sentence_that_decides_is_quoted(text: str) -> None:
    assert DECIDED in deciding(text)
    assert tokens_in(deciding(text, 25)) < tokens_in(deciding(text)) < tokens_in(text)
    assert DECIDED in deciding(text, 25)


def test_a_sentence_that_alone_is_long_is_quoted_whole() -> None:
    long = "We decided that a price is never overwritten, " + "and that the old row is closed by its date, " * 5
    assert long.strip() in deciding(f"I asked Ines about it. {long}. That is all.")


def test_of_several_sentences_the_one_that_decides_most_clearly_counts() -> None:
    said = "None of the reports was wrong. The tests need a minute. From now on, reports are made at night."
    assert decision_in(said) == "from now on, reports are made at night."


@pytest.mark.parametrize("gap", [" ", "\t"])
def test_a_long_gap_in_a_turn_is_quoted_in_no_time(gap: str) -> None:
    text = f"Rule: totals are never floats. Then{gap * 1_000_000}x{' padding' * 100}"
    assert deciding(text, 100).startswith("Rule: totals are never floats.")
