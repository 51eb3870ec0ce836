"""Plain German clauses → claims: who lives, works, owns, likes what; attributes with a value; what has ended.

A verb may stand before or behind its subject ("Wir wohnen in Köln", "Seit Mai wohnen wir in Köln"); adverbs are dropped
first. What is wished, supposed, reported or denied states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ricordo.facts import foreign_open
from ricordo.facts.dates import moment
from ricordo.facts.jest import in_jest
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.models import EntityKind
from ricordo.text import EXCEPTION, fold, lazy
from ricordo.text.attributes import GERMAN
from ricordo.text.english import word_set
from ricordo.text.given_names import GIVEN
from ricordo.text.places import PLACES

KIN = {
    "schwester": "sister", "bruder": "brother", "mutter": "mother", "mama": "mother", "vater": "father",
    "papa": "father", "frau": "wife", "ehefrau": "wife", "mann": "husband", "ehemann": "husband",
    "tochter": "daughter", "sohn": "son", "freundin": "girlfriend", "freund": "boyfriend", "kollegin": "colleague",
    "kollege": "colleague", "chef": "boss", "chefin": "boss", "oma": "grandmother", "opa": "grandfather",
    "großmutter": "grandmother", "großvater": "grandfather", "tante": "aunt", "onkel": "uncle", "cousine": "cousin",
    "cousin": "cousin", "nichte": "niece", "neffe": "nephew", "verlobte": "fiance", "verlobter": "fiance",
    "partner": "partner", "partnerin": "partner", "mitbewohner": "roommate", "mitbewohnerin": "roommate",
    "nachbar": "neighbor", "nachbarin": "neighbor", "vermieter": "landlord", "vermieterin": "landlord",
    "hausarzt": "gp", "hausärztin": "gp", "zahnarzt": "dentist", "zahnärztin": "dentist", "trainer": "coach",
    "trainerin": "coach", "enkel": "grandson", "enkelin": "granddaughter", "schwägerin": "sister_in_law",
    "schwager": "brother_in_law", "schwiegermutter": "mother_in_law", "schwiegervater": "father_in_law",
    "hund": "pet", "hündin": "pet", "katze": "pet", "kater": "pet", "kaninchen": "pet", "hamster": "pet",
    "pferd": "pet", "meerschweinchen": "pet", "papagei": "pet", "vogel": "pet", "wellensittich": "pet",
}  # fmt: skip
_ADVERBS = lazy(
    r"\b(?:ja|eh|noch|jetzt|auch|nun|inzwischen|mittlerweile|gerade|derzeit|zurzeit|aktuell|momentan|übrigens|endlich|"
    r"wieder|schon|doch|halt|eben|einfach|immer|meistens|wirklich|tatsächlich|ganz|sehr|richtig|total|stark|leider|"
    r"zum glück|glücklicherweise|sonst|natürlich|heute|nämlich|besonders|furchtbar|seit kurzem|seit neuestem|neuerdings|"
    r"ab sofort|hier|nebenbei|hauptberuflich|seit (?:\d{4}|\w+ (?:jahren?|monaten?|wochen?)|januar|februar|märz|april|"
    r"mai|juni|juli|august|september|oktober|november|dezember|montag|gestern|letzte[mrn]? \w+|anfang \w+|ende \w+))\b,? ?",
    re.IGNORECASE,
)
_LEAD = lazy(
    r"^(?:(?:hallo|hi|hey|moin|also|und|aber|ach|oh|übrigens|nein|kurze info|(?:kurzes |kleines )?update|info|ok|okay|gut|"
    r"neuigkeiten|gute nachrichten|schlechte nachrichten|zusammen|ihr lieben|leute|bei mir|ps|p\.s\.)\b[ ,:!.]*)+",
    re.IGNORECASE,
)
_CUT = lazy(
    r"[,;:(–—…]+ *(?:und |aber |denn |weil |dass )?| - |(?<=\d)\. (?=Ich |Wir |Er |Sie |Mein|Unser)|\b(?:und|aber|denn|sondern) |\b(?:Arzt|Ärztin|Doktor) sagt (?=ich )"
)
_UNREAL = lazy(
    r"\b(?:wenn|falls|ob|würde\w*|wäre\w*|hätte\w*|könnte\w*|möchte\w*|will|wollen|wollte\w*|vielleicht|fast|beinahe|"
    r"angeblich|träum\w*|geträumt|als ob|stell\w* (?:dir|euch) vor|angenommen|im kopf|in gedanken|hoffentlich|hoffe\w*|überleg\w*|"
    r"soll|sollte\w*|wünsch\w*|hieße|wohl)\b",
    re.IGNORECASE,
)
_REPORTED = lazy(
    r"\b(?:(?<!Arzt )(?<!Ärztin )(?<!Doktor )sagt|sagte|meint|meinte|glaubt|denkt|behauptet|fragt|fragte|erzählt|dachte)\b[^,]*,? ?(?:dass )?$",
    re.IGNORECASE,
)
UNSERIOUS = lazy(
    r"\b(?:in meinen träumen|schön wär'?s|nur spaß|kleiner scherz|war ein scherz|quatsch|ironie|von wegen|aprilscherz|"
    r"schreib mir (?:eine|ein)|in meinem roman|meine? (?:heldin|held|hauptfigur|charakter|spielfigur|avatar|sim)|geträumt|im film|im traum|"
    r"na klar,? und|und ich bin (?:der|die) (?:papst|kaiser|könig|königin|kaiserin))\b"
)
_NOT = lazy(r"\b(?:nicht|nie|niemals|kein\w*|weder)\b", re.IGNORECASE)
_NO_MORE = lazy(r"\b(?:nicht mehr|kein\w* [\wäöüß]+ mehr|keine mehr)\b", re.IGNORECASE)
_ONCE = lazy(r"\b(?:früher|damals|einst|ehemals|war|waren|hatte|hatten)\b", re.IGNORECASE)
_END = lazy(
    r"(?:[;!?()…—–\n\"„“]|[,:](?!\d)| - |(?<!Dr)(?<!\b\d)(?<!\b\d\d)\.(?:\s|$)|\s(?:und|aber|weil|denn|da|dass|wo|wenn|als|seit|ab|bis|mit|für|um|wie|oder|"
    r"hat|ist|gezogen|umgezogen|gewechselt|angefangen|verkauft|gekauft|geworden|sagt|zu (?:der|einem|einer)|zum|zur|"
    r"nächste\w*|letzte\w*|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|\d)|im (?:januar|februar|"
    r"märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|winter|herbst|frühling)|"
    r"vor|nach|jeden|jede|immer|sehr|gern|gerne|allergisch|drin|dabei|heute|gestern|morgen)\b)",
    re.IGNORECASE,
)
_ARTICLE = lazy(
    r"^(?:(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer|mein|meine|meinen|unser|unsere|unseren|neuen|neue|neuer|"
    r"neues|alten|alte|kleinen|kleine|gebrauchten|gebrauchtes|gebrauchte) )+",
    re.IGNORECASE,
)
_TRADE = lazy(
    r"[A-ZÄÖÜ][\wäöüß-]*(?:er|erin|or|orin|ör|ist|istin|mann|frau|ent|entin|peut|peutin|ant|antin|eur|eurin|wirt|wirtin|arzt|ärztin|"
    r"koch|köchin|anwalt|anwältin|pfleger|pflegerin|schwester|leiter|leiterin|leitung|meister|meisterin|azubi|chef|chefin|"
    r"kraft|hilfe|nom|nomin|loge|login|iker|ikerin|graf|grafin|rat|rätin|gehilfe|gehilfin|wart|bote|botin|amme|"
    r"tierarzt|beamter|beamtin|direktor|direktorin|rentner|rentnerin)|Azubi|Arzt|Ärztin|Koch|Köchin|CEO|CTO|Wirt|Wirtin|Anwalt|Anwältin|"
    r"Chef|Chefin|Bote|Botin|Schulleiter|Richter|Fahrer"
)
_NO_TRADE = word_set(
    """
    Mutter Vater Bruder Schwester Tochter Opa Kinder Vegetarier Vegetarierin Veganer Veganerin Linkshänder Rechtshänder
    Finger Wetter Zimmer Fenster Sommer Winter Meister Körper Kummer Hunger Fehler Oktober Wunder Messer Fieber
    Monster Frau Mann Doktor Single Student Studentin Erster Zweiter Letzter Gewinner Verlierer Schwager Schwiegermutter
    Frühaufsteher Morgenmensch Optimist Pessimist Realist Nichtraucher Raucher Fan Schüler Hilfe Kraft Rat
    """
)
_DIET = lazy(
    r"\b(?:bin|ist|sind|lebe|lebt|leben|ernähre\w* (?:mich|sich|uns)) (?:strikt(?:er?)? )?(?P<value>[Vv]eganer(?:in)?|[Vv]egetarier(?:in)?|vegan|vegetarisch)\b"
)
_PLACES = frozenset(fold(each) for each in PLACES)


def claims(sentence: str, scene: Scene) -> Iterator[Claim]:
    """What a sentence states."""
    text = _with_subjects(_in_order(" ".join(_ADVERBS.sub("", sentence).split())))
    seen: set[tuple[str, str, str]] = set()
    lead = _LEAD.match(text)
    for start in sorted({0, lead.end() if lead else 0, *(match.end() for match in _CUT.finditer(text))}):
        before, clause = text[:start], text[start:]
        if not clause or _UNREAL.search(re.split(r"\baber\b|[;:]", before)[-1]) or _REPORTED.search(before):
            continue
        own = re.split(r"[,;(]| aber | - |[–—]", clause)[0]
        if _UNREAL.search(own):
            continue
        found = list(_of(clause, text, scene))
        if not found and not in_jest(scene.text):
            found = _opened(clause, scene)
        if _is_exception(f"{re.split('[,;:.(]', before)[-1]} {own}"):
            found = [each for each in found if each.ended or each.predicate in KIN.values()]
        for claim in map(scene.of_relative, found):
            mark = (claim.subject, claim.predicate, claim.object.casefold())
            if mark not in seen:
                seen.add(mark)
                yield claim


_EXCEPTION = lazy(EXCEPTION, re.IGNORECASE)
_HAPPENED = lazy(r"\b(?:habe?n?|hat|bin|ist|sind|wurden?)\b")


def _is_exception(clause: str) -> bool:
    """Whether what a clause says of the present is so only this time: "diese Woche kommt der Müll am Freitag"."""
    return _EXCEPTION.search(clause) is not None and _HAPPENED.search(clause) is None


_OF_THING = lazy(
    r"^(?:(?:[Mm]ein|[Uu]nser)(?:e|er)?|(?P<common>[Dd]er|[Dd]ie|[Dd]as)) (?:[a-zäöüß]+e[rs]? )?(?P<thing>[A-ZÄÖÜ][\wäöüß-]+) (?P<rest>[a-zäöüß]+(?:t|en|ern|eln) .*)$"
)
#: What is told of a thing that is nobody's own: a figure, a day, or with whom or on what it is by name.
_KNOWN = lazy(
    r"\d|\b\w+(?:tags|wochs)\b|täglich|wöchentlich|monatlich|jährlich|\b(?:bei|auf|mit|unter|über) (?!(?:der|dem|den|die|das|ein\w*|mein\w*|unser\w*|sein\w*|ihr\w*)\b)[A-Z]"
)


_DONE = lazy(
    r"^(?:[Dd]er|[Dd]ie|[Dd]as) (?P<thing>[A-ZÄÖÜ][\wäöüß-]+) (?:wird|werden) (?P<value>[\wäöüÄÖÜß.: -]{3,40}?) (?P<verb>(?:\w{0,5}ge\w+(?:t|en)|\w+iert))(?=$|[.,;!])"
)


_MADE_BY = lazy(
    r"^(?:[Mm]ein|[Uu]nser)(?:e|er)? (?P<thing>[A-ZÄÖÜ][\wäöüß-]+) (?:ist|sind) von (?P<name>[A-ZÄÖÜ][\w&-]+)(?=$|[.,;!])"
)
_WHEN = lazy(
    r"^(?:[Dd]er|[Dd]ie|[Dd]as|[Uu]nsere?|[Mm]eine?) (?P<thing>[A-ZÄÖÜ][\wäöüß-]+) ist (?:jetzt |ab jetzt |immer |künftig )*(?P<value>(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|(?:am |jeden )(?:Mon|Diens|Mitt|Donners|Frei|Sams|Sonn)(?:tag|woch))\b[^.,;!]*)"
)


def _opened(clause: str, scene: Scene) -> list[Claim]:
    """What a clause that no rule reads states in a slot of its own."""
    first = re.split("[,;]", clause)[0]
    if _ONCE.search(first):
        return []
    who, kind, rest = _subject(clause, scene)
    denied = _NOT.search(first) is not None
    if denied and who is None:
        return []
    if who is not None and rest.startswith(("und ", "oder ")):
        return []  # "mein Mann, ich und zwei Kinder"
    if who is not None:
        found = foreign_open.lacks(rest) if denied else foreign_open.german(_from_verb(clause, rest))
        return [] if found is None else [Claim(who, kind, *found)]
    done = _DONE.match(clause)
    if done is not None and re.search(r"\d|[A-ZÄÖÜ]|tags\b|täglich|wöchentlich|monatlich|jährlich", done["value"]):
        return [Claim(done["thing"], "topic", done["verb"], done["value"])]
    made = _MADE_BY.match(clause)
    if made is not None:
        return [Claim(scene.speaker, "person", made["thing"].lower(), made["name"])]
    when = _WHEN.match(clause)
    if when is not None:
        return [Claim(when["thing"], "topic", "date", when["value"])]
    thing = _OF_THING.match(clause)
    found = foreign_open.german(thing["rest"], thing=True) if thing is not None else None
    if thing is None or found is None:
        return []
    if thing["common"] and (_KNOWN.search(found[1]) is None or thing["thing"].lower() in KIN):
        return []
    if thing["common"]:
        return [Claim(thing["thing"], "topic", *found)]
    return [Claim(scene.speaker, "person", f"{thing['thing'].lower().replace('-', '_')}_{found[0]}", found[1])]


_SHARED = lazy(
    rf"^(?P<who>[Ii]ch|[Ww]ir|{NAME}|[Mm]ein\w* [\w]+|(?:[Dd]er|[Dd]ie|[Dd]as) [\w-]+) (?P<first>[a-zäöüß]+[^,;]*?) und (?=(?:ist|bin|sind|hat|habe|haben|wohnt|wohne|arbeitet|arbeite|"
    r"lebt|lebe|heißt|spielt|spiele|studiert|studiere|zieht|ziehe|fährt|fahre|geht|gehe|nimmt|nehme|kostet|liegt|beträgt)\b)"
)


def _with_subjects(text: str) -> str:
    """A sentence of which each half has its subject: "Rolf hat sich getrennt und Rolf ist nach Celle gezogen"."""
    match = _SHARED.match(text)
    return text if match is None else f"{match.group()}{match['who']} {text[match.end() :]}"


def _until(text: str) -> str:
    match = _END.search(text)
    return _ARTICLE.sub("", (text[: match.start()] if match else text).strip(" .")).strip()


def _of(clause: str, text: str, scene: Scene) -> Iterator[Claim]:
    yield from _kin(clause, scene)
    yield from _attributes(clause, text, scene)
    yield from _things(clause, scene)
    who, kind, rest = _subject(clause, scene)
    if who is None:
        return
    over = _NO_MORE.search(re.split(r", (?:nur|aber)\b", rest)[0]) is not None and not re.match(
        r"(?:esse|isst|trinke|trinkt|vertrage|verträgt|rauche)\b", rest
    )
    negated = _NOT.search(re.split(r",| und (?=nicht|kein)", rest)[0]) is not None and not over
    once = _ONCE.search(re.split("[,;]", clause)[0]) is not None and not re.search(r"\b(?:vorher|bisher) war", clause)
    day = moment(clause if over else text, scene.at, ahead=True)
    for pattern, predicate, object_kind, sort in _VERBS:
        match = pattern.search(rest)
        if match is None or (negated != (sort == "not")) or (once and sort != "past"):
            continue
        if re.search(r"[,;:(]", rest[: match.start()]):
            continue
        what = _object(match, predicate)
        if what is None:
            continue
        if predicate == "name" and (who in scene.relatives or who == what):
            continue  # whose name that is, was read with the relative
        ended = over or sort == "ended"
        since = (
            day
            if not ended and re.search(r"\b(?:ab|am|im|ende|anfang|ab dem|morgen|nächste\w*|zum)\b", text, re.I)
            else None
        )
        yield Claim(who, kind, predicate, what, object_kind, ended, since=since, until=day if ended else None)


_I = r"(?:ich|wir|Ich|Wir)"
_MANY = frozenset(
    ["Kinder", "Eltern", "Großeltern", "Söhne", "Töchter", "Zwillinge", "Schwiegereltern", "Jungs", "Mädels"]
)
#: What stands before "ich" in a clause whose verb is at its end, and only looks like a verb.
_NO_VERB = "die|ehe|wie|sowie|seit|damit|soweit|womit|welche|welchen|deren|denen|mit|ohne|selbst|erst|sonst|jetzt|nicht"
_VERB_FIRST = lazy(
    rf"^(?:[^,;:!?]{{1,50}}? )?(?P<verb>(?!(?:{_NO_VERB})\b)[a-zäöüß]+(?:e|en|st|t)|bin|sind|mag) (?P<who>ich|wir)\b(?P<rest>[^,;]*)"
)
#: "Um die Buchhaltung kümmert sich Frau Özdemir", "Bei uns kocht mein Mann": somebody else behind the verb.
_THEY_BEHIND = lazy(
    rf"^(?P<front>(?:Um|Für|Bei|Am|Im|In|Auf|An|Mit|Zu|Zum|Zur|Seit|Nach|Vor|Über|Montags|Dienstags|Mittwochs|Donnerstags|Freitags|Samstags|Sonntags)\b[^,;:!?]{{0,40}}?) "
    rf"(?P<verb>(?!ist\b|hat\b|wird\b|sagt\b|meint\b)[a-zäöüß]{{2,}}t)(?P<self> sich)? (?P<who>(?:(?:mein|unser)(?:e|er)?|der|die|das) (?:[a-zäöüß]+e[rs]? )?[A-ZÄÖÜ][\wäöüß-]+|(?:Frau |Herr )?{NAME})(?P<rest>(?: [a-zäöüß][^,;]*)?)[.!]?$"
)
#: What no noun is, so that it is written small inside a sentence.
_SMALL = word_set(
    "ab am an auf aus bei durch für gegen im in mit nach ohne seit um unter von vor zum zur zu über während wegen bis der den die das dem meist"
)
#: "Kuhmilch verträgt sie nicht": somebody behind the verb of whom one spoke.
_PRONOUN_BEHIND = lazy(
    r"^(?:Nur |Auch |Nur die |Nur den |Die |Den |Das )?(?P<front>[A-ZÄÖÜ][\wäöüß-]+) (?P<verb>mag|[a-zäöüß]{2,}t) (?P<who>er|sie)\b(?P<rest>[^,;]*(?:,.*)?)$"
)
#: "hab ich": the same behind its verb, and at the beginning of a note.
_CLIPPED_BEFORE = lazy(
    r"\b(?P<verb>[Hh]ab|[Gg]eh|[Ff]ahr|[Mm]ach|[Nn]ehm|[Kk]omm|[Ww]ohn|[Kk]auf|[Ss]piel|[Bb]rauch|[Tt]rink|[Ll]ern|[Zz]ahl|[Ll]auf|[Ss]ing|[Kk]rieg|[Zz]ieh|[Kk]och|[Ss]uch)(?= (?:ich|wir)\b)|^(?P<first>[Hh]ab|[Ww]ohn|[Nn]ehm|[Ff]ahr|[Zz]ieh)(?= )"
)
#: "ich geh schwimmen": verbs as chat writes them, without their last letter.
_CLIPPED = lazy(
    r"(?P<who>(?:^|[,;:] |\bund |\baber )[Ii]ch) (?P<verb>(?!und\b|oder\b|bin\b|mag\b|kann\b|will\b|soll\b|muss\b|darf\b|weiß\b|war\b|wurd|hatt|auch\b|nicht\b|[a-zäöüß]+en\b)[a-zäöüß]{2,}[^eaiou\W\d_])(?= (?:[a-zäöüß]+ )*)(?=.)"
)
_SHORT_ARTICLE = lazy(r"\b'?(?P<article>nen?)\b(?= [a-zäöüß]* ?[A-ZÄÖÜ])")


#: "Tante Gerlinde"
_AUNT = lazy(r"^(?P<name>(?:Tante|Onkel|Oma|Opa|Cousine|Cousin) [A-ZÄÖÜ][a-zäöüß]+) (?P<rest>[a-zäöüß].*)$")
#: "Aylins Eltern wohnen in Bremen"
_THEIR_KIN = lazy(r"^(?P<owner>[A-ZÄÖÜ][a-zäöüß]{2,})s (?P<kin>[A-ZÄÖÜ][\wäöüß]+) (?P<rest>[a-zäöüß].*)$")


def _within(front: str) -> str:
    """What stood at the beginning of a sentence, as it is written further on."""
    first = front.partition(" ")[0].lower()
    small = (
        first in _SMALL
        or first.startswith(("mein", "unser"))
        or first.endswith(("tags", "wochs", "morgens", "abends", "nachts"))
    )
    return front[:1].lower() + front[1:] if small else front


def _in_order(text: str) -> str:
    """A sentence with its verb behind whom it is said of, and with the letters that chat leaves out."""
    text = _CLIPPED_BEFORE.sub(r"\g<0>e", _CLIPPED.sub(r"\g<who> \g<verb>e", text))
    text = _SHORT_ARTICLE.sub(lambda match: "einen" if match["article"] == "nen" else "eine", text)
    behind = _PRONOUN_BEHIND.match(text)
    if behind is not None:
        return f"{behind['who'].title()} {behind['verb']} {behind['front']}{behind['rest']}"
    match = _THEY_BEHIND.match(text)
    if match is None:
        return text
    who = match["who"][:1].upper() + match["who"][1:]
    return f"{who} {match['verb']}{match['self'] or ''} {_within(match['front'])}{match['rest']}"


def _subject(clause: str, scene: Scene) -> tuple[str | None, EntityKind, str]:
    """Who, and the clause with the verb first and then the rest."""
    match = re.match(rf"^{_I} (?P<rest>.*)$", clause)
    if match is not None:
        return scene.speaker, "person", match["rest"]
    match = re.match(r"^(?:[Dd]ie|[Uu]nsere) (?P<several>Kinder|Zwillinge|Jungs|Mädels) (?P<rest>[a-zäöüß].*)$", clause)
    if match is not None:
        scene.last = scene.relative(scene.speaker, match["several"].lower())
        return scene.last, "person", match["rest"]
    match = re.match(r"^(?P<name>Opa|Oma|Mama|Papa) (?P<rest>[a-zäöüß].*)$", clause)
    if match is not None:
        return match["name"], "person", match["rest"]
    match = re.match(r"^(?:(?:Er|Sie|er|sie) )(?P<rest>.*)$", clause)
    if match is not None:
        return scene.last, "person", match["rest"]
    match = re.match(
        rf"^(?:[Mm]ein|[Uu]nser|[Ii]hr|[Ss]ein)\w* (?P<kin>[\wäöüß]+),? (?P<name>{NAME}),? (?P<rest>.*)$", clause
    )
    if match is not None and match["kin"].lower() in KIN:
        name = match["name"].split()[0]
        scene.last = name
        return name, "person", match["rest"]
    match = re.match(
        r"^(?:[Mm]ein|[Uu]nser)(?:e|er)? (?:[a-zäöüß]+e[rs]? )?(?P<kin>[\wäöüß]+) (?P<rest>[a-zäöüß].*)$", clause
    )
    if match is not None and (match["kin"].lower() in KIN or match["kin"] in _MANY):
        kin = KIN.get(match["kin"].lower(), match["kin"].lower())
        name = scene.kin.get((scene.speaker, kin)) or scene.relative(scene.speaker, kin)
        scene.last = name
        return name, "person", match["rest"]
    match = _AUNT.match(clause)
    if match is not None:
        scene.last = match["name"]
        return match["name"], "person", match["rest"]
    match = _THEIR_KIN.match(clause)
    if match is not None and (match["kin"].lower() in KIN or match["kin"] in _MANY):
        owner, kin = match["owner"], KIN.get(match["kin"].lower(), match["kin"].lower())
        scene.last = scene.kin.get((owner, kin)) or scene.relative(owner, kin)
        return scene.last, "person", match["rest"]
    match = re.match(rf"^(?P<name>{NAME}) (?P<rest>.*)$", clause)
    if match is not None and (name := scene.person(match["name"].split()[0])) is not None:
        scene.last = name
        return (
            name,
            "person",
            match["rest"] if " " not in match["name"] else clause[len(match["name"].split()[0]) + 1 :],
        )
    match = _VERB_FIRST.match(clause)
    if match is not None:
        front = _within(clause[: match.start("verb")].strip())
        if match["rest"].strip(" .!") == "nicht" and front[:1].isupper() and " " not in front:
            return scene.speaker, "person", f"{match['verb']} keine {front}"  # "Nüsse vertrage ich nicht"
        return scene.speaker, "person", f"{match['verb']}{match['rest'].rstrip(' .!')} {front}".strip()
    if _WITHOUT_ICH.match(clause):
        return scene.speaker, "person", clause[0].lower() + clause[1:]
    return None, "person", clause


#: "wohne jetzt in Kassel": notes and chat leave "ich" out.
_WITHOUT_ICH = lazy(
    r"^(?:[Bb]in|[Hh]abe|[Ww]ohne|[Aa]rbeite|[Nn]ehme|[Zz]iehe|[Ww]iege|[Ff]ange|[Ee]sse|[Tt]rinke|[Ss]piele|[Ff]ahre|[Ll]erne|[Ss]tudiere|[Vv]erdiene|[Zz]ahle|[Vv]ertrage) "
)


def _from_verb(clause: str, rest: str) -> str:
    """A clause from its verb on, what stood before the verb right behind it: "Strom beziehe ich von Badenova"."""
    match = _VERB_FIRST.match(clause)
    front = "" if match is None else _within(clause[: match.start("verb")].strip())
    if match is None or not front or not rest.endswith(front):
        return rest
    if match["verb"].startswith("hab") and not foreign_open.ends_done(match["rest"].rstrip(" .!")):
        return rest  # "Freitags habe ich Geige"
    return f"{match['verb']} {front}{match['rest'].rstrip(' .!')}"


_MEDICINES = r"(?:[A-ZÄÖÜ][a-zäöü]+(?:statin|pril|prazol|sartan|formin|illin|mycin|profen|cetamol|thyroxin|azepam|olol|prolol|triptan|tabletten)|Insulin|Aspirin|Cortison|Eisen|Vitamin [A-Z]\d*)"
_MEDICINE = rf"(?P<value>{_MEDICINES})"


def _object(match: re.Match[str], predicate: str) -> str | None:
    groups = match.groupdict()
    what = groups.get("value") or groups.get("v2") or _until(match.string[match.end() :])
    what = _ARTICLE.sub("", what).strip(" .,!")
    words = what.split()
    if not words or len(words) > 5:
        return None
    if predicate == "lives_in":
        found = re.match(NAME, what)
        return (
            found.group()
            if found is not None and words[0] not in ("Sommer", "Winter", "Ruhe", "Urlaub", "Zukunft")
            else None
        )
    if predicate == "role":
        if words[0] in _NO_TRADE or words[-1] in _NO_TRADE or not _TRADE.fullmatch(words[-1]):
            return None
        if fold(words[-1]).removesuffix("in").removesuffix("er") in _PLACES:
            return None
        return what if what[0].isupper() or len(words) < 3 else None
    if predicate in ("owns", "works_at", "studies", "plays", "speaks", "learns", "allergic_to"):
        return what if words[-1][:1].isupper() or words[0][:1].isupper() or predicate == "allergic_to" else None
    return what


def _verb(
    pattern: str, predicate: str, kind: EntityKind | None = None, sort: str = ""
) -> tuple[re.Pattern[str], str, EntityKind | None, str]:
    return re.compile(rf"^(?:{pattern})"), predicate, kind, sort


_ORG = rf"(?P<value>{NAME})"
_VERBS = [
    _verb(rf"(?:wohn|leb)(?:e|en|t|st)\b(?:[^,;.]|(?<=\d)\.)*?\b(?:in|im|auf) (?:der |dem |einem [\wäöüß]+ in |einer [\wäöüß]+ in )?(?={NAME})", "lives_in", "place"),
    _verb(rf"(?:bin|sind|ist|haben|habe)\b(?:[^.;]|(?<=\d)\.)*?\b(?:nach|in die|ins?) (?P<value>{NAME})(?:[^.;]|(?<=\d)\.)*? ?(?:um)?gezogen\b", "lives_in", "place", "past"),
    _verb(rf"(?:bin|sind|ist) (?:um)?gezogen,? (?:und zwar )?nach (?P<value>{NAME})", "lives_in", "place", "past"),
    _verb(rf"zieh(?:e|en|t)\b[^;!?]*?\bnach (?P<value>{NAME})", "lives_in", "place"),
    _verb(rf"komm(?:e|en|t)\b(?:[^,;.]|(?<=\d)\.)*?\baus (?:der |dem )?(?P<value>{NAME})", "comes_from", "place"),
    _verb(rf"arbeite(?:n|t)?\b(?:[^,;.]|(?<=\d)\.)*?\b(?:bei der|bei den|bei dem|beim|bei|für die|für|in der|in einer|in einem|im|an der|am) {_ORG}", "works_at", "organization"),
    _verb(r"arbeite(?:n|t)?\b(?:[^,;.]|(?<=\d)\.)*?\bals (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "role"),
    _verb(rf"(?:bin|ist) bei(?: der| den|m)? {_ORG}(?: angestellt| beschäftigt)", "works_at", "organization"),
    _verb(rf"(?:fange|fängt|beginne|beginnt|starte|startet)\b(?:[^,;.]|(?<=\d)\.)*?\b(?:bei der|bei|beim|in der|an der) {_ORG}", "works_at", "organization"),
    _verb(rf"(?:habe|hat)\b(?:[^.;]|(?<=\d)\.)*?\bbei(?: der| den|m)? {_ORG} (?:gekündigt|aufgehört)", "works_at", "organization", "ended"),
    _verb(rf"(?:habe|hat|bin|ist)\b(?:[^.;]|(?<=\d)\.)*?\b(?P<value>{NAME}) verlassen", "works_at", "organization", "ended"),
    _verb(rf"(?:bin|ist|werde|wird|arbeite|arbeitet)\b(?: (?!nicht|kein)[a-zäöüß]+){{0,3}} (?:als )?[A-ZÄÖÜ][\wäöüß-]*(?:er|in|ent|ant|ist|or|eur|mann|frau|leiter|kraft|koch|arzt) bei(?: der| den|m)? {_ORG}", "works_at", "organization"),
    _verb(rf"(?:kellnere|kellnert|jobbe|jobbt|putze|putzt|koche|kocht)\b[^,;.]*?\b(?:im|in der|bei der|beim|bei) {_ORG}", "works_at", "organization"),
    _verb(rf"(?:habe|haben|hat)\b[^,;.]*?\b(?:ein|eine|einen|das|die|unser\w*) (?:[a-zäöüß]+ )?(?:Haus|Wohnung|Häuschen|Reihenhaus|Zimmer|Eigentumswohnung|Bauernhof) in (?P<value>{NAME}) (?:gekauft|gemietet|gefunden|bezogen|gebaut)", "lives_in", "place", "past"),
    _verb(r"(?:fange|fängt|beginne|beginnt|starte|startet)\b(?:[^;.]|(?<=\d)\.)*?,? als (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "role"),
    _verb(r"bin\b[^.;]*?(?:selbstständig|selbständig|freiberuflich)[^.;]*?\bals (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "role"),
    _verb(rf"bin bei(?: der| den|m)? {_ORG}(?= (?:ab|seit)\b)", "works_at", "organization"),
    _verb(r"(?:habe|hat) am (?P<value>\d{1,2}\. ?\w+) Geburtstag", "birthday"),
    _verb(r"(?:habe|hat) (?:eine )?Allergie gegen (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "allergic_to"),
    _verb(rf"(?:nehme|nimmt|nehmen)\b[^,;.]*? {_MEDICINE}\b|(?:muss|soll)\b[^,;.]*? (?P<v2>{_MEDICINES}) (?:ein)?nehmen", "takes"),
    _verb(r"(?:habe|haben|hat) (?:[a-zäöüß]+ ){0,3}?eine?n? (?P<value>[A-ZÄÖÜ][\wäöüß-]+ (?:[A-ZÄÖÜ\d][\w-]*)(?: [A-Z\d][\w-]*)?)(?=$|[.,!;])", "owns", "item"),
    _verb(r"(?:bin|sind|ist) bei (?P<value>(?:Frau |Herrn? )?(?:Dr\.?|Doktor|Prof\.?) [A-ZÄÖÜ][\wäöüß-]+)", "doctor", "person"),
    _verb(r"(?:bin|ist|werde|wird)\b(?: (?!im |in |beim |am |bei |auf |an |zum |zur |vom |aus |wie )[a-zäöüß]+){0,2}? ?(?:die |der |eine |ein |neue |neuer )*(?P<value>[A-ZÄÖÜ][\wäöüß-]+)(?! nicht)", "role"),
    _verb(r"bin zur? (?P<value>[A-ZÄÖÜ][\wäöüß-]+) (?:befördert|ernannt|gewählt)", "role", None, "past"),
    _verb(r"(?:wurde|bin|ist)\b(?:[^,;.]|(?<=\d)\.)*? zu[rm]? (?P<value>[A-ZÄÖÜ][\wäöüß-]+) (?:befördert|ernannt|gewählt)", "role", None, "past"),
    _verb(r"(?:bin|ist) von [Bb]eruf (?P<value>[\wäöüß-]+)|bin (?P<v2>[\wäöüß-]+) von [Bb]eruf", "role"),
    _verb(r"hab(?:e|en)?\b(?:[^.;]|(?<=\d)\.)*?\bals (?P<value>[A-ZÄÖÜ][\wäöüß-]+) (?:angefangen|begonnen)", "role", None, "past"),
    _verb(r"hab(?:e|en)?\b(?:[^.;]|(?<=\d)\.)*?\bersten Tag als (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "role", None, "past"),
    _verb(rf"hab(?:e|en)?\b(?:[^.;]|(?<=\d)\.)*?\bbei(?: der| den|m)? {_ORG} (?:angefangen|begonnen)", "works_at", "organization", "past"),
    _verb(r"studier(?:e|en|t)\b (?:(?:ab|seit) \w+ )?(?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "studies"),
    _verb(rf"studier(?:e|en|t)\b(?:[^,;.]|(?<=\d)\.)*?\ban der (?P<value>{NAME})", "studies_at", "organization"),
    _verb(rf"geh(?:e|en|t)\b(?:[^,;.]|(?<=\d)\.)*?\b(?:auf|in) (?:das|die|den) (?P<value>(?!Volkshochschule|Hochschule|Tanzschule|Fahrschule|Musikschule)(?:[\w-]*(?:[Ss]chule|[Gg]ymnasium|[Kk]olleg|[Kk]ita|[Kk]indergarten|[Kk]lasse)\b(?: {NAME})?|{NAME}-(?:Schule|Gymnasium)))", "school", "organization"),
    _verb(r"(?:mach|fang|fäng|beginn|start)(?:e|t)\b(?:[^,;.]|(?<=\d)\.)*? (?:eine )?(?:Ausbildung|Lehre) (?:als|zum|zur) (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "role"),
    _verb(r"(?:bin|ist|sind)\b(?:[^,;.]|(?<=\d)\.)*?\b(?:gegen|auf) (?P<value>[\wäöüß-]+(?: und [\wäöüß-]+)?) allergisch", "allergic_to"),
    _verb(r"(?:bin|ist|sind)\b(?:[^,;.]|(?<=\d)\.)*?\ballergisch (?:gegen|auf) (?P<value>[\wäöüß-]+)", "allergic_to"),
    _verb(r"reagier(?:e|t)\b(?:[^,;.]|(?<=\d)\.)*?\ballergisch [Aa]uf (?P<value>[\wäöüß-]+)", "allergic_to"),
    _verb(r"(?:habe|hat) (?:eine |ne )?(?:\w+ )?(?P<value>[A-ZÄÖÜ][\wäöüß]+?)-?allergie", "allergic_to"),
    _verb(r"(?:habe|hat) (?:eine |ne )?(?P<value>[A-ZÄÖÜ][\wäöüß-]*(?:intoleranz|unverträglichkeit)|Diabetes|Asthma|Rheuma|Migräne|Zöliakie|Heuschnupfen)", "health"),
    _verb(r"(?:bin|ist) (?P<value>laktoseintolerant|glutenintolerant|schwanger|Diabetiker(?:in)?|farbenblind)", "health"),
    _verb(r"(?:vertrage|verträgt)\b(?:[^,;.]|(?<=\d)\.)*?kein(?:e|en)? (?P<value>[\wäöüß-]+)", "intolerant_to", None, "not"),
    _verb(r"(?:vertrage|verträgt) (?P<value>[A-ZÄÖÜ][\wäöüß-]+) nicht\b", "intolerant_to", None, "not"),
    _verb(r"(?:kriege|bekomme|kriegt|bekommt)\b[^,;.]*?\b(?:Ausschlag|Quaddeln|Atemnot|Juckreiz|Bauchweh|Bauchschmerzen|Durchfall|Migräne|Kopfschmerzen)\b[^,;.]*? von (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "intolerant_to"),
    _verb(r"(?:esse|isst|essen)\b(?:[^,;.]|(?<=\d)\.)*?kein(?:e|en)? (?P<value>[\wäöüß-]+)", "does_not_eat", None, "not"),
    _verb(r"(?:trinke|trinkt|trinken)\b(?:[^,;.]|(?<=\d)\.)*?kein(?:e|en)? (?P<value>[\wäöüß-]+)", "does_not_drink", None, "not"),
    _verb(r"(?:mag|mögen)\b(?:[^,;.]|(?<=\d)\.)*?kein(?:e|en)? (?P<value>[\wäöüß-]+)", "dislikes", None, "not"),
    _verb(r"(?:hasse|hasst) (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "dislikes"),
    _verb(r"(?:mag|mögen|liebe|liebt|lieben) (?P<value>[A-ZÄÖÜ][\wäöüß-]+)(?! nicht)", "likes"),
    _verb(r"(?:esse|isst|trinke|trinkt|höre|lese|schaue) (?P<value>[A-ZÄÖÜ][\wäöüß-]+) [Aa]m liebsten", "likes"),
    _verb(r"(?:esse|isst|trinke|trinkt) (?:am liebsten|gern|gerne) (?P<value>[A-ZÄÖÜ][\wäöüß-]+)|(?:esse|trinke) (?P<v2>[A-ZÄÖÜ][\wäöüß-]+) gern", "likes"),
    _verb(rf"(?:spiel|trainier|kick)(?:e|en|t)\b(?:[^,;.]|(?<=\d)\.)*?\b(?:bei|beim|bei der|für) {_ORG}", "club", "organization"),
    _verb(rf"bin\b[^;.]*?\bim \w*[Vv]erein,? (?:dem |den )?{_ORG}", "club", "organization"),
    _verb(r"spiel(?:e|en|t)\b (?:in einer Band |im Verein |gern |gerne |das )?(?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "plays"),
    _verb(r"(?:spreche|spricht) (?:fließend |gut |etwas |ein bisschen )?(?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "speaks"),
    _verb(r"lern(?:e|t)\b (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "learns"),
    _verb(r"(?:singe|singt)\b(?:[^,;.]|(?<=\d)\.)*?\bim (?P<value>Chor(?: \w+)?)", "sings_in"),
    _verb(rf"(?:fahre|fahren|fährt|besitze|besitzt)\b(?:[^,;.]|(?<=\d)\.)*?\beine?n? (?:\w+en |\w+es )?(?P<value>{NAME})", "owns", "item"),
    _verb(rf"(?:habe|haben|hat)\b(?:[^,;.]|(?<=\d)\.)*?\beine?n? (?:neuen |neues |neue |gebrauchten |gebrauchtes )?(?P<value>{NAME}) gekauft", "owns", "item", "past"),
    _verb(rf"(?:habe|haben|hat)\b(?:[^,;.]|(?<=\d)\.)*?\b(?:den|das|die|meinen|mein|meine|unser\w*) (?:alten |alte |altes )?(?P<value>{NAME}) verkauft", "owns", "item", "ended"),
    _verb(rf"habe (?:ich )?verkauft (?:den|das|die|meinen|mein|meine|unser\w*) (?P<value>{NAME})", "owns", "item", "ended"),
    _verb(r"habe aufgegeben,? (?P<value>[A-ZÄÖÜ][\wäöüß-]+)", "plays", None, "ended"),
    _verb(r"(?:habe|hab)\b(?:[^,;.]|(?<=\d)\.)*? (?P<value>[A-ZÄÖÜ][\wäöüß-]+) aufgegeben", "plays", None, "ended"),
    _verb(rf"heiß(?:e|t) (?P<value>{NAME})", "name"),
    _verb(rf"(?:bin|ist|sind)\b(?:[^,;.]|(?<=\d)\.)*? (?:mit|seit \d{{4}} mit) (?P<value>{NAME}) verheiratet|(?:bin|ist) verheiratet mit (?P<v2>{NAME})", "married_to", "person"),
    _verb(rf"(?:bin|ist|sind)\b(?:[^,;.]|(?<=\d)\.)*? mit (?P<value>{NAME}) (?:zusammen|liiert)", "partner", "person"),
    _verb(r"(?:bin|ist|sind) (?:im|in) (?P<value>Ruhestand|Rente|Elternzeit)", "occupation"),
    _verb(r"(?:bin|ist) (?P<value>verheiratet|ledig|geschieden|verlobt|verwitwet|single|Single)\b", "relationship_status"),
    _verb(r"(?:ist|wird) (?:am \d{1,2}\. ?\w+ |im [A-ZÄÖÜ]\w+ |bald )?(?P<value>(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:(?:zwan|vier|fünf|sech|sieb|acht|neun)zig|dreißig)|drei|vier|fünf|sechs|sieben|acht|neun|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)?zehn|eins(?=$|[.,!]| und)|zwei(?=$|[.,!]| und))(?: Jahre alt| Jahre|$|[.,!])", "age"),
    _verb(r"(?:bin|ist|werde|wird) (?P<value>\d{1,3})(?![.,]\d)(?: Jahre alt| Jahre|$|[.,!]| und\b)", "age"),
    _verb(r"bin am (?P<value>\d{1,2}\. \w+(?: \d{4})?) geboren", "birthday", None, "past"),
    _verb(rf"bin\b(?:[^,;.]|(?<=\d)\.)*? in (?P<value>{NAME}) (?:geboren|aufgewachsen)", "comes_from", "place", "past"),
    _verb(r"verdien(?:e|t)\b[^,;.\d]*?(?P<value>\d[\d.,]*(?: ?(?:Euro|€|k))?)", "salary"),
    _verb(r"zahl(?:e|en|t)\b[^,;.\d]*?(?P<value>\d[\d.,]*(?: ?(?:Euro|€))?)[^,;.]*Miete", "rent"),
    _verb(r"wieg(?:e|t)\b[^,;.\d]*?(?P<value>\d[\d.,]*(?: ?(?:Kilo|kg))?)", "weight"),
    _verb(r"(?:bin|ist) (?P<value>\d[,.]\d+(?: ?(?:m|Meter))?|\d{3} ?cm|1 Meter \d\d|einen Meter \w+) groß", "height"),
    _verb(rf"(?:bin|ist) (?:Mitglied )(?:im|in der|bei|beim|bei der) {_ORG}", "member_of", "organization"),
    _verb(r"(?:nutz|benutz|verwend)(?:e|en|t)\b (?P<value>[\w.+#-]+(?: \d[\w.]*)?)", "uses"),
    _verb(r"setzen?\b(?:[^,;.]|(?<=\d)\.)*? auf (?P<value>[A-Z][\w.+#-]+(?: \d[\w.]*)?)", "uses"),
]  # fmt: skip

_DATE_WORDS = r"\d{1,2}\. ?(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|\d{1,2}\.)(?: (?:19|20)\d\d|\d{4})?"
_DATED = lazy(
    rf"^(?:(?P<whose>[Dd]er|[Dd]ie|[Dd]as|[Mm]eine?|[Uu]nsere?) )?(?:nächste |neue |erste )?(?P<thing>[A-ZÄÖÜ][\wäöüß-]+)(?: (?:von|bei|beim|mit|für|im|in|am|zum|zur|der) (?:der |dem |den |die |das )?[A-ZÄÖÜ][\wäöüß-]+)? "
    rf"(?:ist|geht|beginnt|startet|findet|fällt|endet|läuft|geht es|ist geplant|erscheint|kommt) (?:am|der|auf den|ab dem|bis zum|zum|für den) (?P<value>{_DATE_WORDS}|\d{{1,2}}\.(?= |$))(?: um (?P<time>\d{{1,2}}(?:[:.]\d\d)?) Uhr)?"
)
_CALLED = lazy(
    rf"^(?:(?P<whose>[Dd]er|[Dd]ie|[Dd]as|[Mm]eine?|[Uu]nsere?) )?(?:neue[rs]? )?(?P<thing>[A-ZÄÖÜ][\wäöüß-]+) (?:(?P<named>heißt)|ist)(?: (?:der|die)(?= (?:Frau|Herr) ))? (?P<name>(?:(?:Frau|Herr) )?(?:Dr\. |Prof\. )?{NAME})"
)
_THEIRS = lazy(
    rf"^(?P<owner>[A-ZÄÖÜ][a-zäöüß]+)s (?:neue[rs]? )?(?P<thing>[A-ZÄÖÜ][\wäöüß-]+) (?:heißt|ist) (?P<name>(?:(?:Frau|Herr) )?(?:Dr\. )?{NAME}|\d[\d /-]{{5,}}\d)"
)
_HE_IS_CALLED = lazy(rf"^(?:Er|Sie|Es|er|sie|es) heißt (?P<name>{NAME})")
_UNNAMED = lazy(
    r"\b(?:einen?|den|die|eine) (?:\w+en )?(?P<kin>Hund|Hündin|Katze|Kater|Kaninchen|Hamster|Pferd|Papagei|Vogel|Wellensittich)\b"
)
_NEW_THING = lazy(
    r"\b(?:haben|habe|hat) (?:wir |ich )?(?:ein|eine|einen) (?:neue[sn]? )?(?P<thing>Boot|Segelboot|Wohnmobil|Wohnwagen|Motorrad|Roller|Garten|Firma|Laden|Band)\b"
)
_PRICED = lazy(
    r"^(?:[Dd]er|[Dd]ie|[Dd]as) (?P<thing>[A-ZÄÖÜ][\w-]+) kostet (?P<value>\d[\d.,]* ?(?:Euro|€)(?: (?:im|pro|am) \w+)?)"
)
_PLACED = lazy(
    rf"^(?:[Dd]er|[Dd]ie|[Dd]as|[Uu]nsere?|[Mm]eine?) (?P<thing>[A-ZÄÖÜ][\w-]+(?: von [A-ZÄÖÜ]\w+)?) (?:ist|liegt|steht|hängt) (?:in (?P<value>{NAME})|(?:in der|im|auf dem|unter der|hinter der) (?P<room>Keller|Garage|Schuppen|Speicher|Dachboden|Flur|Küche|Schrank|Schublade|Bad|Regal|Kühlschrank|Garten|Schlafzimmer|Wohnzimmer|Büro|Treppe|Abstellkammer)|(?:in|an|auf) (?:der|dem|am) (?P<street>[A-ZÄÖÜ][\w-]*(?:straße|platz|gasse|weg|allee|ufer|markt|ring)))(?=$|[.,;!]| und\b)"
)
_WARM = lazy(r"(?P<value>\d[\d.]* ?(?:Euro|€)) (?:warm|kalt)\b")
#: "Geismarlandstraße 61, zweiter Stock": where the turn tells of a home.
_STREET = lazy(
    r"^[A-ZÄÖÜ][\wäöüß-]*(?:[Ss]traße|[Ss]tr\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing|[Uu]fer|[Dd]amm) \d{1,4}[a-z]?(?=$|[,.;!])"
)
_OF_A_HOME = lazy(r"\b(?:\w*[Ww]ohnung|Haus|Zimmer|wohn\w*|zieh\w*|\w*gezogen|Einzug|Umzug|Adresse)\b")
#: "Am 3. Dezember um acht muss ich zum Augenarzt"
_CLOCK = r"(?:\d{1,2}(?:[:.]\d\d)?(?: Uhr)?|halb \w+|viertel (?:vor|nach) \w+|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
_ON_DAY = rf"(?:\d{{1,2}}\. ?(?:[A-ZÄÖÜ][a-zä]+|\d{{1,2}}\.))(?: um {_CLOCK})?"
_VISIT = lazy(
    rf"\b[Aa]m (?P<day>{_ON_DAY}) (?:muss|müssen|habe|gehe) (?:ich|wir) (?:[a-zäöü]+ )?zu[mr] (?P<whom>[A-ZÄÖÜ][\wäöüß-]+)"
)
#: "Die Gästeliste ist auf 60 Personen begrenzt", "Mein Ausweis läuft im März 2029 ab"
_LIMITED = lazy(
    r"^(?:Der|Die|Das|Unsere?|Meine?) (?P<thing>[A-ZÄÖÜ][\wäöüß-]+) (?:ist|sind) auf (?P<value>\d[\d.,]*(?: [A-ZÄÖÜ]\w+| ?%)?) (?:begrenzt|limitiert|beschränkt|gedeckelt)\b"
)
_EXPIRES = lazy(
    r"^(?:(?P<whose>[Mm]eine?|[Uu]nsere?) |(?:[Dd]er|[Dd]ie|[Dd]as) )?(?P<thing>[A-ZÄÖÜ][\wäöüß-]+) läuft (?:(?:am|im|zum|bis zum|noch bis) )?(?P<value>(?:Ende |Anfang |Mitte )?(?:\d{1,2}\. ?(?:[A-ZÄÖÜ][a-zä]+|\d{1,2}\.)|(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember))(?: \d{4})?) (?:ab|aus)(?=$|[.,;!]| und\b)"
)
#: "Erreichen kannst du mich unter 0341 5550187"
_REACHED = lazy(
    r"\b(?:[Ee]rreich\w*|[Rr]uf|[Aa]nrufen|[Ss]chreib\w*)\b[^,;.]{0,25}\b(?:mich|mir)\b(?: \w+)? unter (?P<value>(?P<mail>[^\s@]+@[^\s@]+\.[a-z]+)|\+?\d[\d /-]{5,}\d)"
)
#: "Mittwochs ist Chor"
_ON_WEEKDAY = lazy(
    r"^(?P<day>(?:[Jj]eden )?(?:Mon|Diens|Mitt|Donners|Frei|Sams|Sonn)(?:tags?|wochs?)(?: um \d{1,2}(?:[:.]\d\d)?(?: Uhr)?)?) ist (?!(?:Fei|Ruhe|Feier)tag)(?P<what>[A-ZÄÖÜ][\wäöüß-]+)(?=$|[.,;!])"
)
#: "Heiligabend bei uns um 17 Uhr"
_AT_TIME = lazy(
    r"^(?:(?:Der|Die|Das) )?(?P<thing>[A-ZÄÖÜ][\wäöüß-]{3,})(?: (?:ist|beginnt|startet|geht los|bei uns|bei mir|im [A-ZÄÖÜ]\w+|bei [A-ZÄÖÜ]\w+))? um (?P<value>\d{1,2}(?:[:.]\d\d)? ?Uhr(?: \d\d)?|halb \w+)(?=$|[.,;!])"
)
_CHILDREN = lazy(
    r"^(?:[Uu]nsere|[Mm]eine) (?:Kinder|Söhne|Töchter|Jungs|Mädels) heißen (?P<names>[A-ZÄÖÜ]\w+(?:, [A-ZÄÖÜ]\w+)* und [A-ZÄÖÜ]\w+)"
    r"|\b(?:zwei|drei|vier) (?:Hunde|Katzen|Kater|Meerschweinchen|Kaninchen|Hamster|Wellensittiche|Hühner|Pferde|Ponys)(?:,| namens) (?P<pets>[A-ZÄÖÜ]\w+(?:, [A-ZÄÖÜ]\w+)* und [A-ZÄÖÜ]\w+)"
)
_NEW_ONE = lazy(
    rf"\b(?:ein(?:e|en)?|(?:[Mm]ein|[Uu]nser)(?:e|en)?) neue[sn]? (?P<attribute>[A-ZÄÖÜ][\wäöüß-]+)(?:, (?:ein(?:e|en)? )?| (?:ab|seit) [\w .]{{2,20}}: |: )(?P<value>{NAME}(?: \d+\w?)?)"
)
_IN_CHARGE = lazy(
    rf"^[Ff]ür (?:den|die|das) (?P<what>[A-ZÄÖÜ][\wäöüß-]+) ist (?P<name>{NAME}) (?:zuständig|verantwortlich)"
    rf"|^(?P<cares>(?:Frau |Herr )?{NAME}) kümmert sich um (?:den|die|das) (?P<cared>[A-ZÄÖÜ][\wäöüß-]+)"
    rf"|^(?P<who>{NAME}) ist für (?:den|die|das) (?P<task>[A-ZÄÖÜ][\wäöüß-]+) (?:zuständig|verantwortlich)"
)
_KIN_NAMED = lazy(
    rf"\b(?P<whose>[Mm]ein|[Uu]nser|[Ii]hr|[Ss]ein|[Ee]in)(?:e|en|er|em|)? (?:neue[rsn]? |ältere[rs]? |jüngere[rs]? |kleine[rs]? |große[rs]? |beste[rs]? )*(?P<kin>[\wäöüÄÖÜß]+)"
    rf"(?P<how> heißt |, (?:er|sie) heißt | hört auf den Namen | ist |,? )(?P<name>(?:Dr\.? )?{NAME})"
)
_HAS_KIN = lazy(
    rf"\b(?:habe|haben|hat) (?:eine?n? )(?:\w+ )?(?P<kin>[\wäöüÄÖÜß]+),? (?:(?:er|sie|der|die) (?P<v>heißt) |namens )(?P<name>{NAME})"
)
_PARTED = lazy(
    rf"^(?P<name>{NAME}) und ich (?:haben uns getrennt|sind (?:nicht mehr zusammen|getrennt))|^[Ii]ch habe mich von (?P<other>{NAME}) getrennt"
)
_SOLD = lazy(
    rf"^(?:Der|Das|Die|Den|Mein|Meine|Meinen|Unser|Unsere|Unseren) (?:alte[rsn]? )?(?P<item>{NAME}) (?:(?:ist|wurde|habe ich|haben wir) (?:\w+ )?verkauft|ist weg\b)"
)


def _kin(clause: str, scene: Scene) -> Iterator[Claim]:
    for pattern in (_HAS_KIN, _KIN_NAMED):
        match = pattern.search(clause)
        if match is None or match["kin"].lower() not in KIN:
            continue
        if _NOT.search(clause[: match.end()]):
            continue
        whose = match.groupdict().get("whose", "ich") or "ich"
        name = match["name"].split(" und ")[0]
        sure = " Namen " in match.group() or " heißt " in match.group() or "namens" in match.group()
        if not sure:
            name = name.split()[0]
            titled = name in ("Dr", "Dr.", "Frau", "Herr", "Prof")
            if titled:
                name = match["name"]
            elif (
                " ist " in match.group()
                and name.casefold() not in GIVEN
                and scene.person(name) is None
                and (_TRADE.fullmatch(name) or not re.match(r"$|[.!,]", clause[match.start("name") + len(name) :]))
            ) or (name.endswith(("er", "in")) and _TRADE.fullmatch(name) and name.casefold() not in GIVEN):
                continue
        owner = scene.speaker if whose.lower() in ("mein", "unser", "ich") else scene.last
        if owner is None or whose.lower() == "ein":
            continue
        predicate = KIN[match["kin"].lower()]
        if predicate in ("boyfriend", "girlfriend") and re.search(
            r"\b(?:beste|gute)[rs]? $", match.group()[: match.start("kin") - match.start()]
        ):
            predicate = "friend"
        scene.meet(name)
        scene.kin[owner, predicate] = name
        scene.last = name
        gone = (
            re.search(r"geht in (?:Rente|den Ruhestand)|hört auf(?! den Namen)|ist in Rente|hat aufgehört", clause)
            is not None
        )
        yield Claim(owner, "person", predicate, name, "person", gone)
        break
    parted = _PARTED.match(clause)
    if parted is not None:
        yield Claim(scene.speaker, "person", "boyfriend", parted["name"] or parted["other"], "person", True)
    sold = _SOLD.match(clause)
    if sold is not None:
        yield Claim(scene.speaker, "person", "owns", sold["item"], "item", True)


_REPLACED = lazy(
    r"\bvon (?P<old>[\w.+#-]+(?: \d[\w.]*)?) (?:auf|zu) (?P<new>[\w.+#-]+(?: \d[\w.]*)?) (?:umgestiegen|gewechselt|migriert|umgezogen|umgestellt)"
    r"|\b(?:haben|habe) (?P<gone>[A-Z][\w.+#-]*(?: \d[\w.]*)?) durch (?P<fresh>[A-Z][\w.+#-]*(?: \d[\w.]*)?) ersetzt"
)
_RUNS = lazy(
    r"^(?:(?:[Uu]nser|[Mm]ein|[Dd]er|[Dd]ie|[Dd]as)(?:e|er)? )(?P<thing>[\wäöüß-]+(?: [A-ZÄÖÜ][\wäöüß-]+)?) (?:läuft|laufen|ist|sind) "
    r"(?:(?P<on>auf|bei)|(?P<in>in)) (?P<value>[A-Z][\w.+#-]*(?: \d[\w.]*)?)(?P<written> geschrieben| gehostet)?(?=$|[.,!;])"
    r"|^(?:[Uu]nser|[Mm]ein|[Dd]er|[Dd]ie|[Dd]as)(?:e|er)? (?P<made>[\wäöüß-]+) (?:ist|sind) (?:mit|in) (?P<means>[A-Z][\w.+#-]*) (?:gebaut|geschrieben|umgesetzt|entwickelt|gemacht)"
)
_IS = lazy(
    r"^(?:(?P<whose>[Mm]ein|[Uu]nser|[Ii]hr|[Ss]ein|[Dd]er|[Dd]ie|[Dd]as)(?:e|er)? )?(?P<new>[Nn]eue[rs]? )?(?P<attribute>[\wäöüÄÖÜß-]+(?: [A-ZÄÖÜ][\wäöüß-]+)?)(?: (?:beim|im|in|für|vom|über) (?P<of>(?:der |die |das )?[\wäöüß-]+(?: [A-ZÄÖÜ][\wäöüß-]+)?))? "
    r"(?:ist|heißt|lautet|liegt bei|beträgt|sind|endet auf) (?:auf )?(?:ein(?:e|en)? (?:[a-zäöüß]+(?:er|es|e|en) )?)?(?P<rest>.+)"
)


#: A figure that stands for itself or with what it counts; no date and no time of day.
_MEASURE = lazy(
    r"\d[\d.,:]*(?: (?:Euro|€|Prozent|%|MB|GB|TB|KB|kg|Kilo|km|Meter|Minuten|Stunden|Tage|Wochen|Monate|Sekunden|Anfragen|Aufrufe|Nutzer|Bücher|Seiten|ms)\b.*)?$"
)


def _listed(attribute: str) -> str | None:
    """The English word of an attribute, where its own or its last part is listed: "Mathelehrerin", "Dienstwagen"."""
    last = attribute.split()[-1]
    found = GERMAN.get(attribute) or GERMAN.get(last)
    ends = [key for key in GERMAN if len(key) > 4 and last.endswith(key)]
    return found or (GERMAN[max(ends, key=len)] if ends else None)


def _of_things(clause: str, scene: Scene) -> Iterator[Claim]:
    """The day of something, what it is called, who is in charge of it, and the new one that somebody has."""
    unnamed, called_so = _UNNAMED.search(clause), _HE_IS_CALLED.match(clause)
    if called_so is not None and scene.unnamed is not None:
        yield Claim(scene.unnamed[0], "person", scene.unnamed[1], called_so["name"], "person")
        scene.unnamed = None
    elif called_so is not None and scene.topic:
        yield Claim(scene.topic, "topic", "name", called_so["name"])
        scene.topic = ""
    thing = _NEW_THING.search(clause)
    if thing is not None:
        scene.topic = thing["thing"]
    priced, placed, warm = _PRICED.match(clause), _PLACED.match(clause), _WARM.search(clause)
    if priced is not None:
        yield Claim(priced["thing"], "topic", "price", priced["value"])
    if placed is not None and _NOT.search(clause) is None:
        yield Claim(
            placed["thing"],
            "topic",
            "located_in",
            placed["value"] or placed["street"] or placed["room"],
            None if placed["room"] else "place",
        )
    if warm is not None and re.search(r"[Zz]immer|Wohnung|Miete|WG", scene.text):
        yield Claim(scene.speaker, "person", "rent", warm["value"])
    street = _STREET.match(clause)
    if street is not None and _OF_A_HOME.search(scene.text):
        yield Claim(scene.speaker, "person", "address", street.group())
    visit = _VISIT.search(clause)
    if visit is not None:
        yield Claim(scene.speaker, "person", f"{visit['whom'].lower()}_appointment", visit["day"])
    limited, expires, reached = _LIMITED.match(clause), _EXPIRES.match(clause), _REACHED.search(clause)
    if limited is not None:
        yield Claim(limited["thing"], "topic", "limit", limited["value"])
    if expires is not None and expires["whose"]:
        yield Claim(scene.speaker, "person", f"{expires['thing'].lower()}_expiry", expires["value"])
    elif expires is not None:
        yield Claim(expires["thing"], "topic", "expiry", expires["value"])
    if reached is not None:
        yield Claim(scene.speaker, "person", "email" if reached["mail"] else "phone_number", reached["value"])
    weekly = _ON_WEEKDAY.match(clause)
    if weekly is not None:
        yield Claim(weekly["what"], "topic", "date", weekly["day"])
    timed = _AT_TIME.match(clause)
    if timed is not None and timed["thing"].lower() not in KIN:
        yield Claim(timed["thing"], "topic", "time", timed["value"])
    several = _CHILDREN.search(clause)
    if several is not None:
        named = several["names"] or several["pets"]
        for name in re.split(r", | und ", named):
            yield Claim(
                scene.speaker,
                "person",
                "child" if several["names"] else "pet",
                name,
                "person" if several["names"] else None,
            )
    if unnamed is not None and _NOT.search(clause[: unnamed.start()]) is None:
        scene.unnamed = scene.speaker, KIN[unnamed["kin"].lower()]
    dated = _DATED.match(clause)
    if dated is not None:
        value = dated["value"] + (f" um {dated['time']} Uhr" if dated["time"] else "")
        if (dated["whose"] or "").lower()[:3] in ("mei", "uns"):
            yield Claim(scene.speaker, "person", _listed(dated["thing"].lower()) or dated["thing"].lower(), value)
        else:
            yield Claim(dated["thing"], "topic", "date", value)
    called = _CALLED.match(clause)
    if called is not None and _NOT.search(clause) is None:
        yield from _named_thing(called, scene)
    theirs = _THEIRS.match(clause)
    if theirs is not None and (
        owner := scene.person(theirs["owner"]) or (theirs["owner"] if theirs["owner"].lower() in KIN else None)
    ):
        predicate = KIN.get(theirs["thing"].lower()) or _listed(theirs["thing"].lower())
        if predicate:
            yield Claim(owner, "person", predicate, theirs["name"], None if theirs["name"][0].isdigit() else "person")
    new = _NEW_ONE.search(clause)
    if new is not None and (listed := _listed(new["attribute"].lower())):
        yield Claim(scene.speaker, "person", listed, new["value"])
    charge = _IN_CHARGE.match(clause)
    if charge is not None:
        who = charge["name"] or charge["cares"] or charge["who"]
        yield Claim(who, "person", "responsible_for", charge["what"] or charge["cared"] or charge["task"])


def _named_thing(called: re.Match[str], scene: Scene) -> Iterator[Claim]:
    thing, name = called["thing"].lower(), called["name"].split(" und ")[0]
    titled = name.startswith(("Frau ", "Herr ", "Dr. ", "Prof. "))
    if not called["whose"] and not (titled and (thing in KIN or _listed(thing) or _TRADE.fullmatch(called["thing"]))):
        return  # "Vermieterin ist Frau Krause"
    pet = KIN.get(thing) == "pet"
    if pet and called["named"]:
        scene.meet(name)
        yield Claim(scene.speaker, "person", "pet", name, "person")
    elif titled or called["named"]:
        if thing in KIN and (called["whose"] or "").lower()[:3] not in ("mei", "uns") and not titled:
            return
        predicate = KIN.get(thing) or _listed(thing)
        if predicate is None and not called["whose"]:
            predicate = thing  # "Bezugserzieherin ist Frau Mbeki"
        if predicate is None and (called["whose"] or "").lower()[:3] in ("mei", "uns"):
            predicate = thing
        if predicate:
            yield Claim(scene.speaker, "person", predicate, name, "person" if titled else None)
        else:
            yield Claim(called["thing"], "topic", "name", name)


def _things(clause: str, scene: Scene) -> Iterator[Claim]:
    replaced = _REPLACED.search(clause)
    if replaced is not None:
        yield Claim(scene.speaker, "person", "uses", replaced["old"] or replaced["gone"], None, True)
        yield Claim(scene.speaker, "person", "uses", replaced["new"] or replaced["fresh"])
    runs = _RUNS.match(clause)
    if runs is not None and runs["made"]:
        yield Claim(runs["made"], "topic", "built_with", runs["means"])
    elif runs is not None and fold(runs["value"]) not in _PLACES and (runs["on"] or runs["written"]):
        yield Claim(runs["thing"], "topic", "built_with" if runs["in"] else "runs_on", runs["value"])


def _attributes(clause: str, text: str, scene: Scene) -> Iterator[Claim]:
    diet = _DIET.search(clause)
    yield from _of_things(clause, scene)
    who, _, _ = _subject(clause, scene)
    if diet is not None and who is not None and not _NOT.search(clause) and not _ONCE.search(clause):
        value = "vegan" if "vegan" in diet["value"].lower() else "vegetarian"
        yield Claim(who, "person", "diet", value)
    match = _IS.match(clause)
    if match is None or _NOT.search(clause.split(",")[0]):
        return
    attribute = match["attribute"].lower()
    whose = (match["whose"] or "").lower()
    listed = _listed(attribute)
    phrase = _until(match["rest"]) if listed != "address" else match["rest"].strip(" .!")
    if not phrase or len(phrase.split()) > 6:
        return
    shown = phrase[:1].isdigit() or phrase[:1].isupper() or any(map(str.isdigit, phrase))
    if attribute.split()[0] in KIN and attribute != attribute.split()[0]:
        return
    if attribute in KIN and KIN[attribute] in (
        "pet",
        "sister",
        "brother",
        "mother",
        "father",
        "wife",
        "husband",
        "son",
        "daughter",
    ):
        return
    if whose in ("mein", "unser") or (
        not whose and listed and (match["new"] or (shown and clause == text and attribute.isalpha()))
    ):
        owner: str | None = scene.speaker
    elif whose in ("ihr", "sein"):
        owner = scene.last
    elif (
        whose in ("der", "die", "das")
        and shown
        and (listed in ("deadline", "version", "budget", "password") or _MEASURE.match(phrase))
    ):
        owner = scene.speaker
    else:
        return
    if owner is None:
        return
    if listed and (shown or attribute.startswith("lieblings")):
        yield Claim(owner, "person", listed, phrase)
    elif attribute.startswith("lieblings") or (shown and phrase[:1].isdigit()):
        yield Claim(owner, "person", attribute.replace(" ", "_").replace("-", "_"), phrase)
