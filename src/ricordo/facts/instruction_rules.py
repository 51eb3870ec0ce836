"""The words by which people give standing instructions, as patterns on folded text without accents.

A sentence counts where it addresses the assistant (an imperative, "I want you to …") and lasts ("always", "from now
on", "whenever I ask …"). Each language has its own patterns.
"""

from __future__ import annotations

from ricordo.text import lazy
from ricordo.text.english import word_set

#: What assistants are told to do, in English.
_VERBS = (
    r"(?:show|use|include|provide|give|answer|reply|respond|write|explain|format|cite|list|call|tell|ask|keep|make|"
    r"start|end|begin|finish|add|put|mention|avoid|highlight|maintain|tailor|report|remind|check|convert|round|"
    r"translate|"
    r"speak|address|send|text|message|email|phone|ring|wake|disturb|interrupt|suggest|recommend|propose|offer|assume|"
    r"default|prefer|prioriti[sz]e|emphasi[sz]e|focus|structure|organi[sz]e|summari[sz]e|specify|state|say|name|"
    r"quote|"
    r"link|reference|refer|share|describe|present|display|draw|illustrate|compare|break|outline|spell|sign|attach|"
    r"confirm|"
    r"verify|double-check|double check|test|run|commit|push|delete|touch|change|edit|overwrite|create|generate|"
    r"return|print|"
    r"output|number|label|order|sort|capitali[sz]e|follow|stick|adhere|consider|account|skip|leave|omit|stop|limit|"
    r"be|"
    r"schedule|book|plan|order|pick|choose|select|document|comment|apply|ensure|calculate|compute|measure|quantify|"
    r"estimate|note|flag|warn|apologi[sz]e|correct|switch|talk|charge|track|log|record|save|store|"
    r"remember|treat|respect|notify|alert|contact|discuss|help|teach|guide|justify|clarify|simplify|"
    r"rewrite|review|read|point|open|close|accept|decline|cancel|search)"
)
#: What never follows "always" or "never" in an imperative: remarks and diary style, which leave out "I am" or "I".
_REMARKS = (
    r"(?!be\b(?! (?:polite|brief|concise|honest|direct|specific|formal|blunt|careful|kind|clear|precise|explicit|"
    r"critical|"
    r"friendly|casual|short))|make (?:it|me|sure i)\b|(?:give) (?:up|in)\b|say never\b|stop \w+ing\b)"
)
_LASTS = (
    r"(?:from (?:now|here|today|this point|this moment) (?:on|onwards?|forwards?)|going forwards?|moving forwards?|"
    r"in "
    r"(?:the )?future|henceforth|from today|as a (?:general )?rule|by default|at all times|every (?:single )?time|"
    r"each "
    r"time|any ?time|whenever|always|never|ever again|in (?:every|each|all) (?:of )?(?:your )?(?:answers?|repl(?:y|"
    r"ies)|"
    r"responses?|messages?)|unless i (?:ask|say|tell|request|want)|when(?:ever)? i (?:ask|request|mention|want|"
    r"need|say)|"
    r"if i (?:ask|request|mention))"
)
_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|suggestions?|outputs?)"
_NOT = r"(?:don't|do not|dont|never|stop)"
_POLITE = r"(?:please,? |kindly |just |only |always |never |also |do not |don't |dont )*"
_YOU = (
    r"(?:i(?:'d| would)? (?:really )?(?:want|need|like|love|prefer|expect|appreciate)(?: it)?(?: if)? you(?: to)? |"
    r"you "
    r"(?:should|must|need to|have to|can|may) |i(?:'d| would) (?:rather|prefer)(?: that| it if)? you |let's )?"
)

