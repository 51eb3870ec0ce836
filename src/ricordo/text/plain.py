"""Words that are too plain to name what a talk is about, and those by which a noun is told; folded."""

from __future__ import annotations

from functools import cache

from ricordo.text.stopwords import NAMELESS
from ricordo.text.terms import fold, stem


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(each) for each in text.split())


#: After these comes a noun, with what describes it.
DETERMINERS = _words(
    """
    the a an my our your his her their its this that these those some any no every each another whose both few
    several many two three four five six seven eight nine ten
    """
)
#: After these comes a noun, or a word that goes with one.
OPENERS = DETERMINERS | _words(
    """
    which other of in for with on at from about into over under behind near without against between through
    around after before during inside outside across along above below via per like and or le la les un une des
    du au aux mon ma mes ton ta tes son sa ses notre votre nos vos leur leurs ce cet cette ces dans pour avec
    sur sous chez el los las unos unas mi mis tu tus su sus nuestro nuestra del al este esta ese esa con para
    por sin sobre il lo gli uno una mio mia nostro nostra suo sua nel nella della dello dei delle questo questa
    di da o os as um uma meu minha nosso nossa seu do no na dos das em de het een mijn onze ons jouw zijn haar
    deze dit dat van voor met naar
    """
)
#: After these comes a verb.
BEFORE_VERBS = _words(
    """
    i you we they he she it who to will would can could should shall may might must do does did don't didn't
    doesn't can't couldn't won't wouldn't not never let's please i'll you'll we'll they'll i'd you'd we'd they'd
    and then am is are was were be been being i'm you're we're they're he's she's it's isn't wasn't aren't have
    has had i've you've we've they've just also always really only let
    """
) - {"and"}

