"""The words for days, months, seasons and counts, in English, and those of other languages as English. No rule of time
is here."""

from __future__ import annotations

MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6,
    "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
SHORT_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12,
}  # fmt: skip
WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
}  # fmt: skip
#: First and last month, of the northern half of the world; 13 and 14 are in the year after.
SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 14)}
#: Days that have names: month, day, and how many days belong to them.
HOLIDAYS = {
    "christmas": (12, 20, 12), "new year": (12, 30, 4), "new year's": (12, 30, 4), "new year's eve": (12, 30, 4),
    "halloween": (10, 30, 3), "valentine's day": (2, 13, 3),
}  # fmt: skip
COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "a couple of": 2, "couple of": 2, "couple": 2, "a few": 3, "few": 3, "several": 4,
}  # fmt: skip

#: German words, folded as ricordo.text.terms does, as English ones.
_GERMAN = {
    "january": "januar janner", "february": "februar feber", "march": "marz", "may": "mai", "june": "juni",
    "july": "juli", "october": "oktober", "december": "dezember",
    "monday": "montag", "tuesday": "dienstag", "wednesday": "mittwoch", "thursday": "donnerstag",
    "friday": "freitag", "saturday": "samstag sonnabend", "sunday": "sonntag",
    "spring": "fruhling fruhjahr", "summer": "sommer", "autumn": "herbst",
    "christmas": "weihnachten", "new year's eve": "silvester",
    "today": "heute", "yesterday": "gestern", "the day before yesterday": "vorgestern", "night": "nacht",
    "last": "letzte letzten letzter letztes letztem vergangene vergangenen vergangenes vorige vorigen voriges",
    "this": "diese diesen dieser dieses diesem",
    "day": "tag", "days": "tage tagen", "week": "woche", "weeks": "wochen", "weekend": "wochenende",
    "weekends": "wochenenden", "month": "monat monats", "months": "monate monaten", "year": "jahr jahres",
    "years": "jahre jahren",
    "in": "im", "since": "seit", "until": "bis", "before": "vor", "after": "nach", "and": "und", "or": "oder",
    "between": "zwischen", "from": "von", "the": "dem den", "early": "anfang", "mid": "mitte", "late": "ende",
    "a few": "einigen paar", "one": "ein eine einem einen einer", "two": "zwei", "three": "drei", "four": "vier",
    "five": "funf", "six": "sechs", "seven": "sieben", "eight": "acht", "nine": "neun", "ten": "zehn",
    "eleven": "elf", "twelve": "zwolf",
}  # fmt: skip
#: French and Spanish ones; what is a word of English or German too stands in ricordo.recall.when, with what tells it.
_ROMANCE = {
    "january": "janvier enero", "february": "fevrier febrero", "march": "marzo", "april": "avril abril",
    "may": "mayo", "june": "juin junio", "july": "juillet julio", "august": "aout agosto",
    "september": "septembre septiembre setiembre", "october": "octobre octubre", "november": "novembre noviembre",
    "december": "decembre diciembre",
    "monday": "lundi lunes", "tuesday": "mardi martes", "wednesday": "mercredi miercoles",
    "thursday": "jeudi jueves", "friday": "vendredi viernes", "saturday": "samedi sabado",
    "sunday": "dimanche domingo",
    "spring": "printemps primavera", "summer": "ete verano", "autumn": "automne otono", "winter": "hiver invierno",
    "christmas": "noel navidad", "new year's eve": "nochevieja",
    "today": "hoy", "yesterday": "ayer", "the day before yesterday": "anteayer antier", "last night": "anoche",
    "last": "dernier derniere derniers dernieres passe passee pasado pasada pasados pasadas ultimo ultima ultimos "
    "ultimas",
    "this": "ce cet cette este esta",
    "day": "jour dia", "days": "jours dias", "week": "semaine semana", "weeks": "semaines semanas",
    "month": "mois mes", "months": "meses", "year": "annee ano", "years": "ans annees anos",
    "morning": "matin", "in": "en", "of": "de del", "the": "le la les el los las", "since": "depuis desde",
    "until": "hasta", "before": "avant hace", "after": "apres", "early": "debut", "late": "fin",
    "a few": "quelques unos unas", "one": "un une una", "two": "deux dos", "three": "trois tres",
    "four": "quatre cuatro", "five": "cinq cinco", "six": "seis", "seven": "siete", "eight": "huit ocho",
    "nine": "neuf nueve", "ten": "dix diez",
}  # fmt: skip
TO_ENGLISH = {
    word: english for each in (_GERMAN, _ROMANCE) for english, words in each.items() for word in words.split()
}
#: Words by which a time is told from the day of asking. Who told of it said others: "today", where this is "yesterday".
_COUNTED_BACK = frozenset(
    ["ago", "yesterday", "today", "tonight", "days", "weeks", "weekends", "months", "years", "hier", "hace"]
)
#: Words of times that the lists above do not hold.
_OF_TIMES = frozenset(
    [
        "last", "past", "previous", "this", "before", "after", "since", "until", "till", "during", "around", "between",
        "early", "mid", "late", "night", "morning", "afternoon", "evening", "day", "week", "weekend", "month", "year",
        "fin", "mars", "vorletzte", "vorletzten", "vorletzter", "vorletztes",
    ]
)  # fmt: skip
_OF_HOLIDAYS = frozenset(word for holiday in HOLIDAYS for word in holiday.replace("'", " ").split())


def counts_back(word: str) -> bool:
    """Whether a folded word of any of these languages tells a time by how long it is before the day of asking."""
    english = TO_ENGLISH.get(word, word)
    return word in _COUNTED_BACK or english in _COUNTED_BACK or english in COUNTS


def names_time(word: str) -> bool:
    """Whether a folded word of any of these languages is part of a time, by a name or counted back."""
    named = word in MONTHS or word in SHORT_MONTHS or word in WEEKDAYS or word in SEASONS or word in _OF_HOLIDAYS
    return named or word in TO_ENGLISH or word in _OF_TIMES or word.isdigit() or counts_back(word)
