"""Signs that a turn is not all meant: overstatement, laughter, make-believe. Open slots are not read in such turns.

Doubts about single facts are in `plausible`.
"""

from __future__ import annotations

from functools import lru_cache

from ricordo.facts.any_case import AnyCase

#: A turn of these is not all meant: overstatement, laughter, make-believe.
_IN_JEST = AnyCase(
    r"^(?:sure|right|yeah), |\b(?:basically|practically|literally|officially|obviously|clearly|of course|apparently|totally|technically|virtually|essentially|"
    r"at this (?:point|rate)|might as well|i swear|true story|no lie|allegedly|supposedly|according to (?:my|the|his|her|our)|professionally|legally|spiritually|emotionally|"
    r"also known as|inner child|ask anyone|if anyone asks|of (?:this|the|our) (?:household|house|kitchen|sofa|fridge)|(?:and|,) one (?:husband|wife|boyfriend|girlfriend)|up the wall|round the bend|who am i kidding|well, |in the same way|all welcome|since (?:breakfast|lunch|dinner)|(?:don't|do not) (?:have|need) [^.;]*[,;.] (?:i|we) (?:have|need|am|'ve|'m)\b|relationship with (?!my|an?\b|some|the\b|[A-Z])[a-z]+s\b|career mode|fifa|(?:like|than) an? [a-z]+(?=[,.;!]|$)|my (?:retirement|life|five-year|escape) plan|at these prices|that's how|send (?:help|a|an|me|wine|coffee|snacks)|world's|history of|of all time|olympic|champion|professional level|(?:phd|doctorate|degree|master's|diploma|gold medal|qualification) in (?!engineering|nursing|marketing|accounting|computing|teaching|building|printing|planning|dressmaking|banking|fine|training)[a-z]+ing|black belt in (?!karate|judo|taekwondo|aikido|jiu|bjj|kung|krav|six)|semi-professional|(?:no|not a single) (?:guest|body|one) (?:has|ever)|nobody (?:has|ever)|witness protection|bermuda triangle|as everyone knows|judging by|in my head|rent[- ]free|in spirit|at heart|lol|lmao|haha\w*|rofl|hehe|ha ha|joke|joking|jokes|kidding|said (?:no one|nobody)|as the (?:song|saying|joke) goes|"
    r"thousands?|millions?|billions?|trillions?|zillions?|eternity|forever|eternal|imaginary|fictional|character|avatar|guild|quest|campaign|npc|kingdom|empire|galaxy|spaceship|"
    r"imagine|pretend|suppose|if i were|dream|dreamt|dreamed|nightmare|novel|movie|film|sitcom|musical|play-?through|role-?play|pov|dear diary|once upon|sims|minecraft|skyrim|stardew|zelda|"
    r"pokemon|fortnite|dungeons?|monopoly|halloween|costume|fancy dress|horoscope|tarot|fortune|stars say|reincarnat\w+|past life|another life|afterlife|heaven|hell|"
    r"my only (?:friend|hobby|skill|talent|colleague)|full-time job|part-time job of|unofficial|self-appointed|so-called|ceo of|president of|mayor of|king of|queen of|minister of|head of (?:snacks|worrying|naps)|"
    r"married to (?:my|the)|in a (?:relationship|committed)[^.]* with (?:my|the)|survive|survival|spite|despair|sarcasm|denial|existential|dread|vibes|chaos|regrets?|sanity|soul|souls|doom|tears|misery|rage|sheer|pure)\b"
    r"|[\U0001F600-\U0001F64F\U0001F910-\U0001F92F\U0001F970-\U0001F97A\U0001F480\U0001F47B\U0001F921]|/s\b|, sure\b|[;:]-?[)dp](?=\s|$)|\bxd\b|\*[a-z]+s?\*"
)


@lru_cache(1024)
def in_jest(text: str) -> bool:
    """Whether a turn shows a sign of jest, so that open slots are not read in it."""
    return _IN_JEST.is_in(text)
