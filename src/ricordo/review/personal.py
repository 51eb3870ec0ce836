"""What personal data look like: payment cards, accounts, e-mail addresses, phones, national ids.

What is digits alone must have the right check digits, and where these let one number in ten pass, a word beside it that
says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ricordo.review import checksums

#: How far a word that says what a number is may stand before it, in characters.
_NEAR = 45


@dataclass(frozen=True)
class Personal:
    """A rule. `near` must be found shortly before (or in) what the pattern finds; None where that tells by itself."""

    kind: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool]
    near: re.Pattern[str] | None = None

    def is_named(self, text: str, start: int) -> bool:
        """Whether a word before it says what it is."""
        return self.near is None or bool(self.near.search(text, max(0, start - _NEAR), start))


def _rule(kind: str, pattern: str, holds: Callable[[str], bool], near: str | None = None) -> Personal:
    found = None if near is None else re.compile(rf"(?<![^\W\d_])(?:{near})", re.IGNORECASE)
    return Personal(kind, re.compile(pattern), lambda text: holds(re.sub(r"[ ./-]", "", text)), found)


#: Neither side of a number may go on with digits, or be a part of a longer number, an amount or a version.
_START, _END = r"(?<![\w/=+.-])", r"(?!\w)(?![.,/:=-]\w)"
_PHONE = (
    r"phone|tel|mobile|cell|call|ring|sms|text|whats\s?app|signal|fax|reach|dial|contact|number is|handy|"
    r"telefon|mobil|anruf|ruf|nummer|tél|portable|appel|joign|numéro|teléfono|móvil|llám|llam|número|telefono|cellulare"
)
#: Nine digits without a leading 0, as in Spain and Portugal, are a phone number only beside a word that says so.
_IBERIAN_WORDS = (
    r"tel[eé]f|tele?m[oó]v|tel\b|tfno|tlf|m[oó]vil|llám|llam|whats\s?app|n[uú]mero (?:es|de)|phone|mobile|handy"
)
_TLD = r"(?!(?:png|jpe?g|gif|svg|webp|css|js|ts|py|md|txt|json|html?|pdf|local|lan)\b)[A-Za-zÀ-ɏͰ-ԯ]{2,24}"

_DNI = "[A-HJ-NP-TV-Z]"
_ADDRESS = (
    r"(?:(?<=mailto:)|(?<![\w.%+/:@-]))[^\W_](?:[\w.%+'-]{0,62}[\w+-])?"
    rf"@(?:[^\W_](?:(?:[^\W_]|-){{0,61}}[^\W_])?\.){{1,5}}{_TLD}(?![\w@:/-])"
)
_INTERNATIONAL = r"(?<![\w+])(?:\+|00(?=[1-9]))[1-9]\d{0,2}(?:[ ./-]?\(0?\d{0,4}\))?(?:[ ./-]?\d){6,13}(?![\w])"
_AMERICAN = r"(?<![\w./-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[.-]\d{4}(?![\w-])"
_DOMESTIC = r"(?<![\w./+-])\(?0[1-9]\d{0,4}\)?[ /-]?\d(?:[ /.-]?\d){4,9}(?![\w])(?!-\d)"
_IBERIAN = r"(?<![\w./+-])[6-9]\d{2}(?:(?:[ .-]?\d{3}){2}|(?:[ .-]?\d{2}){3})(?![\w])(?![.,-]\d)"
_NINO = r"(?<!\w)(?!BG|GB|KN|NK|NT|TN|ZZ)[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z](?: ?\d{2}){3} ?[A-D](?!\w)"
_FISCALE = r"(?<!\w)[A-Za-z]{6}\d{2}[A-EHLMPR-Ta-ehlmpr-t]\d{2}[A-Za-z]\d{3}[A-Za-z](?!\w)"


def _digits(least: int, most: int, different: int) -> Callable[[str], bool]:
    """Whether it has so many digits, and so many different ones."""
    return lambda text: least <= len(found := re.sub(r"\D", "", text)) <= most and len(set(found)) >= different


def _alone(pattern: str) -> str:
    return _START + pattern + _END


RULES: tuple[Personal, ...] = (
    _rule("payment card", _alone(r"\d(?:[ -]?\d){12,18}"), checksums.card),
    _rule("IBAN", r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)", checksums.iban),
    _rule("e-mail address", _ADDRESS, lambda text: True),
    _rule("phone number", _INTERNATIONAL, _digits(8, 15, 4)),
    _rule("phone number", _AMERICAN, _digits(10, 11, 3)),
    _rule("phone number", _DOMESTIC, _digits(8, 13, 4), _PHONE),
    _rule("phone number", _IBERIAN, _digits(9, 9, 3), _IBERIAN_WORDS),
    _rule("national id", _alone(r"\d{3}-\d{2}-\d{4}"), checksums.ssn),
    _rule("national id", _alone(r"\d{9}"), checksums.ssn, r"ssn|social security"),
    _rule("national id", _NINO, lambda text: True, r"ni\b|nino|national insurance|insurance (?:no|number)"),
    _rule("national id", _alone(r"\d{3} ?-?\d{3} ?-?\d{4}"), checksums.nhs, r"nhs"),
    _rule("national id", _alone(r"\d{2} ?\d{3} ?\d{3} ?\d{3}"), checksums.mod_11_10,
          r"steuer|tax id|idnr|identifikationsnummer|tin\b"),
    _rule("national id", rf"(?<!\w)\d{{8}}-?{_DNI}(?!\w)", checksums.dni),
    _rule("national id", rf"(?<!\w)[XYZ]-?\d{{7}}-?{_DNI}(?!\w)", checksums.dni),
    _rule("national id", _alone(r"[12](?: ?\d{2}){3}(?: ?\d{3}){2} ?\d{2}"), checksums.nir),
    _rule("national id", _FISCALE, checksums.codice_fiscale),
    _rule("national id", _alone(r"\d{9}"), checksums.bsn, r"bsn|burgerservice|sofi"),
    _rule("national id", _alone(r"\d{11}"), checksums.pesel, r"pesel"),
    _rule("national id", _alone(r"\d{3}\.\d{3}\.\d{3}-\d{2}"), checksums.cpf),
    _rule("national id", _alone(r"\d{11}"), checksums.cpf, r"cpf"),
    _rule("national id", _alone(r"756\.?\d{4}\.?\d{4}\.?\d{2}"), checksums.ahv),
    _rule("national id", _alone(r"[1-9]\d{5}(?:19|20)\d{2}[01]\d[0-3]\d{4}[\dXx]"), checksums.resident),
    _rule("national id", r"(?<![\w-])\d{6}-\d{4}(?![\w-])", checksums.personnummer),
    _rule("national id", r"(?<!\w)\d{6}[-A]\d{3}[0-9A-FHJ-NPR-Y](?!\w)", checksums.hetu),
    _rule("national id", _alone(r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}"), checksums.rijksregister),
    _rule("national id", _alone(r"[2-9]\d{3} ?\d{4} ?\d{4}"), checksums.verhoeff, r"aadhaar|aadhar|uidai"),
    _rule("national id", _alone(r"\d{3}[ -]\d{3}[ -]\d{3}"), checksums.luhn, r"sin\b|social insurance"),
)  # fmt: skip
