"""Check digits of payment cards, accounts and national ids; each takes digits (and letters) without separators."""

from __future__ import annotations

from collections.abc import Sequence

#: How many characters an IBAN of each country has (SWIFT's IBAN registry).
_IBAN = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15,
    "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19,
    "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
#: Verhoeff's tables: the multiplication of the dihedral group D5, and the permutation of a digit at each place.
_TIMES = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 4, 0, 6, 7, 8, 9, 5), (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7), (4, 0, 1, 2, 3, 9, 5, 6, 7, 8), (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2), (7, 6, 5, 9, 8, 2, 1, 0, 4, 3), (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)  # fmt: skip
_PLACED = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 5, 7, 6, 2, 8, 3, 0, 9, 4), (5, 8, 0, 3, 7, 9, 6, 1, 4, 2),
    (8, 9, 1, 6, 0, 4, 3, 5, 2, 7), (9, 4, 5, 3, 1, 2, 6, 8, 7, 0), (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
    (2, 7, 9, 3, 8, 0, 6, 4, 1, 5), (7, 0, 4, 6, 9, 1, 3, 2, 5, 8),
)  # fmt: skip
#: What an odd place of a codice fiscale counts, for 0 to 9 and for A to Z alike in their first ten.
_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812's check digit: cards, Canada's SIN, Sweden's personnummer."""
    doubled = [int(each) * (2 if place % 2 else 1) for place, each in enumerate(reversed(digits))]
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def card(digits: str) -> bool:
    """Whether it is a number that a payment network gives, with its check digit."""
    size, first2, first4 = len(digits), int(digits[:2]), int(digits[:4])
    given = (
        (digits[0] == "4" and size in (13, 16, 19))
        or (size == 16 and (51 <= first2 <= 55 or 2221 <= first4 <= 2720))
        or (size == 15 and first2 in (34, 37))
        or (16 <= size <= 19 and (first4 == 6011 or 644 <= int(digits[:3]) <= 649 or first2 in (62, 65)))
        or (14 <= size <= 19 and (first2 in (36, 38, 39) or 300 <= int(digits[:3]) <= 305))
        or (16 <= size <= 19 and 3528 <= first4 <= 3589)
        or (size in (16, 18, 19) and (first2 in (50, 56, 57, 58, 63, 67)))
    )
    return given and len(set(digits)) > 2 and luhn(digits)


def iban(text: str) -> bool:
    """An IBAN of its country's length whose check digits are right (ISO 13616)."""
    return len(text) == _IBAN.get(text[:2]) and _letters_mod_97(text[4:] + text[:4]) == 1


def verhoeff(digits: str) -> bool:
    """Verhoeff's check digit: India's Aadhaar."""
    check = 0
    for place, each in enumerate(reversed(digits)):
        check = _TIMES[check][_PLACED[place % 8][int(each)]]
    return check == 0


def mod_11_10(digits: str) -> bool:
    """ISO 7064's MOD 11,10: Germany's tax id, of whose first ten digits one comes twice or three times."""
    product = 10
    for each in digits[:-1]:
        total = (int(each) + product) % 10 or 10
        product = total * 2 % 11
    repeated = sorted(digits[:10].count(each) for each in set(digits[:10]))
    return (11 - product) % 10 == int(digits[-1]) and repeated[-1] in (2, 3) and repeated[-2] == 1


def weighted(digits: str, weights: Sequence[int], modulus: int) -> int:
    """The sum of the digits, each times its weight, by the modulus."""
    return sum(int(each) * weight for each, weight in zip(digits, weights, strict=True)) % modulus


def nhs(digits: str) -> bool:
    """England's NHS number."""
    return weighted(digits, range(10, 0, -1), 11) == 0


def bsn(digits: str) -> bool:
    """The Netherlands' BSN."""
    return weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1), 11) == 0


def pesel(digits: str) -> bool:
    """Poland's PESEL, which begins with a date."""
    return weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10) == 0 and int(digits[2:4]) % 20 in range(1, 13)


def cpf(digits: str) -> bool:
    """Brazil's CPF."""
    if len(set(digits)) == 1:
        return False
    for size in (9, 10):
        check = weighted(digits[:size], range(size + 1, 1, -1), 11)
        if int(digits[size]) != (0 if check < 2 else 11 - check):
            return False
    return True


def ahv(digits: str) -> bool:
    """Switzerland's AHV number, an EAN-13."""
    return digits.startswith("756") and weighted(digits, (1, 3) * 6 + (1,), 10) == 0


def resident(text: str) -> bool:
    """China's resident id (GB 11643)."""
    total = weighted(text[:17], [2**place % 11 for place in range(17, 0, -1)], 11)
    return "10X98765432"[total] == text[17].upper() and 1 <= int(text[10:12]) <= 12 and 1 <= int(text[12:14]) <= 31


def dni(text: str) -> bool:
    """Spain's DNI or NIE."""
    number = text[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return _DNI[int(number) % 23] == text[-1].upper()


def nir(digits: str) -> bool:
    """France's NIR with its key."""
    return 97 - int(digits[:13]) % 97 == int(digits[13:]) and 1 <= int(digits[3:5]) % 20 <= 12


def codice_fiscale(text: str) -> bool:
    """Italy's codice fiscale."""
    values = [int(each, 36) - (10 if each.isalpha() else 0) for each in text[:15].upper()]
    total = sum(_ODD[each] if place % 2 == 0 else each for place, each in enumerate(values))
    return chr(ord("A") + total % 26) == text[15].upper()


def personnummer(digits: str) -> bool:
    """Sweden's personnummer of ten digits."""
    return luhn(digits) and 1 <= int(digits[2:4]) <= 12 and 1 <= int(digits[4:6]) <= 31


def hetu(text: str) -> bool:
    """Finland's personal identity code."""
    key = "0123456789ABCDEFHJKLMNPRSTUVWXY"
    return key[int(text[:6] + text[-4:-1]) % 31] == text[-1].upper() and 1 <= int(text[2:4]) <= 12


def rijksregister(digits: str) -> bool:
    """Belgium's national number, of those born before 2000 or since."""
    number, check = int(digits[:9]), int(digits[9:])
    return check in (97 - number % 97, 97 - (2_000_000_000 + number) % 97)


def ssn(digits: str) -> bool:
    """The United States' social security number has no check digit, but parts that were never given."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000" and digits != "078051120"


def _letters_mod_97(text: str) -> int:
    return int("".join(str(int(each, 36)) for each in text)) % 97
