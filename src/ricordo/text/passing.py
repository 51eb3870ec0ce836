"""What says that something is so only this time, in English and German: "just this once", "diese Woche"."""

from __future__ import annotations

#: The source of a pattern for an exception, whatever the case.
EXCEPTION = (
    r"\b(?:(?<!from )(?<!as of )(?<!since )(?<!starting )this week(?:'s)?(?! on\b)|"
    r"(?:just|only) (?:this )?once\b(?! (?:a|an|per|every|each)\b)|one[- ]off|one[- ]time|"
    r"for (?:once|the (?:day|night|evening|weekend|moment))|as we speak|"
    r"no (?:\w+ ){1,3}(?:(?:last|this|next|on) )?(?:\w+day|week|month)|stood in|standing in for|"
    r"(?<!ab )(?<!seit )diese woche|ausnahmsweise|"
    r"(?<!noch )(?<!nicht )einmal(?! (?:zu|die|in|pro|im|am|jede\w*|alle|\w+lich)\b)|"
    r"nur das eine(?: mal)?|nur dieses mal)\b"
)
