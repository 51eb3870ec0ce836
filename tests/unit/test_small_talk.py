"""Which messages say nothing that could be looked for, in four languages, and which only look like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import grows_gently
from ricordo.text.small_talk import is_small_talk


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    "message",
    lines(
        """
        yes please
        Yes, please do!
        Good morning
        Good morning! How are you?
        how are you doing today
        ok thanks!
        Okay, that's right!
        Thank you so much for your help!!
        thanks a lot, good night!
        haha nice
        hahahaha lol
        hmm
        Wow, that's amazing 🎉
        👍
        ...
        🙏🙏 thanks
        go on
        continue
        (continue)
        Please continue.
        Great, go ahead
        sounds good
        Sounds good to me, thanks.
        No worries, see you tomorrow!
        got it, makes sense
        no, thank you
        nope
        You’re welcome!
        Really?
        danke, super
        Danke dir, das klingt gut!
        Guten Morgen! Wie geht's?
        ja bitte
        Alles klar, vielen Dank und schönen Abend noch
        mach weiter
        Genau!
        Tschüss, bis morgen
        merci beaucoup
        Bonjour, ça va ?
        d'accord, merci !
        Oui, s'il te plaît
        Très bien, continue
        vale, gracias
        ¡Muchas gracias!
        Hola, ¿qué tal?
        sí, por favor
        De acuerdo, sigue
        jajaja qué bien
        """
    ),
)
def test_messages_without_content(message: str) -> None:
    assert is_small_talk(message)


@pytest.mark.parametrize(
    "message",
    lines(
        """
        thanks, and where do I live?
        Good morning, what did we decide?
        Ines?
        Ines
        boat
        Nice?
        Jo
        Theo, thanks!
        Good morning Theo
        yes, the red one
        no, I moved to Bristol
        ok, book it for Monday
        continue with the second chapter
        go to Rome
        more about giving tips
        Great, provide 10 more
        sounds like Ben
        I like that boat
        How are you and Ines?
        What is good?
        What's new?
        Who am I?
        And Ben?
        2026
        option B
        R-12
        you know my dentist
        Is it ok to eat nuts?
        still not working
        danke, und wo wohne ich?
        Guten Morgen, was steht heute an?
        ja, am Montag
        merci, et où est-ce que j'habite ?
        gracias, ¿y dónde vivo?
        猫
        はい
        """
    ),
)
def test_messages_with_content(message: str) -> None:
    assert not is_small_talk(message)


def test_a_long_message_has_content_and_is_read_at_once() -> None:
    assert not is_small_talk("thanks " * 20)
    assert grows_gently(lambda characters: is_small_talk("a" * characters), 100_000)
    assert not is_small_talk("ha" * 50 + "x")


@given(st.text(st.characters()))
def test_no_message_makes_it_raise(message: str) -> None:
    is_small_talk(message)