#: What may stand before an instruction.
LEAD = lazy(
    r"^(?:(?:please|ok|okay|so|and|also|but|hey|hi|hello|btw|by the way|note|note that|one more thing|just|remember"
    r"(?: to| that|:)?|make sure(?: to| that you| you)?|be sure to|try to|kindly|important|for the record|next "
    r"time and|"
    r"bitte|also|und|ok|ach ja|ubrigens|denk dran|merk dir|wichtig|hallo|aber|"
    r"s'il te plait|s'il vous plait|stp|svp|merci de|et|alors|au fait|important|souviens-toi|n'oublie pas|mais|"
    r"por favor|y|pues|oye|por cierto|importante|recuerda|hola|pero)\b[,:;.!]? ?(?:- ?)?)+"
)
#: What introduces a list of instructions.
INTRODUCED = lazy(
    r"from now on|going forward|in (?:the )?future|remember|(?:rules|instructions|guidelines|preferences) for "
    r"(?:you|your|our)|"
    r"how (?:to|i want you to|you should) (?:answer|reply|respond|behave)|my (?:rules|preferences|instructions)|"
    r"ab jetzt|von nun an|ab sofort|kunftig|in zukunft|merk dir|meine regeln|regeln fur dich|"
    r"a partir de maintenant|desormais|dorenavant|mes (?:regles|preferences)|"
    r"a partir de ahora|de ahora en adelante|mis (?:reglas|preferencias)|recuerda"
)
#: What hands over a text to work on, which follows on the next lines: "Summarize this email".
HANDED_OVER = lazy(
    r"\b(?:(?:this|these|the following|here(?:'s| is| are)(?: the| an?| my| our)?|(?:got|received) (?:this|an?)|"
    r"diese\w*|folgende\w*|hier (?:ist|sind)(?: \w+)?|cet?|cette|ces|voici(?: \w+)?|est[eao]s?|"
    r"aqui (?:esta|estan|tienes)(?: \w+)?) (?:\w+ ){0,2}"
    r"(?:e-?mails?|mails?|letters?|messages?|texts?|articles?|posts?|pages?|paragraphs?|documents?|docs?|readme|files?|"
    r"logs?|outputs?|errors?|transcripts?|threads?|chats?|code|scripts?|prompts?|reviews?|contracts?|instructions|rules|"
    r"nachricht\w*|brief\w*|artikel\w*|seiten?|absatz\w*|dokument\w*|datei\w*|ausgaben?|fehler\w*|"
    r"texte?s?|lettres?|courriels?|fichiers?|erreurs?|cartas?|correos?|mensajes?|textos?|articulos?|archivos?)|"
    r"below|unten|ci-dessous|abajo)\b[^\n]{0,80}\n"
)
#: What makes a sentence no instruction of the speaker's to the assistant: reported, of somebody else, in jest.
NOT_MEANT = lazy(
    r"\b(?:(?:he|she|they|who|boss|mom|mum|dad|teacher|wife|husband|doctor|coach|people|everyone|someone|grandma|"
    r"grandpa|manager|motto|saying|rule) (?:always )?(?:said|says|say|told|tells|used to say|taught|insists?|is|"
    r"was)|as the "
    r"saying goes|used to say|(?:said|told me|according to|quote|unquote)\b|sarcas\w*|just kidding|kidding|joking|"
    r"jk|lol|"
    r"haha\w*|yeah right|never mind|nevermind|never ever trust|what could go wrong|great idea|"
    r"hat (?:er|sie|mein\w*|\w+) (?:immer )?gesagt|sagt(?:e)? (?:er|sie|mein\w*)|(?:mein\w*|unser\w*) \w+ (?:sagt|"
    r"sagte|meint|"
    r"meinte)|haha|witz|scherz|egal|"
    r"(?:il|elle|on|mon \w+|ma \w+) (?:me )?(?:dit|disait|a dit|repete)|disait|je plaisante|mdr|"
    r"(?:mi|su) \w+ (?:me )?(?:dice|decia|dijo)|(?:decia|dijo|dice) (?:mi|que)|es broma|jaja\w*)\b|/s\b|^i don't "
    r"want you to always"
)

