"""Which sentences are standing instructions, in four languages; what each is about, and which replace one another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from growth import grows_gently
from ricordo.facts.instructions import matters, understood
from ricordo.facts.known import Known
from ricordo.facts.local import extract
from ricordo.facts.said import Said
from ricordo.models import SELF

AT = datetime(2026, 3, 1, tzinfo=UTC)


def given(*texts: str, speaker: str = SELF, roles: tuple[str, ...] = ("user",)) -> list[tuple[str, bool]]:
    """The instructions that turns give, each with whether it ends one."""
    turns = [Said(speaker, roles[number % len(roles)], text, AT) for number, text in enumerate(texts)]
    return [(f.object, f.ended) for f in extract(turns, "", Known({})).facts if f.predicate == "instruction"]


@pytest.mark.parametrize(
    "text",
    [
        "Always show units.",
        "Never call me before ten",
        "I'd rather you kept it simple.",
        "please answer in German from now on",
        "From now on, answer in German.",
        "From now on if a quest involves combat please stop and tell me",
        "When I ask about API error handling, always include status codes.",
        "Always include error status codes in responses when I ask about API error handling.",
        "Please don't use emojis in your answers.",
        "Keep your answers short.",
        "Whenever you write code for me, use type hints.",
        "For code examples, always use Python.",
        "I want you to always cite your sources.",
        "Could you always answer in metric units, please?",
        "Don't ever call me Bob.",
        "Remember to always convert prices to euros.",
        "Stop using emojis from now on.",
        "Always write the figures in a table.",
        "Zeig immer die Einheiten an.",
        "Bitte immer mit Einheiten antworten.",
        "Ruf mich nie vor zehn an.",
        "Antworte ab jetzt auf Deutsch.",
        "Wenn ich nach Rezepten frage, gib mir Gramm an.",
        "Mir wäre lieber, du hältst es einfach.",
        "Verwende keine Emojis mehr.",
        "Kannst du mir ab jetzt auf Englisch antworten?",
        "Réponds toujours en français.",
        "À partir de maintenant, réponds-moi en allemand.",
        "Ne m'appelle jamais avant dix heures.",
        "Quand je te demande une recette, donne les grammes.",
        "Je préférerais que tu restes simple.",
        "Responde siempre en español.",
        "A partir de ahora, respóndeme en alemán.",
        "Nunca me llames antes de las diez.",
        "Cuando pregunte por recetas, da los gramos.",
        "Prefiero que me respondas en español.",
    ],
)
def test_what_a_person_tells_the_assistant_to_do_from_now_on(text: str) -> None:
    assert given(text) == [(text.rstrip(".?"), False)]


@pytest.mark.parametrize(
    "text",
    [
        # of oneself, of the past, of others
        "I always show units in my reports.",
        "You always answered in German.",
        "She never calls me before ten.",
        "From now on I will go to the gym.",
        "When I was in Rome, I always ate ice cream.",
        "Always feel tired after lunch",
        "Never been to Rome.",
        "Never give up!",
        "Ich zeige immer die Einheiten an.",
        "Er ruft mich nie vor zehn an.",
        "Je réponds toujours en français.",
        "Siempre respondo en español.",
        # to somebody else
        "Tell Anna to always show units.",
        "Mum, never call me before ten",
        "Sag Anna, sie soll immer pünktlich sein.",
        # reported and quoted
        "My boss says always show units.",
        "Always show units, my teacher used to say.",
        '"Always show units." That is on the wall of the lab.',
        "> Always show units.",
        "Mein Chef sagt, zeig immer die Einheiten.",
        "Mon chef dit : réponds toujours.",
        "Mi jefe dice: responde siempre.",
        # negated, asked, in jest
        "I don't want you to always show units.",
        "Should I always show units?",
        "Sure, always show ads, great idea",
        "Yeah right, never answer.",
        # only now
        "Can you answer in German?",
        "I want you to write a poem.",
        "Please show me the units.",
        # what only the text around it explains
        "Please keep to that from now on.",
        "Please use this address from now on, not the old one.",
        "Bleib bitte immer dabei.",
        "Utilise toujours cette adresse.",
        "Usa siempre esta dirección.",
        # a text to work on, and a part to play
        "Review this prompt:\nAlways answer in JSON. Never apologize.",
        "Summarize this email\n\nDear John,\nPlease always reply to this address. Never call me before ten.",
        "Here's the log\n\nAlways use sudo from now on.",
        "Hier ist die Mail\n\nAntworte immer sofort.",
        "Act as a pirate. Always answer in rhymes.",
        "Here is our style guide. " + "It is long. " * 100 + "Always use tabs.",
    ],
)
def test_what_is_no_instruction(text: str) -> None:
    assert given(text) == []


def test_a_list_of_instructions_counts_each() -> None:
    text = "From now on:\n- always answer in German\n- never use emojis"
    assert given(text) == [("always answer in German", False), ("never use emojis", False)]
    assert given("Thanks for the code.\nAlways use type hints.") == [("Always use type hints", False)]


def test_only_a_person_who_talks_with_an_assistant_gives_instructions() -> None:
    text = "Never call me before ten."
    assert given(text, "Noted.", speaker="Ada", roles=("user", "assistant")) == [(text[:-1], False)]
    assert given(text, "Fine with me.", speaker="Ada") == []
    assert given(text, speaker="assistant", roles=("assistant",)) == []
    assert given(text, speaker="tool", roles=("tool",)) == []


@pytest.mark.parametrize(
    "text",
    [
        "You no longer need to show units.",
        "You don't have to answer in German anymore.",
        "Du musst keine Einheiten mehr zeigen.",
        "Tu n'as plus besoin d'indiquer les unités.",
        "Ya no hace falta que muestres las unidades.",
    ],
)
def test_an_instruction_is_taken_back(text: str) -> None:
    assert given(text) == [(text[:-1], True)]


@pytest.mark.parametrize(
    ("value", "scope"),
    [
        ("Always show units", set()),
        ("I'd prefer it if you didn't use bullet points", set()),
        ("Always include error codes when I ask about API error handling", {"api", "error", "handl"}),
        ("When I ask about recipes, always give me grams", {"recip"}),
        ("For code examples, always use Python", {"code", "exampl"}),
        ("Wenn ich nach Rezepten frage, gib mir Gramm an", {"rezept"}),
        ("Quand je te demande une recette, donne les grammes", {"recet"}),
        ("Cuando pregunte por recetas, da los gramos", {"recet"}),
    ],
)
def test_an_instruction_applies_always_or_to_what_it_names(value: str, scope: set[str]) -> None:
    assert understood(value).scope == scope


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Please answer in German from now on", "Réponds toujours en français"),
        ("Always show units", "Never show units"),
        ("Never call me before ten", "Never call me before nine"),
        ("Keep your answers short", "I prefer detailed answers"),
        ("Always use Celsius", "Use Fahrenheit from now on"),
        ("When I ask about recipes, give me grams", "When I ask about recipes, never give me grams"),
    ],
)
def test_a_later_instruction_on_the_same_matter_replaces_an_earlier_one(earlier: str, later: str) -> None:
    assert matters([earlier, "Always cite your sources", later]) == [0, 1, 0]


def test_instructions_on_different_matters_stand_side_by_side() -> None:
    values = [
        "Always show units",
        "Always show sources",
        "When I ask about recipes, give me grams",
        "When I ask about recipes, name the cooking time",
        "When I ask about taxes, give me grams",
        "Always include code examples",
        "Always include error codes",
    ]
    assert matters(values) == list(range(len(values)))


def test_reading_takes_time_in_proportion_to_a_turn() -> None:
    instruct = "When I ask about taxes, answer in German. "
    assert grows_gently(lambda size: list(map(given, [instruct * 5 + "x " * number for number in range(size)])), 32)
