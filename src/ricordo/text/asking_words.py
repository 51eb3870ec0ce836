"""Words of questions that do not say what is asked for. English, German, French and Spanish, folded."""

from __future__ import annotations

from ricordo.text.calendar_words import names_time
from ricordo.text.stopwords import ENGLISH

#: Words that ask for a service and do not say what about.
REQUEST = frozenset(
    [
        "advice", "ago", "any", "chat", "chats", "checking", "conversation", "conversations", "currently",
        "different", "give", "going", "idea", "ideas", "know", "last", "lately", "many", "mentioned", "need",
        "number", "past", "please", "previous", "previously", "recommend", "recommendation", "recommendations",
        "recommended", "remind", "some", "suggest", "suggested", "suggestion", "suggestions", "thinking", "times",
        "tip", "tips", "total", "wanted", "wondering",
    ]
)  # fmt: skip
#: Words that ask what there was, and say nothing of it.
ANYTHING = frozenset(
    [
        "happen", "happened", "happening", "happens", "tell", "told", "say", "said", "talk", "talked", "talking",
        "discuss", "discussed", "go", "went", "up", "new", "everything", "anything", "something", "thing", "things",
        "else", "begin", "beginning", "end", "was", "wann", "wo", "wer", "wie", "hab", "habe", "haben", "hast", "hat",
        "hatte", "hatten", "ich", "wir", "du", "ihr", "er", "sie", "es", "mir", "mich", "uns", "war", "waren", "ist",
        "passiert", "geschehen", "gemacht", "getan", "los", "alles", "etwas", "erzahlt", "gesagt", "an", "am", "im",
        "in", "vor", "der", "die", "das", "den", "dem", "und", "denn", "so", "que", "qu", "quoi", "qui", "quand",
        "est", "ce", "ai", "as", "avons", "avez", "ont", "je", "j", "tu", "il", "elle", "on", "nous", "vous", "m",
        "me", "s", "se", "fait", "faire", "passe", "arrive", "dit", "raconte", "quelque", "chose", "y", "t", "c", "d",
        "l", "le", "la", "les", "de", "des", "une", "au", "etait", "quien", "cuando", "donde", "hice", "hizo",
        "hicimos", "hiciste", "he", "ha", "hemos", "yo", "te", "nos", "el", "las", "del", "en", "paso", "pasado",
        "ocurrio", "dije", "dijo", "conte", "hacer", "hecho", "algo",
    ]
)  # fmt: skip


def names_nothing(word: str) -> bool:
    """Whether a word tells a time, or nothing of what is asked for."""
    return word in ANYTHING or word in ENGLISH or word in REQUEST or names_time(word)
