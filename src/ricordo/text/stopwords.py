"""Function words: too common to find anything by, and no names for a topic. Folded, as ricordo.text.terms does."""

from __future__ import annotations

#: English words that are neither indexed nor asked for.
ENGLISH = frozenset(
    [
        "a", "about", "am", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could",
        "d", "did", "do", "does", "doing", "don", "done", "for", "from", "had", "has", "have", "having", "he",
        "her", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "ll", "m",
        "may", "me", "might", "mine", "my", "no", "not", "of", "on", "or", "our", "ours", "re", "s", "shall",
        "she", "should", "so", "t", "than", "that", "the", "their", "theirs", "them", "then", "there", "these",
        "they", "this", "those", "to", "too", "us", "ve", "very", "was", "we", "were", "what", "when", "where",
        "which", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
    ]
)  # fmt: skip

#: Words of other languages (and further English ones) that cannot name a topic.
NAMELESS = ENGLISH | frozenset(
    [
        # English
        "actually", "after", "again", "all", "almost", "already", "also", "always", "another", "any", "anyone",
        "anything", "april", "around", "august", "away", "back", "because", "before", "best", "better",
        "between", "big", "both", "came", "chat", "chats", "come", "conversation", "conversations", "day",
        "days", "december", "different", "discuss", "discussion", "either", "else", "end", "enough", "even",
        "ever", "every", "everything", "february", "few", "find", "first", "fix", "found", "friday", "get",
        "gets", "getting", "give", "go", "goes", "going", "gone", "good", "got", "great", "guess", "happy",
        "hello", "help", "here", "hey", "hi", "hope", "idea", "ideas", "january", "july", "june", "keep",
        "kind", "know", "last", "later", "least", "less", "let", "lets", "like", "likes", "little", "long",
        "look", "looks", "lot", "lots", "love", "made", "make", "makes", "making", "many", "march", "maybe",
        "mean", "monday", "more", "most", "much", "must", "need", "needs", "never", "new", "next", "nice",
        "nothing", "november", "now", "october", "off", "oh", "ok", "okay", "old", "once", "one", "only",
        "other", "others", "out", "over", "own", "part", "people", "planning", "please", "pretty", "probably",
        "put", "question", "quite", "rather", "really", "right", "said", "same", "saturday", "say", "saying",
        "says", "see", "seem", "seems", "send", "sent", "september", "since", "some", "someone", "something",
        "soon", "sorry", "sounds", "start", "still", "stuff", "such", "sunday", "sure", "take", "talk", "tell",
        "thank", "thanks", "thing", "things", "think", "though", "thought", "through", "thursday", "time",
        "times", "today", "together", "told", "tomorrow", "tonight", "try", "trying", "tuesday", "two", "under",
        "until", "untitled", "up", "use", "used", "using", "want", "wanted", "wants", "way", "wednesday",
        "week", "weekend", "weeks", "well", "went", "while", "without", "wonder", "work", "works", "yeah",
        "year", "years", "yes", "yesterday", "yet",
        # German
        "aber", "als", "am", "an", "auch", "auf", "aus", "bei", "bin", "bis", "da", "damit", "dann", "das",
        "dass", "dein", "dem", "den", "denn", "der", "des", "dezember", "dich", "die", "dienstag", "diese",
        "dieser", "dieses", "dir", "doch", "donnerstag", "du", "ein", "eine", "einem", "einen", "einer", "es",
        "euch", "februar", "freitag", "fur", "ganz", "gar", "gerade", "gesprach", "gestern", "gut", "hab",
        "habe", "haben", "hast", "hat", "hatte", "heute", "hier", "ich", "ihm", "ihn", "ihr", "ihre", "ihren",
        "im", "immer", "in", "ist", "ja", "jahr", "jahre", "januar", "jetzt", "juli", "juni", "kann", "kein",
        "keine", "konnen", "konnte", "mai", "mal", "man", "marz", "mehr", "mein", "meine", "meinen", "meiner",
        "mich", "mir", "mit", "mittwoch", "montag", "morgen", "muss", "musst", "nach", "nicht", "noch", "nun",
        "nur", "ob", "oder", "oktober", "samstag", "schon", "sehr", "sein", "seine", "seiner", "sich", "sie",
        "sind", "so", "sollte", "sonntag", "tag", "tage", "uber", "uhr", "um", "und", "uns", "unser", "unsere",
        "unterhaltung", "viel", "viele", "vom", "von", "vor", "vorgestern", "war", "waren", "was", "weil",
        "welche", "welcher", "welches", "wenn", "wer", "wie", "wieder", "will", "wir", "wird", "wo", "woche",
        "wochen", "wollen", "wollte", "wurde", "wurden", "zu", "zum", "zur",
        # French
        "au", "aux", "avec", "bien", "ce", "cela", "ces", "cette", "comme", "dans", "de", "des", "donc", "du",
        "elle", "en", "est", "et", "etre", "fait", "il", "ils", "je", "la", "le", "les", "leur", "mais", "me",
        "meme", "moi", "mon", "ne", "nous", "on", "ou", "oui", "par", "pas", "plus", "pour", "que", "qui", "sa",
        "se", "si", "son", "sont", "sur", "ta", "te", "toi", "ton", "tout", "tres", "tu", "un", "une", "vous",
        # Spanish
        "ahora", "al", "algo", "asi", "como", "con", "cuando", "del", "donde", "el", "ella", "ellos", "era",
        "es", "esa", "ese", "esta", "este", "esto", "estoy", "fue", "ha", "hace", "hay", "la", "las", "le",
        "lo", "los", "mas", "mi", "mucho", "muy", "nada", "no", "nos", "o", "para", "pero", "por", "porque",
        "que", "quien", "se", "ser", "si", "sin", "sobre", "solo", "son", "su", "tambien", "te", "tengo",
        "tiene", "todo", "tu", "un", "una", "y", "ya", "yo",
        # Italian
        "anche", "che", "chi", "ci", "come", "con", "cosa", "cosi", "da", "dei", "del", "della", "di", "dove",
        "e", "era", "gli", "ha", "ho", "il", "io", "la", "le", "lei", "lo", "lui", "ma", "mi", "mia", "mio",
        "molto", "ne", "nel", "non", "per", "perche", "piu", "poi", "quando", "questo", "se", "sei", "si",
        "sono", "sta", "su", "ti", "tu", "tutto", "un", "una",
        # Portuguese
        "ao", "aqui", "com", "da", "de", "dela", "dele", "do", "e", "ela", "ele", "em", "eu", "foi", "isso",
        "ja", "mais", "mas", "me", "meu", "minha", "muito", "na", "nao", "no", "nos", "o", "os", "ou", "para",
        "pela", "pelo", "por", "que", "se", "sem", "ser", "seu", "so", "sua", "tem", "um", "uma", "voce",
        # Dutch
        "aan", "als", "bij", "dan", "dat", "de", "deze", "die", "dit", "doe", "door", "dus", "een", "en", "er",
        "gaan", "geen", "had", "heb", "hebben", "het", "hij", "hoe", "ik", "in", "is", "je", "kan", "maar",
        "me", "meer", "met", "mijn", "naar", "niet", "nog", "nu", "of", "om", "ook", "op", "te", "toch", "uit",
        "van", "veel", "voor", "wat", "we", "wel", "wij", "zijn", "zo",
        # Swedish
        "att", "av", "blir", "da", "dag", "de", "den", "det", "dig", "din", "du", "efter", "ej", "eller", "en",
        "er", "ett", "for", "fran", "ha", "han", "har", "hon", "hur", "i", "inte", "jag", "kan", "kom", "lite",
        "man", "med", "mig", "min", "mot", "mycket", "nar", "nu", "och", "om", "pa", "sa", "se", "sig", "sin",
        "ska", "som", "till", "upp", "ut", "var", "vi", "vid",
    ]
)  # fmt: skip
