"""Messages without content: greetings, thanks, consent, laughter, "go on". English, German, French and Spanish.

A message is small talk if it is made of these phrases alone: "thanks a lot, good night!" is, "thanks, and where do I
live?" is not. A question must end in a phrase that asks, such as "how are you?": "Nice?" may be the city.
"""

from __future__ import annotations

import re
from functools import cache

from ricordo.text.patterns import lazy
from ricordo.text.terms import words

#: A longer message says something.
_CHARACTERS, _WORDS = 120, 14
_SENTENCE = lazy(r"([^.!?？؟。！\n]*)([.!?？؟。！\n]*)")
_ASKS = frozenset("?？؟")
#: Laughter and drawn-out sounds, as long as they are typed.
_SOUND = lazy(
    r"[ah]{3,}|[he]{4,}|[hi]{4,}|[ja]{4,}|[je]{4,}|[hm]{2,}|lo+l|lmao|rofl|xd+|u+h+|u+m+|o+h+|a+h+|wo+w|yay+|ye+s+|"
    r"ok+|so+|no+|he+y+|hi+|hello+|by+e+|ple+a+se|tha+nks+|ja+|oui+|si+"
)

#: Phrases as ricordo.text.words reads them, separated by commas and line ends.
_SAID = (
    # English
    """
    yes, yeah, yep, yup, ya, yea, aye, sure, sure thing, ok, okay, okey, k, kk, oki, alright, all right, right
    correct, that is right, that s right, that is correct, that s correct, exactly, absolutely, definitely
    certainly, of course, indeed, true, agreed, i agree, no, nope, nah, not yet, not now, not really, not sure
    maybe, perhaps, i think so, i guess, i guess so, i don t know, i do not know, idk, no idea, i m not sure
    whatever, up to you, please, pls, plz, yes please, please do, do it, do that, do so, do, go, go on, go ahead
    go for it, carry on, continue, please continue, proceed, keep going, keep it up, let s go, lets go, let s do it
    lets do it, let s do that, let s start, let s begin, let s continue, lets continue, next, next one, the next one
    more, tell me more, one more, another one, again, try again, once more, once again, go further, ready, i m ready
    i am ready, done, i m done, finished, thanks, thank you, thankyou, thx, thnx, tnx, tysm, tyvm, cheers
    many thanks, thanks a lot, thanks a bunch, thanks a ton, thanks a million, thank you so much, thanks so much
    thank you very much, thanks very much, much appreciated, appreciated, i appreciate it, i appreciate that
    i really appreciate it, appreciate it, i appreciate your help, for your help, for all your help, for the help
    for helping, for helping me, for that, for this, for everything, for your time, for the info
    for the information, for the advice, for the tips, for asking, you re the best, you are the best
    you re an expert, you rock, you re a lifesaver, you re welcome, you are welcome, youre welcome, my pleasure
    no problem, no worries, np, anytime, any time, no thanks, no thank you, not at all, don t mention it, hi, hello
    hey, hiya, howdy, yo, greetings, hi there, hello there, hey there, there, hi all, hi everyone, hello everyone
    hello all, hey all, hey guys, hi guys, good morning, good afternoon, good evening, good day, good night
    goodnight, gm, gn, nice to meet you, pleased to meet you, welcome, welcome back, i m back, i am back, bye
    bye bye, goodbye, good bye, cya, see ya, see you, see you later, see you soon, see you tomorrow, see you then
    talk to you later, talk to you soon, talk soon, ttyl, take care, have a good day, have a nice day
    have a great day, have a good one, have a great one, have a good night, have a nice evening, have a good evening
    have a great evening, have a good weekend, have a nice weekend, have a great weekend, have fun, you too
    same to you, sleep well, sweet dreams, good luck, congrats, congratulations, happy birthday, merry christmas
    happy new year, nice, nice one, cool, great, good, very good, really good, so good, pretty good, fine, awesome
    amazing, perfect, excellent, wonderful, fantastic, brilliant, lovely, super, superb, neat, incredible
    impressive, very nice, so nice, really nice, so cool, very cool, very helpful, really helpful, so helpful
    super helpful, helpful, good job, great job, nice job, nice work, good work, great work, well done, well said
    good point, fair enough, good idea, great idea, nice idea, good answer, great answer, good stuff, great stuff
    good to know, good to hear, glad to hear it, glad to hear that, interesting, very interesting
    that s interesting, how interesting, not bad, much better, sounds good, sounds great, sounds perfect
    sounds fine, sounds nice, sounds fun, sounds right, sounds like a plan, sounds good to me, that sounds good
    that sounds great, that sounds perfect, that sounds fine, that sounds nice, it sounds good, looks good
    looks great, looks good to me, lgtm, works for me, that works, that works for me, that will do, that ll do
    that s great, that is great, that s good, that is good, that s fine, that is fine, that s nice, that s cool
    that s perfect, that s awesome, that s amazing, that s helpful, that is helpful, that was helpful
    that s very helpful, that helps, this is great, this is good, this is perfect, this is helpful
    this is very helpful, this is amazing, this is awesome, it s great, it s good, it s fine, it s ok, it s okay
    that s ok, that s okay, i like it, i like that, i love it, i love that, love it, got it, gotcha, i got it, i see
    i understand, understood, noted, makes sense, that makes sense, roger that, copy that, will do, i will
    let me see, let me think, i m fine, i m good, i am fine, i m ok, i m great, doing well, all good, i m doing well
    i m well, and you, as well, too, also, sorry, i m sorry, my bad, oops, no matter, never mind, nevermind, nvm
    forget it, that s all, that is all, that s it, that is it, that ll be all, that s all for now, that s it for now
    that s all for today, that s it for today, for now, for today, nothing, nothing else, nothing more, wait
    one moment, one second, just a moment, hold on, so, well, then, and, but, now, oh my god, omg, my god, wtf, damn
    gosh, yay, hooray, hurray, whoa, ugh, ouch, phew, pff, tada, really, seriously, no way, very much, so much
    a lot, just, thanks again, thank you again
    """,
    # German
    """
    ja gerne, ja, jep, jawohl, nein, ne, nee, klar, na klar, alles klar, klaro, genau, stimmt, richtig, naturlich
    sicher, sicherlich, gerne, sehr gerne, gern, ja bitte, bitte, bitte schon, bitteschon, bitte sehr, nein danke
    ja danke, passt, passt schon, passt so, das passt, einverstanden, abgemacht, in ordnung, geht klar, vielleicht
    weiss nicht, weiss ich nicht, ich weiss nicht, keine ahnung, egal, macht nichts, kein problem, keine ursache
    gern geschehen, gerne wieder, nichts zu danken, danke, danke dir, danke euch, danke ihnen, danke schon
    dankeschon, danke sehr, danke vielmals, vielen dank, vielen lieben dank, herzlichen dank, besten dank
    tausend dank, danke fur die hilfe, danke fur deine hilfe, fur die hilfe, fur deine hilfe, ich danke
    ich danke dir, lieben dank, merci vielmals, hallo, hallochen, hi zusammen, hallo zusammen, moin, moin moin
    servus, gruss gott, grussi, gruezi, guten morgen, guten tag, guten abend, gute nacht, morgen, tach, tschuss
    tschau, ciao, auf wiedersehen, bis dann, bis bald, bis morgen, bis spater, mach s gut, schonen tag
    schonen tag noch, schonen abend, schonen abend noch, schones wochenende, einen schonen tag, einen schonen abend
    schlaf gut, dir auch, ebenfalls, gleichfalls, viel spass, viel gluck, gluckwunsch, alles gute, toll, prima
    klasse, spitze, perfekt, ausgezeichnet, hervorragend, wunderbar, fantastisch, genial, schon, sehr schon, gut
    sehr gut, ganz gut, wie schon, das ist gut, das ist super, das ist toll, nicht schlecht, geil, krass, wahnsinn
    gute idee, tolle idee, gut gemacht, interessant, sehr interessant, klingt gut, klingt super, klingt toll
    das klingt gut, hort sich gut an, das hort sich gut an, sieht gut aus, verstehe, ich verstehe, verstanden
    ach so, achso, ach, aha, okay danke, macht sinn, das macht sinn, ergibt sinn, weiter, mach weiter, weiter so
    weitermachen, fortfahren, fahr fort, bitte weiter, und weiter, los, los geht s, leg los, fertig, nochmal
    noch einmal, noch mal, mehr, mehr davon, das nachste, entschuldigung, tut mir leid, schon gut, das war s
    das wars, das ist alles, das war alles, nichts, sonst nichts, mir geht es gut, mir geht s gut, und dir
    und selbst, na, na dann, doch, auch, noch, dann, und, halt, moment, warte
    """,
    # French
    """
    oui, ouais, non, si, bien sur, biensur, d accord, daccord, dac, ok d accord, entendu, compris, j ai compris
    je comprends, je vois, exact, exactement, tout a fait, absolument, certainement, evidemment, volontiers
    avec plaisir, oui merci, non merci, oui s il te plait, oui s il vous plait, s il te plait, s il vous plait, svp
    stp, peut etre, je ne sais pas, je sais pas, aucune idee, pas de probleme, pas de souci, pas de soucis, de rien
    je t en prie, je vous en prie, ca marche, ca roule, ca me va, merci, merci beaucoup, merci bien, merci a toi
    merci a vous, un grand merci, mille mercis, merci infiniment, merci pour tout, merci pour ton aide
    merci pour votre aide, pour ton aide, pour votre aide, merci encore, encore merci, je te remercie
    je vous remercie, bonjour, bonsoir, salut, coucou, bonne nuit, bonne journee, bonne soiree, bon week end
    bon weekend, au revoir, a bientot, a demain, a plus, a plus tard, a tout a l heure, a toute, enchante, bienvenue
    toi aussi, vous aussi, bonne chance, bravo, felicitations, parfait, magnifique, formidable, chouette, bien
    tres bien, c est bien, c est super, c est genial, c est parfait, c est bon, c est cool, c est ca
    tres bonne idee, bonne idee, pas mal, tres interessant, j adore, j aime bien, impeccable, mdr, ptdr, continuez
    continuer, vas y, allez y, allez, on y va, c est parti, la suite, suivant, encore, encore une fois, et ensuite
    ensuite, desole, pardon, tant pis, laisse tomber, c est tout, rien, rien d autre, ca va, ca va bien, et toi
    et vous, alors, et, voila
    """,
    # Spanish
    """
    si por favor, si gracias, no gracias, claro, claro que si, por supuesto, desde luego, vale, vale gracias, venga
    de acuerdo, perfecto, exacto, exactamente, correcto, cierto, asi es, eso es, quizas, tal vez, no se, no lo se
    ni idea, por favor, porfa, bueno, esta bien, esta bueno, me parece bien, suena bien, entendido, entiendo, ya veo
    comprendo, listo, hecho, gracias, muchas gracias, mil gracias, muchisimas gracias, gracias por todo
    gracias por tu ayuda, gracias por su ayuda, por tu ayuda, por su ayuda, gracias de nuevo, te lo agradezco
    de nada, no hay de que, no hay problema, no pasa nada, hola, buenas, buenos dias, buen dia, buenas tardes
    buenas noches, adios, chao, chau, hasta luego, hasta manana, hasta pronto, nos vemos, cuidate, igualmente
    que tengas un buen dia, que tenga un buen dia, encantado, encantada, bienvenido, suerte, buena suerte
    felicidades, enhorabuena, estupendo, excelente, fantastico, maravilloso, guay, que bien, que bueno, muy bien
    muy bueno, buena idea, me gusta, me encanta, interesante, muy interesante, que interesante, sigue, continua
    adelante, siguiente, otra vez, de nuevo, mas, uno mas, perdon, lo siento, no importa, da igual, olvidalo
    eso es todo, nada, nada mas, todo bien, y tu, y usted, entonces, y, pues, ok vale
    """,
)
#: What may ask and still say nothing.
_ASKED = (
    # English
    """
    how are you, how are you doing, how are you today, how are you doing today, how are things, how s it going
    how is it going, how do you do, how have you been, how r u, what s up, whats up, wassup, sup, you there
    are you there, are you ready, and you, ok, okay, right, really, seriously, what, huh, sorry, pardon, yes, no
    hello, hi, hey, shall we, all right, alright, is that ok, is that okay, anything else, what else, what next
    and then, and now, more, next, please, thank you, thanks
    """,
    # German
    """
    wie geht s, wie geht es, wie geht es dir, wie geht s dir, wie gehts, wie lauft s, alles gut, alles klar, na
    und dir, und selbst, bist du da, oder, wirklich, echt, was, wie bitte, ja, nein, und dann, und weiter, noch was
    sonst noch was, hallo
    """,
    # French
    """
    ca va, comment ca va, comment vas tu, comment allez vous, tu vas bien, vous allez bien, et toi, et vous
    quoi de neuf, vraiment, ah bon, hein, quoi, oui, non, et ensuite, et apres, d accord, tu es la
    """,
    # Spanish
    """
    que tal, como estas, como esta, como te va, que pasa, que onda, todo bien, y tu, y usted, de verdad, en serio
    que, como, si, vale, y luego, y despues, algo mas, estas ahi, hola
    """,
)


def is_small_talk(message: str) -> bool:
    """Whether a message says nothing that a memory could have an answer to; signs alone, such as emoji, say nothing."""
    text = message.strip()
    if len(text) > _CHARACTERS:
        return False
    said = list(words(text))
    if not said:
        return True
    if len(said) > _WORDS:
        return False
    return all(
        _made_of_phrases(tuple(words(sentence)), asks=not _ASKS.isdisjoint(end))
        for sentence, end in _SENTENCE.findall(text)
    )


def _made_of_phrases(said: tuple[str, ...], *, asks: bool) -> bool:
    """Whether these words are phrases of small talk in a row; where they ask, the last one must ask."""
    reached = {0}
    for end in range(1, len(said) + 1):
        known = _phrases(asking=asks and end == len(said))
        by_phrase = any(said[start:end] in known for start in reached)
        if by_phrase or (end - 1 in reached and not asks and _SOUND.fullmatch(said[end - 1])):
            reached.add(end)
    return len(said) in reached


@cache
def _phrases(*, asking: bool) -> frozenset[tuple[str, ...]]:
    listed = re.split("[,\n]", "\n".join(_ASKED if asking else _SAID + _ASKED))
    return frozenset(tuple(phrase.split()) for phrase in listed if phrase.strip())
