"""Phrases of plain talk → values: where a phrase ends, what is a place, an employer or a role. English and shared."""

from __future__ import annotations

import re
from functools import cache

from ricordo.facts.scenes import NAME
from ricordo.text import fold, lazy
from ricordo.text.english import CONSUMED, KIN, NO_NAMES, PETS, TRADES, word_set
from ricordo.text.places import PLACES

_MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul"
    "|aug|sept?|oct|nov|dec)"
)
_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
#: Where the phrase of a value ends, in English.
_END = lazy(
    rf"(?:[;!?()\[\]…—–\n\"“”]|[,:](?!\d)| - |\.(?:\s|$)|\s(?:(?:I|we|he|she|they) (?=[a-z])|(?:out|over|up|down|back) t?here\b|because|cause|cuz|so|but|since|when|while|where|which|who|that|"
    rf"though|although|if|until|till|unless|and|or|now|today|yesterday|tonight|tomorrow|last|next|ago|(?:(?:some|many|several|few|\d+|"
    rf"two|three|four|five|six|seven|eight|nine|ten) )?(?:years|months|weeks|days|ages) ago|already|again|"
    rf"right now|anyway|actually|then|after|before|effective|instead|thanks|please|lol|haha|btw|by the way|too|also|"
    rf"finally|at (?:last|the moment|present|first)|as (?:of|well|a|an|from|it)|like|than|these days|this (?:week|month|"
    rf"year|morning|time|spring|summer|autumn|fall|winter|afternoon|evening)|every|each|all|starting|just|only|anymore|"
    rf"any ?more|any longer|together|myself|ourselves|himself|herself|sometimes|obviously|sadly|sorry|up from|down from|"
    rf"from now|for (?:now|good|almost|about|over|nearly|\d|a (?:while|year|month|week|few)|years|ages|the (?:past|last|"
    rf"moment|time)|(?:two|three|four|five|six|seven|eight|nine|ten)|my|your|his|her|our|me|you|us|him|them)|"
    rf"over the (?:weekend|summer|winter|years|past)|(?:on|in|by|since|from|until|around) (?:the )?"
    rf"(?:{_MONTH}|{_DAY}|\d{{1,2}}(?:st|nd|rd|th)\b|(?:19|20)\d\d|end of|first|weekend|spring|summer|autumn|fall|"
    rf"winter|morning|evening|meantime|a (?:week|month|year|few)|two weeks))\b)",
    re.IGNORECASE,
)
_ARTICLE = lazy(r"^(?:(?:a|an|the|my|our|this|that|some|called|named|about|around|roughly|exactly) )+", re.I)
_IS_DAY = lazy(rf"(?:{_MONTH}|{_DAY})\b", re.I)
_ONLY_DAY = lazy(rf"{_DAY}$", re.I)
_SMALL_HEAD = r"(?:(?:in|at|on|near|to|into) )?(?:(?:a|an|the|my|our|some|one of the) )?(?:[a-z][\w'-]* ){0,5}?"
_PLACE = lazy(rf"^(?:{_SMALL_HEAD}(?:in|of|called) (?:the )?|(?:in |at |to |into )?(?:the )?)(?P<place>{NAME})")
_STREET = lazy(
    r"^(?:in |on |at )?(?:the )?(?:\d+ )?[A-Z][\w']*(?: [A-Z][\w']*)? (?:Street|Road|Lane|Avenue|Square|Close|Drive|Terrace|Way) (?=in [A-Z])"
)
_NOWHERE = word_set(
    """
    it this that them him her us me you here there home bed work night nights the past present moment least all once
    free nothing something someone somebody myself way same lot money hours fun living
    """
)
_SOME = word_set("few couple bunch")
_JUDGED = word_set(
    """
    great good terrible bad huge amazing wonderful natural real true little bit big better best worst proud lucky
    perfect such born total complete mess wreck disaster idiot genius monster machine star rock legend angel saint
    king queen pirate robot zombie ghost superhero wizard
    """
)
_STATE = word_set(
    """
    broken dying dead fine great good bad awful terrible ok okay ready done late early full empty gone lost stolen
    new old nice lovely amazing wrong right true false fun funny sick ill tired happy sad angry weird strange ugly
    pretty beautiful perfect horrible cheap expensive free busy open closed safe sorry sure hard easy different same
    similar important better worse best worst slow fast small big huge tiny short long high low hot cold wet dry
    dirty clean alive asleep awake upset mad crazy mess disaster nightmare joke lie rather quite very so too pretty
    really not never still always awesome super cool nuts insane unreal wild rough tough okay-ish hybrid remote
    encouraging inspiring supportive flexible limited tight huge strict unknown unclear about because what where how why who when if to in on at for with by like as there
    here out up down off over under back away coming going one something nothing anything everything someone me you
    him us them it this that these those all more less enough mine yours due written built made based hosted
    located kept stored owned run done gone taken given set been being generally usually probably
    """
)
#: More trades than capitalised talk needs: what plain talk calls people's work.
MORE_TRADES = word_set(
    """
    ref referee umpire linesman curate beekeeper bookbinder secretary physio treasurer headteacher headmaster headmistress apprentice trainee postwoman postmistress salesgirl barkeeper
    sommelier paediatrician gp surgeon radiologist cardiologist freelancer copywriter blogger vlogger streamer lobbyist
    diplomat ambassador mayor councillor councilor chairman chairwoman chair president vice-president vp cfo coo cio
    cpo head deputy principal dean provost lecturer postdoc phd teacher tutor coach captain goalkeeper striker
    defender bassist vocalist keyboardist percussionist cellist organist flautist trumpeter violist producer roadie
    stylist beautician masseuse masseur chiropractor osteopath acupuncturist optician hygienist anaesthetist
    handyman decorator plasterer roofer tiler glazier locksmith blacksmith fitter machinist operator driver cyclist
    dispatcher warehouseman picker packer cleaner housekeeper concierge bouncer guard bodyguard sheriff constable
    detective investigator prosecutor barrister notary clerk magistrate archaeologist anthropologist astrophysicist
    geophysicist toxicologist pathologist virologist immunologist agronomist brewer winemaker distiller butler
    ceramicist printmaker weaver knitter tattooist dramaturge playwright screenwriter scriptwriter showrunner
    columnist correspondent anchor presenter broadcaster newsreader commentator pundit publicist strategist
    pm po em qa sre registrar tech solicitor barkeeper keeper drummer marketer buyer merchandiser trader underwriter actuary auditor controller quant sre devops dba sysadmin tester
    lead leader supervisor foreman forewoman shepherd vicar rabbi imam monk nun chaplain missionary paralegal
    physiotherapist postman specialist expert executive associate representative rep agent worker assistant fellow
    """
)


