"""What a German, French or Spanish clause states in a slot of its own: "Wir heizen mit Pellets", "je fais du judo".

The counterpart of `english_open`: the predicate is the verb, the value the rest of the phrase. Each function is given a
clause behind its subject, the verb first, and is asked only where no other rule found anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ricordo.facts.english_open import Open
from ricordo.text import lazy
from ricordo.text.english import word_set


@dataclass(frozen=True, slots=True)
class _Language:
    """What open slots are read by: the verbs that state nothing that lasts, the words that begin no value."""

    #: What one thinks, says, wants or may: nothing that lasts.
    stance: frozenset[str]
    #: Forms of "have" and of "be".
    have: frozenset[str]
    be: frozenset[str]
    #: Participles of what happens once and stays so.
    events: frozenset[str]
    #: Objects of "have" that state no fact.
    not_had: frozenset[str]
    #: What somebody is: matched behind "be".
    being: re.Pattern[str]
    #: Behind "have": what begins a thing that one has.
    had: re.Pattern[str]
    #: Where a phrase ends, and what is left out at its beginning.
    ends: re.Pattern[str]
    skipped: re.Pattern[str]
    #: Words with which no value begins.
    no_value: frozenset[str]
    #: What the value behind other verbs must contain.
    shown: re.Pattern[str]


_GERMAN = _Language(
    stance=word_set(
        """
        denke denken glaube glauben finde finden hoffe hoffen weiß wissen meine meinen möchte will wollen kann können
        muss müssen soll sollen darf dürfen mag mögen liebe lieben hasse hassen brauche brauchen sehe sehen
        verstehe verstehen erinnere vergesse wünsche wünschen verspreche schwöre wette frage fragen sage sagen erzähle
        danke danken bitte freue freuen fühle fühlen fürchte scheine lasse lassen versuche versuchen plane werde werden
        würde wäre hätte komme kommen stehe stehen bleibe bleiben gebe geben bringe stelle lege setze tue
        tun schaue gucke warte warten melde schreibe schicke bin sind ist habe haben hat kriege bekomme nehme rufe
        denkt glaubt findet hofft meint sagt fragt weiß kann muss soll darf mag liebt hasst braucht sieht versteht
        freut fühlt scheint lässt versucht wird kommt steht bleibt gibt bringt stellt legt setzt tut schaut wartet sitze sitzen sitzt liege liegen liegt
        heiße heißen heißt rede reden redet lüge sterbe vermisse vermissen bekommen wechsle wechselt vermute ahne rate gehe schlage wundere ärgere entscheide überlege verliere finde hole
        """
    ),
    have=word_set("habe haben hat hab"),
    be=word_set("bin sind ist"),
    events=word_set(
        """
        gebrochen bestanden bestellt angemeldet operiert verloren geheiratet gepachtet gemietet abonniert gebucht
        abgeschlossen gewonnen eingerichtet umgestellt angefangen begonnen geerbt renoviert übernommen gerissen
        verstaucht gezogen eingezogen geworden beantragt bekommen unterschrieben verlängert installiert gepflanzt
        eingestellt gemacht geimpft reserviert geleast zugelegt angeschafft besorgt studiert gelernt gelebt verbracht
        """
    ),
    not_had=word_set("Idee Frage Problem Gefühl Zeit Lust Angst Hunger Durst Bock Ahnung Recht Hoffnung Urlaub Feierabend Ferien Besuch Stress Ärger Schmerzen Kopfschmerzen Husten Fieber Geburtstag Dienst Mitleid Respekt Sorgen Pause Spaß Glück Pech Tag Tage Woche Bild Foto"),
    being=lazy(
        r"zu (?:zweit|dritt|viert|fünft|sechst)\b|bis (?:\d{4}|[\w. ]+ \d{4}) gültig|(?:ein |eine )?(?:(?:\w+e[rsn]? )?(?:Linkshänder|Rechtshänder|Fan|Mitglied|Brillenträger|Allergiker|Diabetiker|Asthmatiker|Frühaufsteher|Langschläfer|Morgenmuffel|"
        r"Nachtmensch|Morgenmensch|Nichtraucher|Raucher|Einzelkind|Zwilling|Witwer|Witwe|Rentner|Pendler|Blutspender|Patenonkel|Patentante|Schöffe|Vorstand|Kassenwart|Vorsitzender?|Mieter|"
        r"Student|Schüler|Anhänger|Stammkunde|Selbstversorger|Bluter|Epileptiker|Vielleser|Abonnent|Kunde)(?:in|en|innen)?\b"
        r"|(?:schwanger|taub|blind|farbenblind|kurzsichtig|weitsichtig|laktoseintolerant|geschieden|verwitwet|ledig|getrennt|katholisch|evangelisch|muslimisch|jüdisch|freiberuflich|"
        r"arbeitslos|pensioniert|kastriert|sterilisiert|geimpft|schwerhörig|zuckerkrank|verlobt|verheiratet|krankgeschrieben|alleinerziehend|zweisprachig|trocken)\b"
        r"|in (?:der Oberstufe|der Grundschule|der Lehre|Elternzeit|Rente|Therapie|Kur|Mutterschutz|Altersteilzeit|Pension|Reha|der (?:\w+en )?(?:Klasse|Gewerkschaft|Feuerwehr|Ausbildung))\b|im (?:Mutterschutz|Ruhestand|\w*(?:[Bb]eirat|[Vv]erein|[Vv]orstand|[Cc]hor|[Oo]rchester|[Kk]omitee)|(?:\w+ten) (?:Monat|Semester|Lehrjahr))\b"
        r"|(?:bei|beim) (?:der )?[A-ZÄÖÜ]|(?:das|die|der) (?:jüngste|älteste|mittlere) )"
    ),
    had=lazy(r"(?:den|die|das|einen) \w*(?:schein|schlüssel|pass|ausweis|lizenz|abitur)|(?:(?:seit|am) [\w. ]+? )?[A-ZÄÖÜ][\wäöüß-]+(?: [A-ZÄÖÜ][\wäöüß-]+)?(?: (?:am|um) [\w. ]+| [a-zäöü]+(?:tags|wochs|abends|nachts|morgens))?$|(?:(?:seit|ab) [\w. ]+? )?(?:(?:nur )?(?:eine?n?|zwei|drei|vier|fünf|sechs) )|(?:am|um) [^,]* ?\w*[A-ZÄÖÜ]\w+$|(?:[a-zäöü]+(?:tags|wochs) )?frei\b"),
    ends=lazy(r"[;!?()…—–\"„“]|[,:](?!\d)|(?<!\d)(?<!\bSt)\.(?:\s|$)|\.$| - |\s(?:und (?:ich|wir|das|es|er|sie|bin|habe|(?:[Mm]ein|[Uu]nser)e?|(?:Der|Die|Das))|aber|weil|denn|dass|wenn|oder|obwohl|damit|sodass|statt)\b"),
    skipped=lazy(r"^(?:(?:mich|mir|uns|sich|ein|eine|einen|einem|einer|der|die|das|den|dem|mein\w*|unser\w*|seit (?:der |dem |letztem |letzter )?[A-Z]\w+|ab [A-Z]\w+|am [A-Z]\w+tag|meist|alles|oft|regelmäßig|normalerweise|gern|gerne|viel|lieber|nur|deshalb|darum|daher|also) )+"),
    no_value=word_set("es das dich dir du ihn ihm ihnen euch nichts alles etwas jemand jemanden jemandem was wie nicht so dass davon daran darauf dafür damit dazu hin her mal nie kein keine keinen"),
    shown=lazy(r"\d|[A-ZÄÖÜ]|\b(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b|halb|viertel|\w*(?:tags|wochs|abends|morgens|nachts)\b"),
)  # fmt: skip
_FRENCH = _Language(
    stance=word_set(
        """
        pense crois sais veux peux dois espère trouve aime adore déteste préfère vois comprends entends dis demande
        souhaite voudrais jure promets parie doute imagine suppose remercie regrette viens vient reste mets met donne
        passe laisse tiens perds cherche attends oublie souviens sens pars suis est sommes ai a avons as es pense crains
        remarque propose rappelle appelle s'appelle m'appelle se meurs rêve pleure vous te t' le la les l' lui me m' en y
        pensons croyons savons voulons pouvons devons espérons trouvons voyons allions serai serait serais aurai
        """
    ),
    have=word_set("ai a avons"),
    be=word_set("suis est sommes"),
    events=word_set(
        """
        cassé obtenu réussi commandé réservé perdu commencé inscrit loué signé planté hérité gagné pris repris adopté
        fait étudié raté validé renouvelé installé fini terminé arrêté
        """
    ),
    not_had=word_set("idée question problème temps peur faim soif mal envie raison tort chaud froid sommeil chance photo journée semaine impression"),
    being=lazy(
        r"(?:(?:gauch|droiti|sourd|aveugle|daltonien|myope|enceinte|célibataire|divorcé|veu[fv]|mariée?|fiancée?|retraitée?|au chômage|bilingue|catholique|musulman|juive?|athée|asthmatique|épileptique|"
        r"indépendante?|freelance|fan d|membre d|bénévole|abonnée?|fils unique|fille unique|l'aînée?|la cadette|le cadet|végétali)\w*'?"
        r"|en (?:CP|CE1|CE2|CM1|CM2|sixième|cinquième|quatrième|troisième|seconde|première|terminale|maternelle|congé|arrêt|télétravail|rééducation|retraite|alternance|master|licence|couple)\b|chez [A-Z]|à la (?:retraite|maison de retraite|crèche|fac))"
    ),
    had=lazy(r"(?:du|de la|de l'|des) ?(?=[a-zéè]+(?:[ .]|$))|(?:un|une|deux|trois|quatre|cinq|six|rendez-vous|cours|entraînement) "),
    ends=lazy(r"[,;:!?()…—–\"«»]|\.(?:\s|$)| - |\s(?:et (?:je|j'|on|nous|il|elle|c'est)|mais|car|parce|qui|que|si|quand|donc)\b"),
    skipped=lazy(r"^(?:(?:tout|toute|tous|toutes|un|une|le|la|les|du|des|de la|mon|ma|mes|notre|nos|souvent|en général) |(?:l'|de l'|d'))+"),
    no_value=word_set("ça cela ce te toi vous lui leur rien quelque que comme si pas plus jamais bien beaucoup trop"),
    shown=lazy(r"\w"),
)  # fmt: skip
_SPANISH = _Language(
    stance=word_set(
        """
        creo pienso sé quiero puedo debo espero encuentro amo adoro odio prefiero veo entiendo oigo digo pregunto deseo
        juro prometo apuesto dudo imagino supongo agradezco siento recuerdo olvido vengo pongo doy dejo pierdo busco
        echo soy es somos he ha hemos tengo tiene tenemos me nos te estoy está vamos intento necesito gusta muero se llama
        creemos pensamos queremos podemos debemos esperamos sabemos vemos haré iré seré tendré como_ sueño lloro llamo
        """
    ),
    have=word_set("he ha hemos"),
    be=word_set("soy es somos estoy está estamos"),
    events=word_set(
        "roto conseguido aprobado pedido reservado perdido empezado alquilado firmado plantado heredado ganado suspendido renovado instalado terminado acabado adoptado"
    ),
    not_had=word_set("idea pregunta problema tiempo miedo hambre sed ganas razón calor frío sueño suerte foto día semana prisa"),
    being=lazy(
        r"(?:(?:una? )?(?:zurd|diestr|sord|cieg|daltónic|miope|embarazada|solter|divorciad|viud|casad|jubilad|en paro|bilingüe|católic|musulm|judí|ate[oa]\b|asmátic|epiléptic|autónom|"
        r"freelance|fan de|soci[oa] de|miembro de|voluntari|abonad|hij[oa] únic|alérgic|del? [A-Z])\w*"
        r"|en (?:primero|segundo|tercero|cuarto|quinto|sexto|infantil|bachillerato|primaria|secundaria|la universidad|la guardería|paro|baja|un coro|un equipo)\b|de (?:baja|vacaciones|permiso|guardia|prácticas)\b)"
    ),
    had=lazy(r"[a-záéíóúñ]+(?: [a-záéíóúñ]+)?$|[a-záéíóúñ]+(?: desde\b| crónic)|(?:una?|dos|tres|cuatro|cinco|cita|clase|reunión|entrenamiento) "),
    ends=lazy(r"[,;:!?()…—–\"«»¡¿]|\.(?:\s|$)| - |\s(?:y (?:yo|me|es|está|no)|pero|porque|que|si|cuando|aunque)\b"),
    skipped=lazy(r"^(?:(?:toda?s?|una?|el|la|los|las|mi|mis|nuestr\w+|casi siempre|a menudo|normalmente) )+"),
    no_value=word_set("nota parte lo te ti le les usted nada algo que como si no más muy mucho bien"),
    shown=lazy(r"\w"),
)  # fmt: skip
_UMLAUTS = {
    "fährt": "fahren", "trägt": "tragen", "schläft": "schlafen", "läuft": "laufen", "isst": "essen", "nimmt": "nehmen",
    "liest": "lesen", "hält": "halten", "frisst": "fressen", "gibt": "geben", "spricht": "sprechen", "hilft": "helfen", "trifft": "treffen", "esse": "essen",
    "wechselt": "wechseln", "sammelt": "sammeln", "sammle": "sammeln", "arbeitet": "arbeiten", "wäscht": "waschen",
}  # fmt: skip


#: What parts from its German verb; verbs whose stem ends in t, so that their present looks like a past.
_PREFIXES = word_set(
    """
    auf an aus ein ab vor zu mit um weg zurück los her hin nach hinterher entgegen
    nieder fort heim raus rein runter rüber rum vorbei statt
    """
)
_T_STEM = lazy(
    r"(?:arbeite|richte|leite|miete|achte|walte|züchte|reite|faste|teste|hoste|biete|koste|arbeiten|richten|leiten|mieten|achten|walten|züchten|reiten|fasten|testen|hosten|bieten|kosten|arbeitet|leitet|mietet|hostet|testet|kostet|bietet|richtet|züchtet|reitet)$"
)
#: Words of habit, and verbs of a moment that last with one.
_HABIT = lazy(
    r"\b(?:jede[nrs]?|immer|täglich|wöchentlich|\w+tags|mittwochs|alle \d+|um (?:\d+|halb|viertel|[a-zäöü]+s?\b)|Linie|Bus|chaque|tous les|toutes les|à \w+ heures?|ligne|bus|cada|todos los|todas las|a las? (?:\d|[a-z]+)|línea|\d+ ?mg)\b",
    re.IGNORECASE,
)
_MOMENTARY = frozenset(
    [
        "schaue",
        "schauen",
        "schaut",
        "gucke",
        "gucken",
        "höre",
        "hören",
        "hört",
        "stehe",
        "stehen",
        "gehe",
        "gehen",
        "nehme",
        "komme",
        "kommen",
        "rufe",
        "hole",
        "bringe",
        "gebe",
        "schreibe",
        "schicke",
        "mets",
        "prends",
        "donne",
        "reste",
        "passe",
        "pars",
        "pongo",
        "doy",
        "dejo",
        "tomo",
        "vengo",
        "steht",
        "geht",
        "kommt",
        "bringt",
        "gibt",
        "nimmt",
        "sitze",
        "sitzen",
        "sitzt",
        "liege",
        "liegen",
        "liegt",
    ]
)


_ALONE = frozenset(
    [
        "schnarche",
        "schnarcht",
        "rauche",
        "raucht",
        "stottere",
        "stottert",
        "jogge",
        "joggt",
        "stricke",
        "strickt",
        "nähe",
        "näht",
        "male",
        "malt",
        "imkere",
        "imkert",
    ]
)


#: "estoy ahorrando para …"
_DOING = lazy(r"(?P<verb>\w+(?:ando|iendo|yendo)) (?=\w)(?!(?:que|si|en) )")


def german(rest: str, *, thing: bool = False) -> Open | None:
    """The open slot of a German clause from its verb on, said of somebody or of a `thing`."""
    rest = re.sub(r"^(?P<verb>[\wäöüß]+)(?: (?:mich|mir|uns|sich))\b", r"\g<verb>", rest)
    verb = rest.partition(" ")[0]
    if thing and verb in ("steht", "liegt", "hängt", "kommt", "geht", "kostet", "bleibt"):
        value = _GERMAN.skipped.sub("", re.split(r"[;!?]|,(?!\d)|\.(?:\s|$)| und ", rest.partition(" ")[2])[0])
        return (_infinitive(verb), value) if _GERMAN.shown.search(value) and len(value.split()) < 7 else None
    return _read(rest, _GERMAN, _infinitive(verb))


def french(rest: str) -> Open | None:
    """The open slot of a French clause from its verb on."""
    rest = re.sub(r"^(?:me |m'|nous |se |s')(?=(?:lèv|couch|réveill|entraîn|occup|déplac|soign|douch)\w+)", "", rest)
    return _read(rest, _FRENCH, rest.partition(" ")[0])


def spanish(rest: str) -> Open | None:
    """The open slot of a Spanish clause from its verb on."""
    rest = re.sub(r"^(?:me|nos|se) (?=(?:levant|acuest|acost|despiert|despert|entren|ocup|desplaz|duch)\w+)", "", rest)
    return _read(rest, _SPANISH, rest.partition(" ")[0])


def _read(rest: str, by: _Language, name: str) -> Open | None:
    verb, _, behind = rest.partition(" ")
    if by is _GERMAN and verb.strip(".!") in _ALONE and _OFTEN.fullmatch(behind.strip(" .!")):
        return "is", verb.strip(".!")
    if (len(verb) < 3 and verb not in by.have | by.be) or not verb.isalpha() or not behind or not verb.islower():
        return None
    end = by.ends.search(behind)
    said = (behind if end is None else behind[: end.start()]).strip(" .!")
    if not said or len(said.split()) > 9:
        return None
    must = _MUST.match(said) if verb in ("muss", "müssen") else None
    if must is not None:
        return "muss_" + must["verb"], by.skipped.sub("", must["value"])
    doing = _DOING.match(said) if by is _SPANISH and verb in by.be else None
    if doing is not None:
        value = by.skipped.sub("", said[doing.end() :])
        return None if value.partition(" ")[0] in by.no_value else (doing["verb"], value)
    if verb in by.be:
        return None if by.being.match(said) is None else ("is", by.skipped.sub("", said))
    if verb in by.have:
        return _had(said, by)
    if verb in ("tengo", "tiene", "tenemos"):
        return _owned(said, by)
    if by is _GERMAN:
        prefix = said.rpartition(" ")[2]
        if prefix in _PREFIXES:
            if _HABIT.search(said) is None:
                return None
            return prefix + name, by.skipped.sub("", said.removesuffix(prefix).strip())
        if re.search(r"(?:te|ten|test|tet)$", verb) and not _T_STEM.search(verb):
            return None
    if re.match(r"(?:gebe|gibt|geben) (?:\w+ )?(?:Nachhilfe|Unterricht|\w*[Kk]urse?|\w*stunden)\b", rest):
        return name, by.skipped.sub("", said)
    if verb in by.stance and (_HABIT.search(said) is None or verb not in _MOMENTARY):
        return None
    if by is _GERMAN and not verb.endswith(("e", "en", "t", "ern", "eln")):
        return None
    value = by.skipped.sub("", said)
    first = value.partition(" ")[0].lower()
    if first in by.no_value or by.shown.search(value) is None:
        return None
    return name, value


_OFTEN = lazy(r"(?:(?:gern|gerne|viel|oft|manchmal|abends|morgens|nachts|\w+tags) ?)*")
_MUST = lazy(r"(?P<value>.+) (?P<verb>tragen|nehmen|spritzen|inhalieren|meiden|einhalten)$")


def lacks(rest: str) -> Open | None:
    """What somebody does not have: "keinen Fernseher", "pas de télé", "no tenemos televisión"."""
    found = _LACKS.match(rest)
    if found is None:
        return None
    value = found["german"] or found["french"] or found["spanish"]
    every = _GERMAN.not_had | _FRENCH.not_had | _SPANISH.not_had
    return None if not every.isdisjoint(value.split()) else ("does_not_have", value)


_LACKS = lazy(
    r"(?:habe|haben|hat) keine?n? (?P<german>[A-ZÄÖÜ][\wäöüß-]+)(?=$|[.,!;])|(?:n')?(?:ai|avons|a) pas (?:de |d')(?P<french>[\wéèêàç-]+(?: [\wéèêàç-]+)?)(?=$|[.,!;])"
    r"|no (?:tengo|tenemos|tiene) (?P<spanish>[\wáéíóúñ]+(?: [\wáéíóúñ]+)?)(?=$|[.,!;])"
)


#: A German participle, which tells what was done.
_PARTICIPLE = lazy(r"(?=[a-zäöü])(?:\w*ge\w+(?:t|en)|\w+iert|(?:be|ver|er|ent|zer|über)\w+t)$")


def ends_done(clause: str) -> bool:
    """Whether the last word of a German clause is a participle."""
    return _PARTICIPLE.match(clause.rpartition(" ")[2]) is not None


def _had(said: str, by: _Language) -> Open | None:
    """A thing that one has, or what happened: German has the participle last, the others first."""
    words = said.split()
    at = -1 if by is _GERMAN else 0
    event = words[at].lower()
    if event in by.events and len(words) > 1 and " und " not in said:
        value = by.skipped.sub("", " ".join(words[:-1] if at else words[1:]))
        once = event == "gemacht" and len(value.split()) > 3  # "ein Bild für die Zeitung gemacht"
        return None if once or value.split()[0].lower() in by.no_value else (event, value)
    if by is _SPANISH or ends_done(words[-1]):
        return None
    return _owned(said, by)


def _owned(said: str, by: _Language) -> Open | None:
    if by.had.match(said) is None:
        return None
    value = said if said.startswith(("am ", "um ")) else by.skipped.sub("", said)
    words = value.split()
    if not words or len(words) > 9 or not by.not_had.isdisjoint(words):
        return None
    return "has", value


def _infinitive(verb: str) -> str:
    """The infinitive of a German verb as said of oneself or somebody else."""
    if verb in _UMLAUTS:
        return _UMLAUTS[verb]
    if verb.endswith(("en", "ern", "eln")):
        return verb
    if verb.endswith("et"):
        return verb[:-2] + "en"
    return verb + "n" if verb.endswith("e") else verb.removesuffix("t") + "en"
