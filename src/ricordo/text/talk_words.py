"""How people ask for a conversation by its time: talking, "last time", "first", "in which order". English, German,
French and Spanish, as words and patterns on folded text. No rule is here."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The asker, alone or with others, and who is asked.
ASKER = _words(
    """
    comente compre conte dich dije dir du euch fui hable hice i ich j je ma me mein meine meinem meinen meiner
    meines mencione mes mi mich mir mis moi mon my nos nosotras nosotros notre nous nuestra nuestras nuestro
    nuestros our pregunte te toi tu uns unser unsere unserem unseren unserer unseres us vi visite vous we wir yo
    you
    """
)
#: Endings by which a Spanish verb says "we".
WE = ("amos", "imos")
#: Somebody else.
OTHERS = _words("ella ellas elle elles ellos er he her him his ihm ihn il ils she their they")
#: Talking.
TALKED = _words(
    """
    angesprochen ask asked asking bavarde besprochen bring brought catch caught charla charlado charlamos
    charlas chat chats chatted chatting comentamos comente contado conte conversacion conversaciones conversado
    conversamos conversation conversations cover covered demande demandee dicho dije dijimos discuss discussed
    discussing discussion discussions discute discutido discutimos diskutiert dit dite erwahnt erzahlt erzahlte
    erzahlten evoque gefragt geplaudert geredet gesagt gesprach gesprache gesprachen gesprachs gesprochen
    hablabamos hablado hablamos hable mencionado mencione mention mentioned mentionne mentionnee message
    messaged messages parlames parle parlions preguntado pregunte raconte redeten said say saying speak speaking
    spoke spoken sprachen talk talked talking talks tell telling told unterhalten unterhaltung unterhaltungen
    unterhielten
    """
)
#: Words of the phrases below. A question that has none of them, and does not speak of talking, is of another kind.
OF_ORDER = _words(
    """
    anfang beginning chronological chronologically chronologiquement chronologisch cronologicamente cronologico
    debut dernier derniere dernierement derniers erste ersten erster erstes first jungst kurzem kurzlich last
    lately latest letzte letzten letztens letzter letztes neulich orden order ordre other otro poco premier
    premiere previous primer primera primero principio recemment recent recently recientemente reihe reihenfolge
    sequence ultima ultimamente ultimo zeit zeitlich zuerst zuletzt
    """
)
#: How an answer is asked for.
PLEASE = (
    r"(?:(?:hi|hey|hello|ok|okay|so|and|now|please|bitte|s'il te plait|por favor),? )*(?:(?:can|could|would|"
    r"will) you (?:please )?)?"
    r"(?:(?:kannst|konntest) du (?:mir )?(?:bitte )?)?(?:(?:tell|show|give|ask) me|say|sag mir|erzahl(?:e)? mir|"
    r"dis-moi|dime)"
)
#: What only the asker said.
OWN = (
    r"(?:did|have|had) i|i (?:first |last |ever )?(?:ask|asked|tell|told|say|said|mention|mentioned|brought)|"
    r"habe? ich|"
    r"ich (?:dich|dir|euch)|j'ai|je t'ai|je vous ai|ai je|ai-je|dije|conte|pregunte|mencione|comente"
)
#: The one conversation that was last.
LATEST = (
    r"last (?:time|conversations?|chat|talk|discussion|session|meeting)|previous (?:conversation|chat|talk|"
    r"discussion|session)|"
    r"(?:did|have|were) (?:i|we|you and i) last|(?:i|we) last|most recent (?:conversation|chat|discussion)|"
    r"(?:das )?letzte[ns]? (?:mal|gesprach|unterhaltung|sitzung)|letztens|zuletzt|vorige[ns]? (?:mal|gesprach|"
    r"unterhaltung)|"
    r"(?:la )?derniere (?:fois|conversation|discussion)|(?:la |por )?ultima (?:vez|conversacion|charla)"
)
#: What was said last, of all.
LAST_SAID = (
    r"last (?:things?|question|topic|subject|message)|als letztes|(?:das )?letzte(?=,? (?:was|wonach|woruber)\b)|"
    r"letzte[ns]? (?:frage|thema|nachricht)|"
    r"(?:la )?derniere (?:chose|question)|dernier sujet|en dernier|lo ultimo|ultim[oa] (?:cosa|pregunta|tema|mensaje)"
)
#: The conversations before now, of no particular time.
RECENT = (
    r"recently|lately|the other day|of late|most recently|neulich|kurzlich|in letzter zeit|jungst|vor kurzem|"
    r"recemment|dernierement|ces derniers temps|ultimamente|recientemente|hace poco|el otro dia"
)
#: What was said first.
FIRST = (
    r"(?:the )?(?:very )?first (?:things?(?! (?:in|on|tomorrow)\b)|question|time|topic|subject|message|"
    r"conversation|chat)|"
    r"(?:did|have) (?:i|we) (?:ever )?first|(?:i|we) first|first(?= about\b| of all\b|\W*$| (?:yesterday|today|"
    r"this|last|on|in)\b)|at the (?:very )?beginning|"
    r"zuerst|als erste[sr]?|(?:das )?erste(?=,? (?:was|wonach|woruber|mal)\b)|erste[ns]? (?:mal|frage|thema|gesprach|"
    r"nachricht|unterhaltung)|ganz am anfang|am anfang|"
    r"(?:la )?premiere (?:fois|chose|question|conversation)|premier sujet|en premier|d'abord|au (?:tout )?debut|"
    r"lo primero|primer[oa]? (?:vez|cosa|pregunta|tema|mensaje|conversacion)|primero(?=\W*$| sobre\b)|al principio"
)
#: What asks for an order of time.
ORDER = (
    r"(?:in )?(?:which|what) order|(?:the )?order (?:in which|that|i|we)|in chronological order|chronologically|"
    r"in (?:the )?order of (?:time|date)|in the order (?:i|we|that|in which)|in what sequence|"
    r"(?:in )?welcher reihenfolge|der reihenfolge nach|in der reihenfolge|der reihe nach|chronologisch|"
    r"zeitlich geordnet|"
    r"(?:dans )?quel ordre|par ordre chronologique|dans l'ordre|chronologiquement|"
    r"(?:en )?que orden|en orden|por orden(?: cronologico)?|orden cronologico|cronologicamente"
)
#: What does so at the end, where something is to be told: a passport may be in order too.
IN_ORDER = r"[ ,]+in order(?=\W*$)"
#: What is to be told is asked for by these.
LIST = r"list|tell|name|give|show|put|recount|walk"
#: Words of such questions that name no topic, beside function words and times.
ASIDE = _words(
    """
    a abord again al all als anfang avec avions bei both bring brought catch caught ces chatting chronological
    con cosa cover covered cual debut dernierement dich dir dont durante during earlier era erinnerst erste
    ersten erster erstes es estado estuvimos etait ever fasse first fois frage fragen fue ganz ging hablando ich
    jungst kind kurzem kurzlich late lately latest letztens letzter list lo lors mal matters meeting mensaje
    message messages mit most nachricht neulich noch nos nosotros notre nuestra nuestro other otro over par
    parlait poco por pour pregunta premier premiere primer primera primero principio quel quelle quelles quels
    question questions quoi rappelle recall recap recemment recent recently recientemente recuerdas remember
    resume resumen session show sitzung sobre souviens stuff subject subjects sujet sujets sum summarise
    summarize summary talks te tema temas temps thema themen time together toi topic topics tout uber
    ultimamente unser unsere unserem unserer very vez was weisst welche welchen welcher welches with woran
    woruber worum wovon zeit zuerst zuletzt zusammen zusammenfassung
    """
)