GIVEN = [
    lazy(each)
    for each in (
        # "Always show units"; with "when I ask about …" whatever the verb
        rf"(?:please )?(?:always|never|don't ever|do not ever)(?: please)? {_REMARKS}(?:\w+ly )?{_VERBS}\b(?!,)",
        r"(?:always|never|don't|do not|please) \w+.{0,200}\bwhen(?:ever)? i (?:ask|request|inquire|talk|mention|"
        r"bring up)\b",
        # "From now on, answer in German"
        rf"{_LASTS},? {_POLITE}{_YOU}{_POLITE}{_REMARKS}(?:{_VERBS}|no)\b(?! (?:i|we|my)\b)",
        # "From now on if a quest involves combat please tell me"
        rf"(?:from now on|going forward|in (?:the )?future),? (?:if|when(?:ever)?) .{{2,100}}?,? (?:please|always|"
        rf"never) (?:stop and )?{_VERBS}\b",
        # "Answer in German from now on", "Don't use emojis, ever again"
        rf"{_POLITE}(?:{_NOT} )?(?:(?:always|never) )?{_VERBS}\b(?:ing)?.{{0,200}}\b(?:from (?:now|here|this point) "
        r"(?:on|onwards?|forwards?)|going forwards?|moving forwards?|in (?:the )?future|henceforth|by default|at "
        r"all times|ever again|"
        r"(?:every|each|any) ?time i|when(?:ever)? i (?:ask|request|mention)|unless i (?:ask|say|tell|request|"
        r"want)|if i (?:ask|request))\b",
        r"no \w+(?: \w+)?(?: please)?,? (?:from now on|going forward|in (?:the )?future|in (?:your|any|all|"
        rf"every)\b.{{0,20}}{_ANSWERS})",
        # "When I ask about taxes, always …", "Whenever you write code, …"
        r"(?:when(?:ever)?|if|every time|each time|any ?time) (?:i (?:ask|say|mention|talk|request|want|need|send|"
        r"share|paste|write|"
        r"bring up|inquire)|you (?:answer|reply|respond|write|give|explain|suggest|recommend|show|make|generate|"
        r"create|"
        rf"summari[sz]e|propose|code|list|tell|talk|speak|draft|send))\b.{{0,160}}?, ?(?:then "
        rf")?{_POLITE}{_YOU}{_POLITE}{_VERBS}\b",
        # "For code examples, always use Python"
        rf"(?:for|in|with|on|regarding|about|when it comes to|as for) [^,.:]{{2,80}}, ?(?:please )?(?:always|"
        rf"never) {_REMARKS}{_VERBS}\b",
        # "I'd rather you kept it simple", "I want you to always …"
        r"i(?:'d| would) (?:much |really )?(?:rather|prefer(?: it)?(?: if| that)?) you (?!come|came|were here|"
        r"had\b|hadn't|stay|stayed|tell|told "
        r"me (?:now|what))(?:would |could |to |not |didn't |don't |always |never )?\w+",
        rf"i(?:'d| would)? (?:really )?(?:want|need|like|love|prefer|expect) you to .{{0,30}}?\b{_LASTS}\b",
        r"i(?:'d| would)? (?:really )?(?:want|need|like|love|prefer|expect) you to "
        rf"{_VERBS}\b.{{0,160}}\b{_LASTS}\b",
        rf"you (?:should|must|need to|have to|are to) (?:always|never) {_REMARKS}{_VERBS}\b.{{0,120}}\b(?:me|my|i|"
        rf"your {_ANSWERS})\b",
        # "Keep your answers short", "Don't use emojis in your answers"
        rf"(?:{_NOT} )?(?:please )?(?:keep|make|write|format|structure|limit|end|start|begin|sign|number)(?:ing)? "
        rf"(?:all )?(?:of )?your {_ANSWERS}\b",
        rf"(?:{_NOT} )?{_VERBS}(?:ing)? .{{0,80}}\b(?:in|with|to) (?:all |any |every )?(?:of )?your "
        rf"{_ANSWERS}\b(?! to (?:this|that))",
        rf"your {_ANSWERS} (?:should|must|need to|have to) ",
        r"i(?:'d)? (?:always |generally |really )?(?:prefer|like|want) (?:(?:my|your|all) )?(?:\w+,? (?:and "
        r")?){0,3}(?:answers|replies|responses|explanations)\b"
        r"(?! (?:i|we|that i)\b)",
        # German
        r"(?:(?:wenn|sobald|immer wenn|jedes mal wenn|falls) ich .{2,160}?(?:frage|bitte|erwahne|spreche|rede|"
        r"schreibe|will|mochte|"
        r"brauche|schicke), ?(?:dann )?(?:bitte )?(?:\w+))",
        r"(?:antworte|zeige?|nenne?|gib|schreibe?|verwende|benutze?|nutze|erklare?|rufe?|frage?|halte?|mache?|fuge|"
        r"rede|sprich|sage? mir|lass|"
        r"vermeide|erinnere|duze|sieze|nimm|formatiere|liste|rechne|runde|ubersetze|beginne?|beende|bleibe?|achte|"
        r"stelle?|schicke?|"
        r"weise?|denke?|sei|store|wecke?|antworten sie|zeigen sie|nennen sie|geben sie|schreiben sie|verwenden sie|"
        r"benutzen sie|rufen sie|"
        r"erklaren sie|sprechen sie)\b.{0,160}?\b(?:immer|stets|nie|niemals|nie wieder|nie mehr|ab jetzt|ab sofort|"
        r"ab heute|von (?:nun|jetzt) "
        r"an|kunftig|zukunftig|in zukunft|grundsatzlich|jedes mal|keine?n? \w+ mehr|nicht mehr|wenn ich)\b",
        r"(?:immer|stets|nie|niemals|ab jetzt|ab sofort|von (?:nun|jetzt) an|kunftig|zukunftig|in zukunft|"
        r"grundsatzlich),?(?: bitte)?(?: immer"
        r"| nur| nie| nur noch| keine?n?| kein)* (?:\S+ ){0,8}(?:antworten|zeigen|angeben|nennen|geben|schreiben|"
        r"verwenden|benutzen|nutzen|erklaren|"
        r"anrufen|fragen|halten|machen|hinzufugen|reden|sprechen|sagen|vermeiden|erinnern|duzen|siezen|nehmen|"
        r"formatieren|"
        r"auflisten|runden|ubersetzen|beginnen|schicken|zitieren|storen|wecken|auf \w+)$",
        r"(?:ab jetzt|ab sofort|von (?:nun|jetzt) an|kunftig|zukunftig|in zukunft)(?: bitte)? (?:antworte|zeige?|"
        r"nenne?|gib|schreibe?|verwende|"
        r"benutze?|erklare?|rufe?|frage?|halte?|mache?|rede|sprich|sage?|vermeide|duze|sieze|nimm|auf \w+)\b",
        r"(?:mir ware (?:es )?lieber|ich fande es besser|ich hatte (?:es )?lieber|ich hatte gern),? (?:(?:wenn|"
        r"dass) )?du\b",
        r"ich (?:mochte|will|wunsche mir),? dass du .{0,80}\b(?:immer|stets|nie|niemals|ab jetzt|ab sofort|von nun "
        r"an|kunftig|in zukunft)\b",
        r"halte? (?:deine|ihre) (?:antworten|erklarungen)\b",
        # French
        r"(?:reponds|repondez|ecris|ecrivez|utilise|utilisez|montre|montrez|donne|donnez|explique|expliquez|"
        r"appelle|appelez|indique|"
        r"indiquez|affiche|affichez|cite|citez|parle|parlez|garde|gardez|fais|faites|ajoute|ajoutez|evite|evitez|"
        r"sois|soyez|"
        r"mets|mettez|tutoie|tutoyez|vouvoie|vouvoyez|precise|precisez|propose|proposez|rappelle|commence|termine|"
        r"pose)(?:-\w+)?\b.{0,160}?\b(?:"
        r"toujours|desormais|dorenavant|a partir de maintenant|a l'avenir|systematiquement|a chaque fois|par "
        r"defaut|quand je|lorsque je)\b",
        r"(?:desormais|dorenavant|a partir de maintenant|a l'avenir|toujours),? (?:reponds|repondez|ecris|utilise|"
        r"utilisez|montre|donne|explique|"
        r"appelle|indique|affiche|cite|parle|parlez|garde|fais|faites|ajoute|evite|sois|mets|tutoie|vouvoie|"
        r"precise|propose|"
        r"repondre|ecrire|utiliser|montrer|donner|expliquer|indiquer|afficher|citer|ajouter|je (?:veux|voudrais|"
        r"prefererais) que tu)\b",
        r"ne? ?(?:m'|me |te |t'|lui )?(?:appelle|appelez|utilise|utilisez|reponds|ecris|donne|montre|parle|fais|"
        r"mets|propose|ajoute|derange|"
        r"derangez|rappelle|pose)s?(?:-\w+)? (?:plus jamais|jamais|plus)\b",
        r"n'(?:appelle|utilise|utilisez|ecris|ecrivez|ajoute|ajoutez|affiche|emploie)s?(?:-\w+)? (?:plus jamais|"
        r"jamais|plus)\b",
        r"(?:quand|lorsque|chaque fois que|si) je .{2,160}?, ?(?:toujours )?(?:reponds|ecris|utilise|montre|donne|"
        r"explique|indique|affiche|cite|"
        r"parle|garde|fais|ajoute|evite|sois|mets|precise|propose|commence|termine|n'|ne )",
        r"je (?:prefererais|prefere|voudrais|veux|souhaite|souhaiterais|aimerais mieux) que (?:tu|vous) (?:me |m'|"
        r"ne |n')?\w+",
        # Spanish
        r"(?:responde|respondeme|contesta|contestame|escribe|usa|utiliza|muestra|muestrame|da|dame|explica|"
        r"explicame|llamame|indica|cita|"
        r"habla|hablame|manten|haz|anade|agrega|evita|se|pon|tutea|tuteame|incluye|propon|recuerdame|empieza|"
        r"termina)\b.{0,160}?\b(?:siempre|"
        r"nunca|a partir de ahora|de ahora en adelante|en adelante|en el futuro|cada vez|por defecto|cuando (?:te "
        r")?pregunte|cuando yo)\b",
        r"(?:siempre|nunca|a partir de ahora|de ahora en adelante|en adelante),? (?:siempre |nunca |no |me |por "
        r"favor |quiero que )*(?:responde(?:me)?|respondas|contesta|"
        r"contestes|escribe|escribas|usa|uses|utiliza|utilices|muestra|muestres|muestrame|da|dame|des|explica|"
        r"expliques|llames|llamame|indica|indiques|"
        r"cita|cites|habla|hables|manten|mantengas|haz|hagas|anade|agrega|evita|evites|pon|pongas|tutea|tuteame|"
        r"incluye|incluyas|mostrar|usar|"
        r"responder|incluir|molestes)\b",
        r"no (?:me )?(?:llames|uses|utilices|respondas|contestes|escribas|muestres|des|hables|pongas|incluyas|"
        r"molestes) (?:.{0,100}\b)?(?:nunca|jamas|mas|nunca mas)\b",
        r"(?:cuando|si|cada vez que) (?:yo )?(?:te )?(?:pregunte|pido|pida|hable|mencione|quiera|necesite|"
        r"escriba)\b.{0,160}?, ?(?:siempre |nunca |por favor |no )*"
        r"(?:responde|contesta|escribe|usa|utiliza|muestra|muestrame|da|dame|explica|indica|cita|habla|haz|anade|"
        r"agrega|evita|pon|incluye|me |uses)\b",
        r"(?:prefiero|preferiria|quiero|quisiera|me gustaria) que (?:siempre |nunca |no )?(?:me |lo )?(?:respondas|"
        r"contestes|escribas|uses|utilices|muestres|"
        r"des|expliques|llames|indiques|cites|hables|mantengas|hagas|anadas|evites|pongas|tutees|incluyas)\b",
    )
]  # fmt: skip
#: The same as a question.
ASKED = lazy(
    rf"(?:can|could|would|will) you (?:please |kindly )?(?:(?:always|never|from now on,?) {_REMARKS}{_VERBS}\b|"
    rf"{_VERBS}\b.{{0,160}}\b(?:from (?:now|here|this "
    rf"point) (?:on|onwards?|forwards?)|going forwards?|in (?:the )?future|by default|every time i|whenever i)\b)|"
    r"(?:kannst|konntest|wurdest) du (?:bitte )?.{0,120}?\b(?:immer|ab jetzt|ab sofort|von (?:nun|jetzt) an|"
    r"kunftig|in zukunft|nie)\b|"
    r"(?:peux|pourrais|veux)-tu .{0,120}?\b(?:toujours|desormais|dorenavant|a partir de maintenant|a l'avenir)\b|"
    r"(?:puedes|podrias) .{0,120}?\b(?:siempre|a partir de ahora|de ahora en adelante|en el futuro)\b"
)  # fmt: skip
#: One that says what to do only by what stands around it, and means nothing later: "Keep to that from now on".
POINTS = lazy(
    r"(?:use|keep|stick|follow|take|do|go|note|remember|continue|stay|carry on)(?: (?:to|with|by|on))? "
    r"(?:this|that|these|those|it)\b|"
    r"(?:mach|benutze?|verwende|nimm)(?: bitte)? (?:das|diese\w*|es|so)\b|bleibe?(?: bitte)?(?: immer)? (?:dabei|so)\b|"
    r"(?:utilise|garde|fais|prends)(?: toujours)? (?:ca|cela|ceci|cette|cet|ce)\b|"
    r"(?:usa|utiliza|haz|sigue)(?: siempre)? (?:esto|eso|este|esta|ese|esa)\b"
)
#: That one no longer holds.
ENDED = lazy(
    r"you (?:no longer (?:need|have) to|(?:don't|do not) (?:need|have) to .{2,160}(?:any ?more|any longer|from now "
    r"on)|(?:can|may) stop \w+ing)\b|"
    r"(?:there's )?no (?:longer any )?need to .{2,160}(?:any ?more|any longer|from now on)\b|"
    r"du (?:musst|brauchst) .{0,160}\b(?:nicht|keine?n?(?: \w+){1,3}) mehr\b|(?:tu n'as|vous n'avez) plus besoin d|"
    r"ya no (?:hace falta que|necesitas|tienes que)\b"
)
_UNTIL = r"(?=$|[,.;:!]| (?:always|never|please|then|unless|and (?:always|never))\b)"
#: What says when an instruction applies.
SCOPES = [
    lazy(each)
    for each in (
        r"\b(?:when(?:ever)?|if|every time|each time|any ?time) (?:i|we)(?:'m| am)? (?:ask(?:ing)?|inquir(?:e|"
        r"ing)|talk(?:ing)?|speak(?:ing)?|request(?:ing)?|mention(?:ing)?|"
        r"want|need|say|send|share|paste|write|bring up)(?: you| me)?(?: (?:about|for|to|questions about|anything "
        rf"about|of))*(?P<scope> .+?){_UNTIL}",
        r"(?<!prefer )(?<!prefer it )(?<!rather )(?<!appreciate it )\b(?:when(?:ever)?|every time|if) "
        rf"you(?P<scope> .+?){_UNTIL}",
        r"^(?:for|in|on|regarding|about|when it comes to|as for) (?P<scope>[^,.:]{2,80}),",
        r"\bwhen (?:discussing|answering|explaining|writing|talking about|it comes to)(?P<scope> .+?)(?=$|[,.;:!])",
        r"\b(?:wenn|sobald|immer wenn|jedes mal wenn|falls) ich (?:dich |sie )?(?:nach |um |uber |von |etwas |zu "
        r")*(?P<scope>.+?) ?(?:frage|bitte|erwahne|spreche|rede|schreibe|will|mochte|brauche|schicke)\b",
        r"\b(?:quand|lorsque|chaque fois que|si) je (?:te |t'|vous )?(?:demande|parle|pose|ecris|mentionne|"
        r"veux)(?: des questions?| une question)?(?: (?:de|sur|d'|du|des|a propos de))*(?P<scope> .+?)(?=$|[,.;:!])",
        r"\b(?:cuando|si|cada vez que) (?:yo )?(?:te )?(?:pregunte|pido|pida|hable|mencione|quiera|necesite|"
        r"escriba)(?: (?:por|sobre|de|acerca de))*(?P<scope> .+?)(?=$|[,.;:!])",
    )
]  # fmt: skip
_LANGUAGES = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|arabic|"
    r"turkish|"
    r"swedish|deutsch|englisch|franzosisch|spanisch|italienisch|portugiesisch|polnisch|russisch|anglais|allemand|"
    r"francais|espagnol|"
    r"italien|portugais|ingles|aleman|frances|espanol|italiano|portugues)"
)
#: What an instruction settles, where one value holds at a time.
ASPECTS = {
    "language": lazy(
        r"\b(?:answer|reply|respond|speak|talk|write|antwort\w*|schreib\w*|sprich|sprechen|rede\w*|repond\w*|"
        r"ecri\w+|parle\w*|respond\w*|contest\w*|"
        rf"escrib\w*|habl\w*)\b.{{0,40}}\b(?:in|to|auf|en) {_LANGUAGES}\b|\b(?:auf|in) {_LANGUAGES} (?:antworten|"
        r"schreiben|sprechen)|"
        rf"\b(?:answers?|replies|responses) in {_LANGUAGES}\b|^(?:ab jetzt|from now on|ab sofort),? (?:auf|in|"
        rf"only) {_LANGUAGES}"
    ),
    "length": lazy(
        r"\b(?:short|brief|concise|long|detailed|in-depth) (?:and \w+ )?(?:answers|replies|responses|explanations)\b|"
        r"\b(?:short|shorter|brief|briefly|concise|concisely|succinct|lengthy|long|longer|detailed|in depth|in "
        r"detail|kurz\w*|knapp\w*|ausfuhrlich\w*|"
        r"bref|brefs|breve\w*|court\w*|concis\w*|detaille\w*|cort[oa]s?|detallad\w*|concis\w*) ?(?:\w+ "
        r"){0,2}(?:answers?|repl\w+|responses?|explanations?|"
        r"antwort\w*|reponses?|respuestas?)?$|\b(?:answers?|replies|responses|antworten|reponses|"
        r"respuestas)\b.{0,20}\b(?:short|brief|concise|long|"
        r"detailed|kurz|knapp|ausfuhrlich|court\w*|breve\w*|detaille\w*|cort[oa]s|detallad\w*)\b"
    ),
    "system of units": lazy(r"\b(?:metric|imperial|metrisch\w*|metrique\w*|metrico)\b"),
    "temperature": lazy(r"\b(?:celsius|fahrenheit|kelvin)\b"),
    "emoji": lazy(r"\bemojis?\b"),
    "calls": lazy(
        r"\b(?:call|ring|phone|wake|disturb|text|message) me\b.{0,30}\b(?:before|after|until|between|at)\b|"
        r"\b(?:ruf\w*|weck\w*) mich\b.{0,20}\b(?:vor|nach)\b|"
        r"\bm'appel\w*\b.{0,30}\b(?:avant|apres)\b|\bme llames\b.{0,30}\b(?:antes|despues)\b"
    ),
    "address": lazy(
        r"\b(?:duze?n?|sieze?n?|tutoie\w*|vouvoie\w*|tutea\w*|(?:call|address) me (?:as |by )?"
        r"(?!before|after|at|when)[a-z]+$)\b"
    ),
}  # fmt: skip
#: Words of instructions that do not say what they are about.
GENERIC = word_set(
    """
    always never please show use include provide give answer answers reply replies respond response responses add put
    keep make tell ask say want need like prefer rather would you your when whenever future now on forward going stop
    don't dont do not no any more anymore longer ever every each time must should could can remember sure only just
    immer nie niemals bitte zeig zeige verwende benutze antworte antworten gib ab jetzt kunftig zukunft du dass keine
    kein nicht mehr mir mich die der das toujours jamais plus desormais dorenavant reponds utilise montre donne
    maintenant partir affiche que tu te siempre nunca ahora adelante muestra usa responde dame los las el la mas
    """
)