#: Medicines by how their names end in English; the commonest others by name.
MEDICINES = (
    r"[a-z]+(?:statin|pril|sartan|olol|prazole|conazole|cillin|mycin|oxacin|cycline|azepam|zolam|italopram|oxetine|traline|"
    r"tidine|azine|thyroxine|zepine|thiazide|semide|gliptin|gliflozin|formin|farin|xaban|triptan|profen|proxen|codone|parin|dronate|terol|cetamol|solone|"
    r"lukast|tamine|dipine|pirin|balin|bapentin)|insulin|lithium|prednisone|antihistamines|antidepressants|beta blockers|"
    r"iron tablets|vitamin [A-Z]\w*|folic acid|the pill"
)
#: What somebody works for that has no name: "a small bakery".
EMPLOYER_WORDS = word_set(
    """
    bakery hospital school library bank startup start-up university shop store restaurant cafe café clinic firm agency
    studio factory office hotel museum farm pharmacy garage ngo nonprofit charity government council ministry embassy
    airport station brewery kindergarten nursery gym salon bar pub theatre theater cinema gallery newspaper publisher
    court centre center depot court prison zoo church college supermarket butcher hospice laboratory lab institute foundation company practice
    warehouse archive port harbour harbor quarry mill shipyard refinery vineyard winery orchard bookshop bookstore florist army navy police stripe google
    amazon apple nhs
    """
)
EMPLOYERS = "|".join(sorted(EMPLOYER_WORDS - {"stripe", "google", "amazon", "apple"}, key=len, reverse=True))


def until(text: str) -> str:
    """The phrase at the beginning of a text."""
    match = _END.search(text)
    return (text[: match.start()] if match else text).strip(" .'’*_")


def bare(phrase: str) -> str:
    """A phrase without its article."""
    return _ARTICLE.sub("", phrase).strip()


def value(text: str, most: int = 6) -> str | None:
    """The noun phrase at the beginning of a text as a value; None where it is none or too long."""
    phrase = bare(until(text))
    words = phrase.split()
    if not words or len(words) > most or words[0].lower() in _NOWHERE:
        return None
    return phrase


def is_shown(phrase: str) -> bool:
    """Whether a figure or a capital shows that a phrase is a name or a measure."""
    if _COUNTED.match(phrase) is not None:
        return True
    return phrase[:1].isdigit() or phrase[:1] in "$€£¥#@" or phrase[:1].isupper() or any(map(str.isdigit, phrase))


_COUNTED = lazy(
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred|a thousand)(?: (?:hundred|thousand|million)(?: a \w+)?)?$"
)


def is_judged(phrase: str) -> bool:
    """Whether a phrase judges and tells no value: "a Michelin-starred disaster"."""
    return bool(phrase) and phrase.lower().split()[-1] in _JUDGED