#: English words that may stand in a noun's place and say nothing, and words that are seldom nouns.
PLAIN = NAMELESS | _words(
    """
    able above absolutely accident across actual afternoon afternoons age ago agree ahead along alone although
    amazed amazing among amount amounts angle anybody anymore anyway anywhere apart appear area aside asleep
    aware awake awesome awful bad bases basically beautiful became become began begin beginning behind believe
    below beside besides beyond bit bits bless body boring bottom boy breath brief bright bunch busy calm
    careful case cases certain certainly chance chances cheap chill choice choices clear clearly clever close
    closer comfortable common complete completely congrats congratulations correct corner cost couple course
    crazy cute dark darling date dates dead deal dear deep definitely degree degrees delicious detail details
    difference difficult direction doubt down dozen during each early easier easily easy edge effort eight
    eighteen eighty eleven elsewhere empty enjoyable entire especially euro euros evening evenings eventually
    everybody everyday everyone everywhere exact exactly example examples excellent except excited exciting
    expensive experience experiences extra eye eyes face fact facts fair fairly false familiar famous fantastic
    far fast favorite favourite feel feeling feelings feels felt fewer fifteen fifty finally fine finish five
    folks follow forever form former forty forward four free fresh front full fully fun funny further future
    general generally gentle gentleman girl glad gorgeous great greatest greetings guy guys half hand hands
    handful hard hardly heart heavy heck height helpful hence here's high higher highest honest honestly hour
    hours however huge hundred hurry image imagine immediately important impressive incredible indeed inspiring
    instead interest interested interesting issue issues item items joy journey joke kilo km kr kronor kind
    kinds kinda knowing lack lady large largest lastly late lately later latest latter laugh laughs least left
    length level life likely limit list literally live lived lives loud lovely low lower luck lucky luckily mad
    main mainly major man matter matters means meanwhile memorable memory memories mention mess mind minute
    minutes miss mistake moment moments month months monthly mood morning mornings move naked name names narrow
    natural naturally near nearly neat necessary neither nervous night nights nine ninety nobody none nope
    normal normally note notes nowhere number numbers obvious obviously odd often ones open opinion opportunity
    option options order ordinary original ours outside overall page pair particular particularly past peace
    perfect perfectly perhaps period person personal perspective phew phase piece pieces place places plain plan
    plans plenty pleasure plus point points poor popular position possible possibly powerful practical precious
    present previous price prices problem problems process progress proper properly proud public pure purpose
    quality quick quickly quiet quietly ready real realistic reality reason reasons recent recently regular
    regularly relaxed relaxing remarkable respect rest result results rewarding rid rough round rude sad safe
    safely scary second seconds self sense sentence separate serious seriously seven seventy several shame shape
    short should've shy sick side sides sight silly simple simply single situation six sixteen sixty size slight
    slightly slow slowly small smaller smart smile soft somebody somehow sometime sometimes somewhat somewhere
    sort sorts sound space special specific spite spot standard state steady step steps story stories straight
    strange stress strong stronger style sudden suddenly suggestion suggestions sum super support surely
    surprise surprised surprising sweet swear task teens ten term terms terrible than that's then there's
    therefore thick thin thirteen thirty thousand thoughtful thoughts three throughout thus tight till tiny
    tired tomorrow's tons top total totally tough toward towards trick true truly truth twelve twenty twice type
    types typical unfortunately unique unless unlike upon useful usual usually various version view vision voice
    warm waste weak weird welcome whatever whenever whereas wherever whether whoa whole wide wild willing wise
    wish wishes within woman wonderful word words worse worst worth worthwhile wow wrong yay yep young younger
    yours yourself youth zero accept accepts act add added adds agrees allow allows announce answer answered
    answers appreciate appreciated arrive arrived arrives ask asked asking asks attend avoid been belong bought
    bring bringing brings brought build built bury buy buying buys call called calling calls care cares carried
    carry caught change changed changes check checked checks cheer cheers choose chose chosen claim climbs
    collect combine compare consider contain continue cope count counted counts cover covers create creating
    cried cry cut cuts decide decided deserve determine die died disappear double drink drive drives drop
    dropped drove eat eaten eats encourage enjoy enjoyed enjoying enjoys ensure enter exist expect expected
    explain explains explore express fail fall falls fear feed fell fight figure fill filled fit fits fixed
    fixing flew flies flow fly focus fold forgave forget forgot forgotten fought gather gave gained give given
    gives giving grab grew grow growing grown grows guarantee guide handle hang happen happened happens hate
    hated hear heard hears held help helped helping helps hide hit hits hold holding holds hoped hoping hurt
    hurts improve include includes inspire inspired inspires introduce invite invited involve join joined
    keeping keeps kept kick kill knew known knows laid lasts laughed lay lays lead leads learn learned learning
    leave leaves leaving led lend lent lets lie lies lift lifted listen listening living lose loses lost loved
    loves loving manage managed marks measure measured meet meeting meets met missed misses missing notice
    noticed offer offered offers opened opens owe paid passed pass pay paying pays pick picked picks planned
    play played playing plays pour practise prefer prepare prepared promise protect prove provide provides pull
    pulled push pushed puts putting raise ran reach reached read reads realize realized receive recommend
    reflect relate relax remain remember reminded remind reminds remove repeat replace replaced reply requires
    return returned rode run running runs sat save saved saw saying seeing seen sell sends sending serve set
    sets setting settle share shared sharing shine shoot shop shot show showed shown shows shut sing sit sits
    sitting sleep slept slip slipped sold solve sounded speak spend spending spent spoke spoken spread stand
    standing stands started starting starts stay stayed staying stays stick sticks stood stop stopped stops
    struggle struggled stuck study suggest suggested suggests supposed survive swim switch takes taken taking
    talked talking talks taste taught teach tells telling tend test tested tests thinking thinks throw took
    touch touched travel treat tried tries trust turn turned turns understand understands understood visit
    visited wait waited waiting waits wake walk walked wanting wash washed watch watched watching wear wearing
    weigh weighs win wins woke won wore worked working worn worried worry worries write writes writing written
    wrote done doing being having got gotten gets hahaha haha lol lmao omg xoxo btw bye byebye goodbye cool
    cooler alright aww ah hmm hm um himself herself itself themselves myself ourselves yourselves excl incl etc
    blew blow itch broke break breaks news wanna gonna gotta bigger thicker thinner longer wider heavier lighter
    cheaper nicer safer weaker warmer colder hotter faster slower newer older harder softer darker brighter
    quieter richer poorer happier deux trois quatre cinq sept huit neuf dix mois semaine semaines jour jours
    heure heures ans dos tres cuatro cinco semana semanas meses dias anos hora horas due tre quattro settimana
    giorno giorni mese mesi anno ora ore prob fam unknown uh ooh yup nah hugs hug kiss kisses bet gosh bro dude
    mate buddy pal dot com www http https html ate bent bled bred crept dealt drank drew drawn driven dug fled flung
    froze frozen hid hidden hung knelt ridden rang rung shaken shook sank spat sprang sprung stole stolen stung struck
    swam swept swore swung threw thrown tore torn wept wove woven
    """
)
#: After a word that goes with these, such as "a creative way", nothing is named.
SHELLS = _words(
    """
    way ways thing things time times day days moment moments experience experiences idea ideas place places part
    parts feeling feelings person people stuff night morning evening week weekend month year years story stories
    opening choice choices option options memory memories journey message opportunity reminder chance kind sort
    bit lot life side reason reasons example result results point points level size kid
    """
)
#: Words that half of all talk among friends is about: they name a talk only where nothing else does.
SOFT = _words(
    """
    family families friend friends kid kids child children community communities dream dreams home goal goals
    passion advice energy challenge challenges impact strength confidence courage photo photos pic pics picture
    pictures group team event events world music art song mom mum dad house room job school class project
    projects success growth inspiration motivation difference attention company action actions practice change
    changes society happiness identity effort balance activity activities resource resources assistance response
    shot nature creativity emotion emotions tip tips sign signs phone food water car money weather dog cat book
    books game games movie movies acceptance progress backgrounds Familie Freunde Freund Kinder Zuhause Haus
    Arbeit Wasser Auto Geld Essen Mutter Vater Bruder Schwester Telefon
    """
)


