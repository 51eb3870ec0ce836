"""Plain French and Spanish sentences → claims: where somebody lives and works, who they are, have, cannot eat."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ricordo.facts import foreign_open
from ricordo.facts.dates import moment
from ricordo.facts.english_open import Open
from ricordo.facts.jest import in_jest
from ricordo.facts.scenes import NAME, Claim, Scene
from ricordo.facts.values import is_place
from ricordo.models import EntityKind
from ricordo.text import lazy
from ricordo.text.attributes import FRENCH, SPANISH

FRENCH_KIN = {
    "sœur": "sister", "soeur": "sister", "frère": "brother", "mère": "mother", "père": "father", "femme": "wife",
    "mari": "husband", "fille": "daughter", "fils": "son", "amie": "friend", "ami": "friend", "copine": "girlfriend",
    "copain": "boyfriend", "nièce": "niece", "neveu": "nephew", "belle-mère": "mother_in_law",
    "beau-père": "father_in_law", "belle-sœur": "sister_in_law", "beau-frère": "brother_in_law",
    "petite-fille": "granddaughter", "petit-fils": "grandson", "compagne": "partner", "compagnon": "partner",
    "grand-mère": "grandmother", "grand-père": "grandfather", "voisin": "neighbor", "voisine": "neighbor", "collègue": "colleague", "patron": "boss", "patronne": "boss", "cousine": "cousin",
    "cousin": "cousin", "tante": "aunt", "oncle": "uncle", "chien": "pet", "chienne": "pet", "chat": "pet",
    "chatte": "pet", "médecin": "doctor", "dentiste": "dentist", "fiancé": "fiance", "fiancée": "fiance",
}  # fmt: skip
SPANISH_KIN = {
    "hermana": "sister", "hermano": "brother", "madre": "mother", "padre": "father", "esposa": "wife",
    "mujer": "wife", "esposo": "husband", "marido": "husband", "hija": "daughter", "hijo": "son", "amiga": "friend",
    "amigo": "friend", "jefa": "boss", "jefe": "boss", "novia": "girlfriend", "novio": "boyfriend", "prima": "cousin",
    "primo": "cousin", "tía": "aunt", "tío": "uncle", "perro": "pet", "perra": "pet", "gato": "pet", "gata": "pet",
    "médico": "doctor", "dentista": "dentist", "abuela": "grandmother", "abuelo": "grandfather",
    "sobrina": "niece", "sobrino": "nephew", "suegra": "mother_in_law", "suegro": "father_in_law",
    "cuñada": "sister_in_law", "cuñado": "brother_in_law", "nieta": "granddaughter", "nieto": "grandson",
    "pareja": "partner", "compañera": "partner", "compañero": "partner", "vecina": "neighbor", "vecino": "neighbor",
}  # fmt: skip
UNSERIOUS = lazy(
    r"\b(?:dans mes rêves|je plaisante|c'est une blague|poisson d'avril|j'ai rêvé|dans mon roman|en mis sueños|es broma|"
    r"era broma|soñé|he soñado|en mi novela|écris-moi|escríbeme)\b"
)
_UNREAL = lazy(
    r"\b(?:si(?! mange)|quisiera|quiero|viviera|tuviera|ojalá|quizás?|tal vez|dice|dijo|cree|sueñ\w+|gustaría|imagina|casi|"
    r"s'il|voudrais|veux|peut-être|dit|disait|croit|rêv\w+|aimerais|imagine|presque|habiterais|serais|aurais|viviría|sería|"
    r"tendría|avant|antes|solía)\b",
    re.IGNORECASE,
)
_END = lazy(
    r"(?:[,;:!?()…—–\n\"«»¡¿]| - |\.(?:\s|$)|\s(?:et|mais|car|parce|depuis|avec|dans|qui|que|où|pour|comme|en tant|maintenant|"
    r"la semaine|le mois|l'année|y|pero|porque|desde|con|que|donde|para|como|ahora|por|desde|hace|junto|cerca|près|"
    r"à l'|cette|este|esta)\b)",
    re.IGNORECASE,
)
_ARTICLE = lazy(r"^(?:(?:le|la|les|l'|un|une|des|du|de la|au|aux|el|los|las|una|al|del|mi|mon|ma) ?(?<=[' ]))+", re.I)


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


_TITLE = r"(?:(?:le|la|el) )?(?:docteur|docteure|doctor|doctora|professeur|profesor|profesora|Dr\.?|Dra\.?) "
#: A thing's figure, its day, where it runs: alike in both languages.
_MEASURED = lazy(
    r"^(?:[Ll][ea] |[Ll]'|[Ee]l |[Ll]os |[Ll]as |[Nn]otre |[Nn]uestr[oa] |[Mm]on |[Mm]a |[Mm]i )(?P<thing>[\wéèêàçíóúáñ' -]{2,30}?) (?:est|es|está)(?: maintenant| ahora)?(?: de| en| à)? "
    r"(?P<value>\d[\d.,:]*(?: (?:euros?|€|%|por ciento|pour cent|Mo|Go|MB|GB|kg|km|minutes|minutos|heures|horas|jours|días|semaines|semanas|mois|meses|appels|llamadas|requêtes|peticiones|usuarios|utilisateurs|ms)\b[^.,;!?]{0,20})?)(?=$|[.,;!?])"
)
_DATED = lazy(
    r"^(?P<whose>[Ll]a |[Ll]e |[Ll]'|[Ee]l |[Nn]otre |[Nn]uestr[oa] |[Mm]on |[Mm]a |[Mm]i )(?P<thing>[\wéèêàçíóúáñ' -]{2,30}?) (?:est|es|aura lieu|será|commence|empieza|part|sale|tombe|se termine|finit|expire|termina|acaba|vence|caduca)(?: prévue?| fixée?)?(?: au| para)? (?:le|el) "
    r"(?P<value>\d{1,2}(?:er)? (?:de )?[a-zéû]{3,10}(?: (?:de )?(?:19|20)\d\d)?)"
)
_RUNS = lazy(
    r"^(?:[Ll][ea] |[Ll]'|[Ee]l |[Nn]otre |[Nn]uestr[oa] )(?P<thing>[\wéèêàçíóúáñ-]+(?: [\wéèêàçíóúáñ-]+)?) (?:est|tourne|está|corre|funciona|est hébergée?|está alojad[oa]) (?:chez|sur|en) (?P<value>[A-Z][\w.+-]*(?: \d[\w.]*)?)(?=$|[.,;!?])"
)
_CHILDREN = lazy(
    r"\b(?:[Mm]es enfants|[Nn]os enfants|[Mm]es fils|[Mm]es filles|[Mm]is hijos|[Mm]is hijas|[Nn]uestros hijos|[Nn]uestras hijas) (?:s'appellent|se llaman) (?P<names>[A-ZÉÁÍÓÚ]\w+(?:, [A-ZÉÁÍÓÚ]\w+)* (?:et|y) [A-ZÉÁÍÓÚ]\w+)"
)
_MADE_IN = lazy(
    r"^(?:[Ll][ea] |[Ll]'|[Ee]l |[Nn]otre |[Nn]uestr[oa] )(?P<thing>[\wéèêàçíóúáñ-]+(?: [\wéèêàçíóúáñ-]+)?) est(?:á)? (?:écrite?|codée?|développée?|escrit[oa]|hech[oa]|programad[oa]) (?:en|avec|con) (?P<value>[A-Z][\w.+#-]*)"
)
_HAS_PET = lazy(
    rf"\b(?:[Jj]'ai|[Nn]ous avons|[Oo]n a|[Tt]engo|[Tt]enemos) une? ?(?:[\wé]+ )?(?P<kin>chien|chienne|chat|chatte|lapin|cheval|perroquet|perro|perra|gato|gata|conejo|caballo|loro)s?,? (?:qui s'appelle|appelée?|nommée?|que se llama|llamad[oa]) (?P<name>{NAME})"
    rf"|\b(?:[Tt]engo|[Tt]enemos) un (?P<animal>perro|gato|conejo|caballo|loro)s?,? (?:que se llama|llamado) (?P<called>{NAME})"
)
_REPLACED = lazy(
    r"\b(?:remplacé|abandonné|sustituido|reemplazado|cambiado|dejado) (?P<gone>(?-i:[A-Z])[\w.+#-]*(?: (?:\d|(?-i:[A-Z]))[\w.]*)*) (?:par|pour|por) (?P<fresh>(?-i:[A-Z])[\w.+#-]*(?: (?:\d|(?-i:[A-Z]))[\w.]*)*)|\b(?:passés?|passée?s?|migrés?|migrado|cambiado|cambiamos|pasado|pasamos|migramos|cambié) (?:de|d') ?(?P<old>[\w.+#-]+(?: (?:\d|(?-i:[A-Z]))[\w.]*)*) (?:à|vers|a) (?P<new>[\w.+#-]+(?: (?:\d|(?-i:[A-Z]))[\w.]*)*)",
    re.IGNORECASE,
)
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
    (r"(?:suis|est) intolérante? (?:à la|à l'|aux|au|à) ?(?P<value>[^,;.!?]+)", "intolerant_to", None, ""),
    (r"(?:travaille|travaillons)(?: maintenant)? (?:à la|à l'|au|dans une?|pour la) ?(?P<value>[a-zéè]+ (?:de |d'|du )[A-Z][\wéèêàç-]+)", "works_at", "organization", ""),
    (rf"(?:ai|avons|a) (?:acheté|loué|trouvé) (?:un|une) (?:appartement|maison|studio|chambre)(?: \w+)? à {_CAP}", "lives_in", "place", ""),
    (r"(?:bois|boit|buvons) (?:pas|plus) (?:de |d')(?P<value>\w+)", "does_not_drink", None, "not"),
    (r"(?:ai|avons|a) (?:maintenant )?(?:un|une) (?P<value>[A-Z][\wéè-]+ [A-Z\d][\wéè-]*)", "owns", "item", ""),
    (r"(?:apprends|apprend) (?:le |la |l'|à jouer (?:du |de la ))(?P<value>[\wéèç]+)", "learns", None, ""),
    (r"(?:prends|prend) (?:du |de la |de l')?(?P<value>[a-zéè]+(?:statine|pril|prazole|sartan|formine|cilline|profène|cétamol|thyroxine|azépam|olol|triptan)|insuline|aspirine|cortisone)\b", "takes", None, ""),
    (r"(?:suis|est|suis devenue?) (?:un |une )?(?P<value>[\wéèêàç-]*(?:ier|ière|eur|euse|rice|ien|ienne|iste|ant|ante|ogue|cin|ecte|caire|tre|nome|ntiste|cat|cate|aître|oise|graphe|aire|chef|prof|comptable|graphiste))\b", "role", None, ""),
    (r"(?:suis|est) allergique (?:à la|à l'|aux|au|à) ?(?P<value>[^,;.!?]+)", "allergic_to", None, ""),
    (r"(?:suis|est) (?P<value>végétarienne?|végane?|vegan|diabétique|intolérante? au \w+)", "diet", None, ""),
    (rf"(?:étudie) (?:la |le |l'|les )?{_WORD}", "studies", None, ""),
    (r"(?:mange|manges) (?:pas|plus) (?:de |d')(?P<value>\w+)", "does_not_eat", None, "not"),
    (r"(?:joue|jouons) (?:du |de la |de l'|au |à la )(?P<value>\w+)", "plays", None, ""),
    (r"(?:parle|parlons) (?P<value>\w+)(?=$|[.,!;]| et)", "speaks", None, ""),
    (rf"(?:possède|conduis|conduit|roule en|ai acheté) (?:un|une) (?P<value>{NAME})", "owns", "item", ""),
    (r"(?:aime|adore) (?:le |la |les |l')(?P<value>[\wéèêàçœ]+)(?=$|[.,!;])", "likes", None, ""),
    (r"(?:déteste) (?:le |la |les |l')(?P<value>[\wéèêàçœ]+)(?=$|[.,!;])", "dislikes", None, ""),
    (r"(?:ai|a) (?P<value>\d{1,3}) ans\b", "age", None, ""),
    (rf"m'appelle {_CAP}", "name", None, ""),
    (rf"utilisons {_CAP}", "uses", None, ""),
])  # fmt: skip
_SPANISH = _verbs([
    (rf"(?:ya no )(?:vivo|vive|vivimos) en {_CAP}", "lives_in", "place", "ended not"),
    (rf"(?:vivo|vive|vivimos) en un[ao]? \w+(?: \w+)? en {_CAP}", "lives_in", "place", ""),
    (rf"(?:vivo|vive|vivimos)(?: \w+)? en (?:la |el )?{_CAP}", "lives_in", "place", ""),
    (rf"(?:me he mudado|se ha mudado|nos hemos mudado|me mudé|nos mudamos|se mudó)(?: \w+)? a {_CAP}", "lives_in", "place", ""),
    (rf"(?:ya no )(?:trabajo|trabaja) (?:en|para) {_CAP}", "works_at", "organization", "ended not"),
    (rf"(?:trabajo|trabaja|trabajamos)(?: \w+)? (?:en|para) (?:(?:un|una) (?P<value>(?!casa)[^,;.!?]+)|(?:el |la )?(?P<named>{NAME}))", "works_at", "organization", ""),
    (rf"(?:he dejado|ha dejado|dejé|dejó) (?:mi trabajo en )?{_CAP}", "works_at", "organization", "ended"),
    (r"(?:trabajo|trabaja) (?:en [\w ]+? )?(?:como|de) (?P<value>(?!la\b|lunes)\w+)", "role", None, ""),
    (r"(?:soy|es) (?:una? )?(?P<value>\w*(?:ero|era|dor|dora|ista|ico|ica|ogo|oga|ante|ente|ado|ada|sor|sora|tor|tora|tora|fo|fa|jefe|jefa|or))\b(?! (?:que|más))", "role", None, ""),
    (r"(?:soy|es) intolerante (?:al|a la|a los|a las|a) (?P<value>[^,;.!?]+)", "intolerant_to", None, ""),
    (r"(?:estoy|está) aprendiendo (?:a tocar (?:el |la )|el |la )?(?P<value>\w+)", "learns", None, ""),
    (r"(?:tomo|toma) (?P<value>[a-zéí]+(?:statina|pril|prazol|sartán|formina|cilina|profeno|cetamol|tiroxina|azepam|olol|triptán)|insulina|aspirina|cortisona)\b", "takes", None, ""),
    (r"(?:soy|es) alérgic[oa] (?:al|a la|a los|a las|a) (?P<value>[^,;.!?]+)", "allergic_to", None, ""),
    (r"(?:soy|es) (?P<value>vegetarian[oa]|vegan[oa]|diabétic[oa]|celíac[oa])", "diet", None, ""),
    (rf"(?:estudié|he estudiado) {_WORD}", "studied", None, ""),
    (rf"(?:estudio|estudia) {_WORD}", "studies", None, ""),
    (r"(?:ya )?no (?:bebo|bebe) (?P<value>\w+)", "does_not_drink", None, "not"),
    (rf"(?:he comprado|hemos comprado|alquilo|alquilamos) un[ao]? (?:casa|piso|apartamento) en {_CAP}", "lives_in", "place", ""),
    (rf"(?:trabajo|trabaja) en (?:el|la) (?:hospital|colegio|instituto|ayuntamiento|universidad|escuela|museo|biblioteca)(?: de)? {_CAP}", "works_at", "organization", ""),
    (r"(?:ya )?no (?:como|come) (?P<value>\w+)", "does_not_eat", None, "not"),
    (r"(?:toco|toca) (?:el |la )(?P<value>\w+)", "plays", None, ""),
    (r"(?:juego|juega) al (?P<value>\w+)", "plays", None, ""),
    (r"(?:hablo|habla) (?P<value>\w+)(?=$|[.,!;]| y)", "speaks", None, ""),
    (rf"(?:tengo|conduzco|he comprado) un[ao]? (?P<value>{NAME})", "owns", "item", ""),
    (r"me gustan? (?:el |la |los |las )(?P<value>\w+)(?=$|[.,!;])", "likes", None, ""),
    (r"odio (?:el |la |los |las )(?P<value>\w+)(?=$|[.,!;])", "dislikes", None, ""),
    (r"(?:tengo|tiene) (?P<value>\d{1,3}) años\b", "age", None, ""),
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
        "intolerante",
        "intolérant",
        "intolérante",
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
    first = re.compile(rf"{starts}(?:[Jj]e n[e']|[Jj]e|[Jj]'|[Nn]ous n[e']|[Nn]ous|[Oo]n n[e']|[Oo]n) ?(?P<rest>.+)")
    other = re.compile(rf"{starts}(?:(?:mon|ma|Mon|Ma) (?P<kin>[\wéèœ-]+) )?(?P<name>{NAME})(?: ne| n')? (?P<rest>.+)")
    named = re.compile(
        rf"\b(?:[Mm](?:on|a)|[Nn]otre) (?:petite? |grande? )?(?P<kin>[\wéèœ-]+)(?: s'appelle | est |,? )(?P<name>(?:{_TITLE})?{NAME})"
    )
    attribute = re.compile(
        r"\b(?:[Mm]on|[Mm]a|[Nn]otre) (?:nouveau |nouvelle )?(?P<attribute>[\wéèœ-]+(?: préférée?)?) est (?:maintenant )?(?P<rest>.+)"
    )
    relative = re.compile(rf"{starts}(?:[Mm]on|[Mm]a|[Mm]es|[Nn]otre|[Nn]os) (?P<kin>[\wéèœ-]+) (?P<rest>[a-zéàê].*)")
    yield from _claims(
        text, scene, first, other, named, attribute, _FRENCH, FRENCH_KIN, FRENCH, relative, foreign_open.french
    )


def spanish(sentence: str, scene: Scene) -> Iterator[Claim]:
    """What a Spanish sentence states."""
    text = re.sub(r"\b(?:[Aa]hora|todavía|aún|también|siempre|actualmente|por fin|recientemente) ", "", sentence)
    first = re.compile(
        r"(?:^|[,;:.!?–-] ?|\b(?:y|pero|porque) )(?:[Yy]o )?(?P<rest>(?:[Yy]a no |[Nn]o )?(?:\w+[oé]\b|[Mm]e |[Nn]os |\w+mos\b|[Hh]e |[Ss]oy|[Vv]oy|[Dd]oy|[Ee]stoy).*)"
    )
    other = re.compile(
        rf"(?:^|[,;:.!?–-] ?|\b(?:y|pero) )(?:(?:mi|Mi) (?P<kin>[\wíóéá]+) )?(?P<name>{NAME}) (?P<rest>.+)"
    )
    named = re.compile(
        rf"\b(?:[Mm]i|[Nn]uestr[oa]) (?P<kin>[\wíóéá]+)(?: se llama | es |,? )(?P<name>(?:{_TITLE})?{NAME})"
    )
    attribute = re.compile(
        r"\b[Mm]i (?:nuevo |nueva )?(?P<attribute>[\wíóéá]+(?: favorit[oa]| de zapato)?) es (?:ahora )?(?P<rest>.+)"
    )
    relative = re.compile(
        r"(?:^|[,;:.!?–-] ?|\b(?:y|pero) )(?:[Mm]is?|[Nn]uestr[oa]s?) (?P<kin>[\wíóéá]+) (?P<rest>[a-záéíóú].*)"
    )
    yield from _claims(
        text, scene, first, other, named, attribute, _SPANISH, SPANISH_KIN, SPANISH, relative, foreign_open.spanish
    )


def _claims(
    text: str, scene: Scene, first: re.Pattern[str], other: re.Pattern[str], named: re.Pattern[str],
    attribute: re.Pattern[str], verbs: list[_Verb], kin: dict[str, str], attributes: dict[str, str],
    relative: re.Pattern[str], opened: Callable[[str], Open | None],
) -> Iterator[Claim]:  # fmt: skip
    if _UNREAL.search(text):
        return
    bond = named.search(text)
    if bond is not None and bond["kin"].lower() in kin:
        predicate = kin[bond["kin"].lower()]
        name = re.sub(_TITLE, "", bond["name"]) if re.match(_TITLE, bond["name"]) else bond["name"].split()[0]
        scene.meet(name)
        scene.kin[scene.speaker, predicate] = name
        scene.last = name
        yield Claim(scene.speaker, "person", predicate, name, "person")
    for match in other.finditer(text):
        name = match["name"].split()[0]
        if scene.person(name) is not None or (match["kin"] or "").lower() in kin:
            yield from _of(scene.person(name) or name, match["rest"], text, scene, verbs)
    for match in relative.finditer(text):
        if match["kin"].lower() in kin or match["kin"] in _MANY:
            sort = kin.get(match["kin"].lower(), match["kin"].lower())
            who = scene.kin.get((scene.speaker, sort)) or scene.relative(scene.speaker, sort)
            yield from map(scene.of_relative, _of_any(who, match["rest"], text, scene, verbs, opened))
        elif (slot := opened(match["rest"])) is not None and re.search(r"\d", slot[1]) and not in_jest(scene.text):
            yield Claim(scene.speaker, "person", f"{match['kin'].lower()}_{slot[0]}", slot[1])
    for match in first.finditer(text):
        rest = match["rest"]
        yield from _of_any(scene.speaker, rest[:1].lower() + rest[1:], text, scene, verbs, opened)
    yield from _of_things(text, scene, attributes)
    is_ = attribute.search(text)
    if is_ is not None:
        listed = attributes.get(is_["attribute"].lower())
        value = re.sub(r"^(?:[a-zéèíó]+ )(?=[A-Z])", "", _until(is_["rest"]))
        if listed and value and (value[:1].isupper() or value[:1].isdigit() or listed.startswith("favourite")):
            yield Claim(scene.speaker, "person", listed, value)


def _of_things(text: str, scene: Scene, attributes: dict[str, str]) -> Iterator[Claim]:
    """The figure of a thing, its day, where it runs; an animal with its name; one tool in place of another."""
    pet, replaced, runs = _HAS_PET.search(text), _REPLACED.search(text), _RUNS.match(text)
    for match, predicate in ((_MEASURED.match(text), "value"), (_DATED.match(text), "date")):
        if match is not None and not _PRONOUNS & set(match["thing"].lower().split()):
            mine = match.group().lower().startswith(("mon ", "ma ", "mi "))
            thing = match["thing"].strip()
            named = attributes.get(thing.lower())
            if mine or named:
                yield Claim(scene.speaker, "person", named or thing.lower().replace(" ", "_"), match["value"].strip())
            else:
                yield Claim(thing, "topic", predicate, match["value"].strip())
    several, made = _CHILDREN.search(text), _MADE_IN.match(text)
    for name in re.split(r", | et | y ", several["names"]) if several is not None else ():
        yield Claim(scene.speaker, "person", "child", name, "person")
    if made is not None:
        yield Claim(made["thing"], "topic", "built_with", made["value"])
    if pet is not None:
        name = (pet["name"] or pet["called"]).split()[0]
        yield Claim(scene.speaker, "person", "pet", name, "person")
    if replaced is not None:
        yield Claim(scene.speaker, "person", "uses", replaced["old"] or replaced["gone"], None, True)
        yield Claim(scene.speaker, "person", "uses", replaced["new"] or replaced["fresh"])
    if runs is not None and not is_place(runs["value"]) and scene.person(runs["value"]) is None:
        yield Claim(runs["thing"], "topic", "runs_on", runs["value"])


_MANY = frozenset(["enfants", "parents", "hijos", "padres", "abuelos", "jumeaux", "mellizos"])
#: "ne mange que du thon", "solo come atún": only
_ONLY = lazy(
    r"^(?:(?:ne |n')?(?P<verb>[\wéèê]+) qu(?:e |')(?=du |de |des |le |la |les )|(?:solo|sólo|solamente|siempre) )"
)
_DENIED = lazy(r"\b(?:ne|n'|pas|plus|jamais|no|nunca|jamás)\b")
_PRONOUNS = frozenset(
    ["ce", "cela", "ça", "il", "elle", "eso", "esto", "él", "ella", "que", "qui", "première", "primera"]
)


def _of_any(
    who: str, rest: str, text: str, scene: Scene, verbs: list[_Verb], opened: Callable[[str], Open | None]
) -> Iterator[Claim]:
    """What a clause states by a rule, else in a slot of its own."""
    rest = _ONLY.sub(lambda only: f"{only['verb']} " if only["verb"] else "", rest)
    found = list(_of(who, rest, text, scene, verbs))
    yield from found
    if not found and not in_jest(scene.text):
        denied = _DENIED.search(re.split("[,;]", rest)[0]) is not None
        slot = foreign_open.lacks(rest) if denied else opened(rest)
        if slot is not None:
            yield Claim(who, "person", *slot)


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
