"""Plain French and Spanish sentences → claims: where somebody lives and works, who they are, have, cannot eat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ricordo.facts.dates import moment
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.models import EntityKind
from ricordo.text.attributes import FRENCH, SPANISH

FRENCH_KIN = {
    "sœur": "sister", "soeur": "sister", "frère": "brother", "mère": "mother", "père": "father", "femme": "wife",
    "mari": "husband", "fille": "daughter", "fils": "son", "amie": "friend", "ami": "friend", "copine": "girlfriend",
    "copain": "boyfriend", "collègue": "colleague", "patron": "boss", "patronne": "boss", "cousine": "cousin",
    "cousin": "cousin", "tante": "aunt", "oncle": "uncle", "chien": "pet", "chienne": "pet", "chat": "pet",
    "chatte": "pet", "médecin": "doctor", "dentiste": "dentist", "fiancé": "fiance", "fiancée": "fiance",
}  # fmt: skip
SPANISH_KIN = {
    "hermana": "sister", "hermano": "brother", "madre": "mother", "padre": "father", "esposa": "wife",
    "mujer": "wife", "esposo": "husband", "marido": "husband", "hija": "daughter", "hijo": "son", "amiga": "friend",
    "amigo": "friend", "jefa": "boss", "jefe": "boss", "novia": "girlfriend", "novio": "boyfriend", "prima": "cousin",
    "primo": "cousin", "tía": "aunt", "tío": "uncle", "perro": "pet", "perra": "pet", "gato": "pet", "gata": "pet",
    "médico": "doctor", "dentista": "dentist", "abuela": "grandmother", "abuelo": "grandfather",
}  # fmt: skip
UNSERIOUS = re.compile(
    r"\b(?:dans mes rêves|je plaisante|c'est une blague|poisson d'avril|j'ai rêvé|dans mon roman|en mis sueños|es broma|"
    r"era broma|soñé|he soñado|en mi novela|écris-moi|escríbeme)\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:si(?! mange)|quisiera|quiero|viviera|tuviera|ojalá|quizás?|tal vez|dice|dijo|cree|sueñ\w+|gustaría|imagina|casi|"
    r"s'il|voudrais|veux|peut-être|dit|disait|croit|rêv\w+|aimerais|imagine|presque|habiterais|serais|aurais|viviría|sería|"
    r"tendría|avant|antes|solía)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"(?:[,;:!?()…—–\n\"«»¡¿]| - |\.(?:\s|$)|\s(?:et|mais|car|parce|depuis|avec|dans|qui|que|où|pour|comme|en tant|maintenant|"
    r"la semaine|le mois|l'année|y|pero|porque|desde|con|que|donde|para|como|ahora|por|desde|hace|junto|cerca|près|"
    r"à l'|cette|este|esta)\b)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"^(?:(?:le|la|les|l'|un|une|des|du|de la|au|aux|el|los|las|una|al|del|mi|mon|ma) ?(?<=[' ]))+", re.I
)


@dataclass(frozen=True, slots=True)
class _Verb:
    pattern: re.Pattern[str]
    predicate: str
    kind: EntityKind | None
    ended: bool = False
    negated: bool = False


def _verbs(table: list[tuple[str, str, EntityKind | None, str]]) -> list[_Verb]:
    return [
        _Verb(re.compile(pattern), predicate, kind, "ended" in sort, "not" in sort)
        for pattern, predicate, kind, sort in table
    ]


_CAP = rf"(?P<value>{NAME})"
_WORD = r"(?P<value>[\wàâçèéêëîïôûœáíóúñü-]+)"
#: Each is matched behind the subject.
_FRENCH = _verbs([
    (rf"(?:habite|vis|vit) plus (?:à|en|au) {_CAP}", "lives_in", "place", "ended not"),
    (rf"(?:habite|vis|vit|habitons|vivons)(?: \w+)? (?:à|en|au|aux) (?:la |Le )?{_CAP}", "lives_in", "place", ""),
    (rf"(?:ai|a|avons) (?:emménagé|déménagé)(?: \w+)? (?:à|en|au) {_CAP}", "lives_in", "place", ""),
    (rf"(?:travaille|travaillons)(?: \w+)? (?:plus) (?:chez|pour|à) {_CAP}", "works_at", "organization", "ended not"),
    (rf"(?:travaille|travaillons|bosse)(?: maintenant)? (?:chez|pour|à l'|à la|à|au) ?{_CAP}", "works_at", "organization", ""),
    (rf"(?:ai|a) (?:quitté|démissionné de) {_CAP}", "works_at", "organization", "ended"),
    (rf"(?:travaille|suis employée?) (?:chez [\w' ]+ )?comme {_WORD}", "role", None, ""),
    (r"(?:suis|est|suis devenue?) (?:un |une )?(?P<value>[\wéèêàç-]*(?:ier|ière|eur|euse|rice|ien|ienne|iste|ant|ante|ogue|cin|ecte|caire|tre|nome|ntiste|cat|cate|aître|oise|graphe|aire|chef|prof))\b", "role", None, ""),
    (r"(?:suis|est) allergique (?:à la|à l'|aux|au|à) ?(?P<value>[^,;.!?]+)", "allergic_to", None, ""),
    (r"(?:suis|est) (?P<value>végétarienne?|végane?|vegan|diabétique|intolérante? au \w+)", "diet", None, ""),
    (rf"(?:étudie) (?:la |le |l'|les )?{_WORD}", "studies", None, ""),
    (r"(?:mange|manges) (?:pas|plus) (?:de |d')(?P<value>\w+)", "does_not_eat", None, "not"),
    (r"(?:joue|jouons) (?:du |de la |de l'|au |à la )(?P<value>\w+)", "plays", None, ""),
    (r"(?:parle|parlons) (?P<value>\w+)(?=$|[.,!;]| et)", "speaks", None, ""),
    (rf"(?:possède|conduis|ai acheté) (?:un|une) (?P<value>{NAME})", "owns", "item", ""),
    (r"(?:aime|adore) (?:le |la |les |l')(?P<value>[\wéèêàçœ]+)(?=$|[.,!;])", "likes", None, ""),
    (r"(?:déteste) (?:le |la |les |l')(?P<value>[\wéèêàçœ]+)(?=$|[.,!;])", "dislikes", None, ""),
    (r"ai (?P<value>\d{1,3}) ans\b", "age", None, ""),
    (rf"m'appelle {_CAP}", "name", None, ""),
    (rf"utilisons {_CAP}", "uses", None, ""),
])  # fmt: skip
_SPANISH = _verbs([
    (rf"(?:ya no )(?:vivo|vive|vivimos) en {_CAP}", "lives_in", "place", "ended not"),
    (rf"(?:vivo|vive|vivimos)(?: \w+)? en (?:la |el )?{_CAP}", "lives_in", "place", ""),
    (rf"(?:me he mudado|se ha mudado|nos hemos mudado|me mudé|nos mudamos|se mudó)(?: \w+)? a {_CAP}", "lives_in", "place", ""),
    (rf"(?:ya no )(?:trabajo|trabaja) (?:en|para) {_CAP}", "works_at", "organization", "ended not"),
    (rf"(?:trabajo|trabaja|trabajamos)(?: \w+)? (?:en|para) (?:(?:un|una) (?P<value>(?!casa)[^,;.!?]+)|(?:el |la )?(?P<named>{NAME}))", "works_at", "organization", ""),
    (rf"(?:he dejado|ha dejado|dejé|dejó) (?:mi trabajo en )?{_CAP}", "works_at", "organization", "ended"),
    (r"(?:trabajo|trabaja) (?:en [\w ]+? )?(?:como|de) (?P<value>(?!la\b|lunes)\w+)", "role", None, ""),
    (r"(?:soy|es) (?:una? )?(?P<value>\w*(?:ero|era|dor|dora|ista|ico|ica|ogo|oga|ante|ente|ado|ada|sor|sora|tor|tora|tora|fo|fa|jefe|jefa|or))\b(?! (?:que|más))", "role", None, ""),
    (r"(?:soy|es) alérgic[oa] (?:al|a la|a los|a las|a) (?P<value>[^,;.!?]+)", "allergic_to", None, ""),
    (r"(?:soy|es) (?P<value>vegetarian[oa]|vegan[oa]|diabétic[oa]|celíac[oa])", "diet", None, ""),
    (rf"(?:estudio|estudia) {_WORD}", "studies", None, ""),
    (r"no (?:como|come) (?P<value>\w+)", "does_not_eat", None, "not"),
    (r"(?:toco|toca) (?:el |la )(?P<value>\w+)", "plays", None, ""),
    (r"(?:juego|juega) al (?P<value>\w+)", "plays", None, ""),
    (r"(?:hablo|habla) (?P<value>\w+)(?=$|[.,!;]| y)", "speaks", None, ""),
    (rf"(?:tengo|conduzco|he comprado) un[ao]? (?P<value>{NAME})", "owns", "item", ""),
    (r"me gustan? (?:el |la |los |las )(?P<value>\w+)(?=$|[.,!;])", "likes", None, ""),
    (r"odio (?:el |la |los |las )(?P<value>\w+)(?=$|[.,!;])", "dislikes", None, ""),
    (r"tengo (?P<value>\d{1,3}) años\b", "age", None, ""),
    (rf"(?:me llamo) {_CAP}", "name", None, ""),
    (rf"(?:usamos|utilizamos) {_CAP}", "uses", None, ""),
])  # fmt: skip
_NO_ROLE = frozenset(
    [
        "primera",
        "primero",
        "ahora",
        "era",
        "manera",
        "mejor",
        "peor",
        "mayor",
        "menor",
        "premier",
        "dernier",
        "dernière",
        "première",
        "content",
        "contente",
        "vegetariano",
        "vegetariana",
        "cansado",
        "cansada",
        "por",
        "amor",
        "rico",
        "único",
        "única",
        "alérgico",
        "alérgica",
        "casado",
        "casada",
        "important",
        "notre",
        "votre",
        "amante",
        "pressante",
        "importante",
        "diferente",
        "suficiente",
        "meilleur",
        "meilleure",
        "maladie",
    ]
)


def french(sentence: str, scene: Scene) -> Iterator[Claim]:
    """What a French sentence states."""
    text = re.sub(
        r"\b(?:maintenant|désormais|toujours|encore|actuellement|aussi|bien|récemment|enfin) ",
        "",
        sentence.replace("’", "'"),
    )
    starts = r"(?:^|[,;:.!?–-] ?|\b(?:et|mais|moi,|car) )"
    first = re.compile(rf"{starts}(?:[Jj]e n[e']|[Jj]e|[Jj]'|[Nn]ous n[e']|[Nn]ous) ?(?P<rest>.+)")
    other = re.compile(rf"{starts}(?:(?:mon|ma|Mon|Ma) (?P<kin>[\wéèœ-]+) )?(?P<name>{NAME})(?: ne| n')? (?P<rest>.+)")
    named = re.compile(
        rf"\b[Mm](?:on|a) (?:petite? |grande? )?(?P<kin>[\wéèœ-]+)(?: s'appelle | est |,? )(?P<name>{NAME})"
    )
    attribute = re.compile(
        r"\b(?:[Mm]on|[Mm]a|[Nn]otre) (?:nouveau |nouvelle )?(?P<attribute>[\wéèœ-]+(?: préférée?)?) est (?:maintenant )?(?P<rest>.+)"
    )
    yield from _claims(text, scene, first, other, named, attribute, _FRENCH, FRENCH_KIN, FRENCH)


def spanish(sentence: str, scene: Scene) -> Iterator[Claim]:
    """What a Spanish sentence states."""
    text = re.sub(r"\b(?:[Aa]hora|todavía|aún|también|siempre|actualmente|por fin|recientemente) ", "", sentence)
    first = re.compile(
        r"(?:^|[,;:.!?–-] ?|\b(?:y|pero|porque) )(?:[Yy]o )?(?P<rest>(?:[Yy]a no |[Nn]o )?(?:\w+[oé]\b|[Mm]e |[Nn]os |\w+mos\b|[Hh]e |[Ss]oy).*)"
    )
    other = re.compile(
        rf"(?:^|[,;:.!?–-] ?|\b(?:y|pero) )(?:(?:mi|Mi) (?P<kin>[\wíóéá]+) )?(?P<name>{NAME}) (?P<rest>.+)"
    )
    named = re.compile(rf"\b[Mm]i (?P<kin>[\wíóéá]+)(?: se llama | es |,? )(?P<name>{NAME})")
    attribute = re.compile(
        r"\b[Mm]i (?:nuevo |nueva )?(?P<attribute>[\wíóéá]+(?: favorit[oa])?) es (?:ahora )?(?P<rest>.+)"
    )
    yield from _claims(text, scene, first, other, named, attribute, _SPANISH, SPANISH_KIN, SPANISH)


def _claims(
    text: str, scene: Scene, first: re.Pattern[str], other: re.Pattern[str], named: re.Pattern[str],
    attribute: re.Pattern[str], verbs: list[_Verb], kin: dict[str, str], attributes: dict[str, str],
) -> Iterator[Claim]:  # fmt: skip
    if _UNREAL.search(text):
        return
    bond = named.search(text)
    if bond is not None and bond["kin"].lower() in kin:
        predicate, name = kin[bond["kin"].lower()], bond["name"].split()[0]
        scene.meet(name)
        scene.kin[scene.speaker, predicate] = name
        scene.last = name
        yield Claim(scene.speaker, "person", predicate, name, "person")
    for match in other.finditer(text):
        name = match["name"].split()[0]
        if scene.person(name) is not None or (match["kin"] or "").lower() in kin:
            yield from _of(scene.person(name) or name, match["rest"], text, scene, verbs)
    for match in first.finditer(text):
        rest = match["rest"]
        yield from _of(scene.speaker, rest[:1].lower() + rest[1:], text, scene, verbs)
    is_ = attribute.search(text)
    if is_ is not None:
        listed = attributes.get(is_["attribute"].lower())
        value = _until(is_["rest"])
        if listed and value and (value[:1].isupper() or value[:1].isdigit() or listed.startswith("favourite")):
            yield Claim(scene.speaker, "person", listed, value)


def _of(who: str, rest: str, text: str, scene: Scene, verbs: list[_Verb]) -> Iterator[Claim]:
    denied = re.match(r"(?:pas|plus)\b|(?:\w+ ){1,2}(?:pas|plus|jamais)\b|no\b|nunca\b", rest) is not None
    denied = denied or bool(re.match(r"ya no\b", rest))
    for verb in verbs:
        for head in (rest, *re.split(r"\b(?:et|y) ", rest)[1:]):
            match = verb.pattern.match(head)
            if match is None or (denied and not verb.negated and head is rest):
                continue
            what = _until(match["value"] or match["named"])
            if not what or (verb.predicate == "role" and what.lower() in _NO_ROLE):
                continue
            day = moment(text, scene.at, ahead=True)
            yield Claim(who, "person", verb.predicate, what, verb.kind, verb.ended, until=day if verb.ended else None)
            break


def _until(text: str) -> str:
    match = _END.search(text)
    return _ARTICLE.sub("", (text[: match.start()] if match else text).strip(" .")).strip()