@cache
def _plain_stems() -> frozenset[str]:
    return frozenset(stem(each, "en") for each in PLAIN)


_ADVERBIAL = _words("family supply belly jelly butterfly assembly anomaly monopoly italy lily")
_SUPERLATIVE = _words("forest harvest interest request contest conquest protest arrest inquest budapest")


def plain_english(word: str) -> bool:
    """Whether a folded English word is a form of a plain one, or looks like an adverb, a past or a superlative."""
    if word in PLAIN or stem(word, "en") in _plain_stems():
        return True
    if word.endswith("ly"):
        return word not in _ADVERBIAL
    if word.endswith("est") and len(word) > 6:
        return word not in _SUPERLATIVE
    return word.endswith("ed") and len(word) > 4 and not word.endswith(("eed", "bed", "shed"))


#: The same of German: words that a capital letter makes look like the name of a thing.
PLAIN_GERMAN = _words(
    """
    Hallo Moin Servus Grüße Gruß Liebe Lieber Danke Bitte Tschüss Tag Tage Nähe Geschichte Mund Woche Wochen
    Monat Monate Jahr Jahre Stunde Stunden Minute Minuten Morgen Abend Mittag Nacht Nachmittag Vormittag Uhr Mal
    Sache Sachen Ding Dinge Teil Teile Leute Mensch Menschen Mann Frau Herr Kind Zeit Zeiten Ende Anfang Seite
    Seiten Stelle Stellen Weg Frage Fragen Antwort Problem Probleme Grund Gründe Idee Ideen Art Weise Beispiel
    Fall Fälle Anruf Bescheid Nein Doch Klar Gut Gern Gerne Okay Stück Paar Ort Orte Name Namen Zahl Zahlen Wort
    Worte Wörter Hand Hände Kopf Auge Augen Gesicht Leben Welt Glück Spaß Lust Angst Freude Meinung Recht Rat
    Hilfe Dank Sinn Gedanke Gedanken Gefühl Eindruck Moment Augenblick Euro Kronen Grad Kilo Meter Zentimeter
    Prozent Hälfte Rest Reihe Unterschied Platz Schritt Schritte Januar Februar März April Mai Juni Juli August
    September Oktober November Dezember Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Heute
    Gestern Vorgestern Übermorgen Wochenende Sie Ihnen Ihr Ihre Ihren Ihrem Dir Dich Du Deine Dein Euch Euer
    Erst Sechzehn Elf Zwölf Zwanzig Zwei Drei Vier Fünf Sechs Sieben Acht Neun Zehn Alles Nichts Etwas Viel
    Viele Beide Beides Erste Zweite Dritte Letzte Nächste
    """
)
#: Chinese and Japanese pairs of characters that say nothing by themselves.
PLAIN_PAIRS = _words(
    """
    我们 你们 他们 她们 什么 可以 这个 那个 没有 因为 所以 现在 知道 一个 怎么 觉得 已经 还是
    但是 如果 就是 不是 这样 那么 时候 我的 你的 他的 的时 今天 明天 昨天 谢谢 好的 一下 一起
    可能 应该 需要 喜欢 想要 有点 非常 自己 大家 东西 事情 今日 明日 昨日 時間 本当 思い 自分
    一緒 最近 今度 大丈夫 来週 先週 今週 毎日
    """
)
