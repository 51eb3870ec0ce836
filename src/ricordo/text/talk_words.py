"""How people ask for a conversation by its time: talking, "last time", "first", "in which order". English, German,
French and Spanish, as patterns on folded text. No rule is here."""

from __future__ import annotations

#: The asker, alone or with others, and who is asked. Spanish has them in the verb.
ASKER = (
    r"i|we|me|us|my|our|you|du|dich|dir|euch|tu|te|vous|toi|ich|wir|mir|mich|uns|mein\w*|unser\w*|je|j|nous|moi|"
    r"mon|ma|mes|notre|nos|yo|nosotros|nosotras|mi|mis|"
    r"nuestr\w+|\w+[ai]mos|dije|conte|pregunte|mencione|hable|comente|visite|hice|fui|compre|vi"
)
#: Somebody else; "il y a" tells a time.
OTHERS = r"he|she|they|him|her|his|their|er|ihn|ihm|il(?! y a\b)|elle|ils|elles|ella|ellos|ellas"
#: Talking, in words.
TALKED = (
    # English
    r"talk(?:ed|ing)?|sp[eo]ak(?:ing)?|spoke|spoken|chat(?:s|ted|ting)?|discuss(?:ed|ing)?|say|said|saying|tell|"
    r"told|telling|"
    r"ask|asked|asking|mention(?:ed)?|conversations?|discussions?|message[ds]?|bring up|brought up|bring it up|"
    r"go over|went over|cover(?:ed)?|catch up|caught up|"
    # German
    r"gesprochen|sprachen|geredet|redeten|unterhalten|unterhielten|besprochen|diskutiert|gesagt|erzahlt\w*|"
    r"gefragt|erwahnt|"
    r"angesprochen|gesprach\w*|unterhaltung(?:en)?|geplaudert|"
    # French
    r"parle|parlions|parlames|discute|dit|raconte|dite|demandee?|evoque|mentionnee?|bavarde|conversation|discussion|"
    # Spanish
    r"hablamos|hablabamos|hable|hablado|dijimos|dije|dicho|conte|contado|pregunte|preguntado|discutimos|discutido|"
    r"conversamos|"
    r"conversado|conversacion(?:es)?|charlamos|charlado|charlas?|comentamos|comente|mencione|mencionado"
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
    r"in (?:the )?order of (?:time|date)|in the order (?:i|we|that|in which)|(?:list|tell|name|give|show|put|"
    r"recount|walk)\b[^.?!]*\bin order(?=[?.!,]*$|[.?!,] )|in what sequence|"
    r"(?:in )?welcher reihenfolge|der reihenfolge nach|in der reihenfolge|der reihe nach|chronologisch|"
    r"zeitlich geordnet|"
    r"(?:dans )?quel ordre|par ordre chronologique|dans l'ordre|chronologiquement|"
    r"(?:en )?que orden|en orden|por orden(?: cronologico)?|orden cronologico|cronologicamente"
)
#: Words of such questions that name no topic, beside function words and times.
ASIDE = frozenset(
    [
        "remember", "recall", "again", "ever", "very", "most", "recent", "recently", "lately", "late",
        "latest", "other", "first", "chronological", "topic", "topics", "subject", "subjects", "matters",
        "kind", "stuff", "summary", "summarize", "summarise", "recap", "sum", "list", "show", "all", "both",
        "together", "with", "during", "earlier", "session", "meeting", "time", "question", "questions",
        "message", "messages", "bring", "brought", "over", "catch", "caught", "cover", "covered", "talks",
        "chatting", "ich", "woruber", "woran", "worum", "wovon", "uber", "was", "welche", "welches",
        "welcher", "welchen", "themen", "thema", "frage", "fragen", "dich", "dir", "mal", "zuletzt",
        "neulich", "kurzlich", "jungst", "kurzem", "zeit", "letzter", "letztens", "zuerst", "erste",
        "erstes", "ersten", "erster", "als", "ganz", "anfang", "ging", "es", "bei", "unserem", "unserer",
        "unser", "unsere", "mit", "noch", "weisst", "erinnerst", "zusammen", "fasse", "zusammenfassung",
        "nachricht", "sitzung", "avec", "avions", "parlait", "recemment", "dernierement", "ces", "temps",
        "fois", "premiere", "premier", "abord", "debut", "tout", "pour", "par", "sujet", "sujets", "notre",
        "nos", "etait", "quelle", "quel", "quels", "quelles", "quoi", "te", "toi", "lors", "resume",
        "rappelle", "souviens", "dont", "sobre", "ultimamente", "recientemente", "poco", "otro", "vez",
        "por", "lo", "primero", "primera", "primer", "cosa", "pregunta", "tema", "temas", "cual", "fue",
        "era", "nuestra", "nuestro", "principio", "nosotros", "resumen", "recuerdas", "mensaje", "con", "a",
        "al", "durante", "estuvimos", "hablando", "estado",
    ]
)  # fmt: skip