def is_state(phrase: str) -> bool:
    """Whether a phrase says in what state something is, and is no value: "broken", "about to die"."""
    words = phrase.lower().split()
    return not words or words[0] in _STATE or (len(words) == 1 and words[0].endswith(("ing", "ed", "ly")))


def place(text: str) -> str | None:
    """The place at the beginning of a text: "Leeds", "a boat in Hebden Bridge", "leeds"."""
    phrase = _STREET.sub("", until(text))
    match = _PLACE.match(phrase)
    if match is not None:
        found = _trimmed(match["place"])
        words = found.split()
        if words and words[0].casefold() not in NO_NAMES and not _IS_DAY.match(found) and not found.isdigit():
            return found
        return None
    words = fold(bare(phrase)).split()
    for count in (3, 2, 1):
        listed = _places().get(" ".join(words[:count]))
        if listed is not None and len(words) <= count + 2:
            return listed
    return None


def is_day(text: str) -> bool:
    """Whether a text begins with a weekday or a month."""
    return _IS_DAY.match(text) is not None


def is_place(text: str) -> bool:
    """Whether a text is a well-known place."""
    return fold(text) in _places()


def _trimmed(name: str) -> str:
    return re.sub(r"(?:'s|’s)$|[.,'’]+$", "", name)


@cache
def _places() -> dict[str, str]:
    return {fold(each): each for each in PLACES if fold(each) not in ("reading", "nice", "bath", "split", "faro")}


#: "the Norfolk and Norwich"
_PAIR = lazy(r"the [A-Z][\w']+ and [A-Z][\w']+(?=$|[.,;!])")


def organization(text: str) -> str | None:
    """Whom one works for, at the beginning of a text: "Siemens", "the library in Buxton", "a small bakery"."""
    pair = _PAIR.match(text)
    phrase = re.split(r"\s(?:as|in|on|from|with|doing|near)\s", until(text))[0] if pair is None else pair.group()
    phrase = re.sub(r"^(?:the|a|an) ", "", phrase).strip()
    words = phrase.split()
    judged = words[:1] and words[0].lower() in _JUDGED and not (len(words) > 1 and words[1][:1].isupper())
    if not words or len(words) > 5 or words[0].lower() in _NOWHERE or judged:
        return None
    if words[0].lower() in ("my", "our", "his", "her", "their", "your") or not words[0][:1].isalpha():
        return None
    if phrase.islower() and words[-1] not in EMPLOYER_WORDS:
        return None
    return _trimmed(phrase)


def role(text: str, *, sure: bool = False) -> str | None:
    """What somebody does, at the beginning of a text; with `sure` any short phrase, else one that ends in a trade."""
    phrase = re.split(r"\s(?:at|for|in|of|with|on|from|to)\s", until(text))[0]
    phrase = re.sub(
        r"^(?:a|an|the|our|your|my|their|new|full-time|part-time|full time|part time|qualified) ", "", phrase
    )
    phrase = re.sub(r"^(?:new|full-time|part-time) ", "", phrase).strip()
    words = phrase.lower().split()
    if re.search(r"\bat heart\b|\b(?:maid|matron) of\b", text) or "'s" in phrase:
        return None
    if (
        not words
        or words == ["head"]
        or len(words) > 4
        or words[0] in _JUDGED
        or words[-1] in _JUDGED
        or words[0] in _NOWHERE
    ):
        return None
    if words[-1] in KIN or words[-1] in PETS:
        return None if words[-1] not in TRADES else phrase
    if sure:
        return phrase if all(each[0].isalpha() for each in words) else None
    if re.search(
        r"(?:[a-z]{2}ologist|ographer|iatrist|ician|smith|wright|monger|mason|worker|writer|blower|binder|minder|dresser|(?<!trouble)(?<!noise)(?<!peace)[a-z]{3}maker)$",
        words[-1],
    ):
        return phrase
    last = words[-1].removesuffix("s") if words[-1] not in TRADES else words[-1]
    return phrase if last in TRADES or last in MORE_TRADES or words[-1] in MORE_TRADES else None


def belonging(text: str) -> str | None:
    """What somebody owns, at the beginning of a text."""
    phrase = re.split(r"\s(?:to|off|for|from|at|on|in|with|of|by|as)\s", until(text))[0]
    phrase = re.sub(
        r"^(?:(?:a|an|the|my|our|his|her|used|new|second-hand|secondhand|brand-new|brand new) )+", "", phrase
    )
    words = phrase.split()
    if not words or len(words) > 5 or words[0].lower() in _NOWHERE | _SOME or words[-1].lower() in CONSUMED:
        return None
    if words[-1].lower() in ("rest", "lot", "whole", "both", "same") or _ONLY_DAY.match(phrase):
        return None
    return _trimmed(phrase)
