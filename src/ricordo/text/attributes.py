"""Attributes that have one value at a time, by their last word: what somebody's or something's "quota" or "dentist" is.

No rule is here. The words are those of predicates: lower case, other languages in English.
"""

from __future__ import annotations

from ricordo.text.english import word_set

#: Last words of attributes whose value may be any short phrase: "my blood type is O negative".
ATTRIBUTES = word_set(
    """
    name nickname address email number phone mobile job role title position occupation profession goal target budget
    salary income rent mortgage size height weight age type level best record pb max password birthday hobby sport
    subject major degree school language nationality religion sign diet doctor dentist gp vet boss manager landlord
    landlady coach trainer teacher tutor therapist physio lawyer accountant hairdresser barber nanny bank provider
    insurer insurance gym club team band car bike laptop computer camera deadline date quota limit version fee price
    cost rate speed colour color food dish drink coffee tea order restaurant cafe bar book author film movie show
    series song singer artist band album game place city country season animal flower genre supervisor assistant
    host database db queue cache framework stack layer library backend frontend provider owner lead maintainer
    retention timeout threshold port branch runtime compiler editor shell plan tariff subscription contract battery
    engine model workplace office desk room flat classroom seat locker employer company customer client supplier
    balance score grade average rating rank streak pressure temperature time schedule duration frequency venue
    location capacity coverage uptime sla count total distance pace pharmacy surgery practice hospital airline
    neighbourhood neighborhood street district postcode zip wifi network router browser os instrument position
    partner fiance fiancé spouse husband wife girlfriend boyfriend roommate flatmate mentor username handle website
    blog project thesis topic dissertation status font logo domain codename mascot theme license licence repo linter
    formatter broadband expiry size average day cardiologist dermatologist optician oncologist psychiatrist psychologist
    midwife plumber electrician gardener cleaner mechanic tailor caretaker janitor dispatcher babysitter childminder
    solicitor conductor lodger landline surgeon
    """
)
#: German attributes → their English predicates; others keep their own word.
GERMAN = {
    "hausarzt": "gp", "hausärztin": "gp", "zahnarzt": "dentist", "zahnärztin": "dentist", "arzt": "doctor",
    "ärztin": "doctor", "tierarzt": "vet", "tierärztin": "vet", "chef": "boss", "chefin": "boss",
    "vermieter": "landlord", "vermieterin": "landlord", "trainer": "coach", "trainerin": "coach", "auto": "car",
    "wagen": "car", "fahrrad": "bike", "handy": "phone", "telefon": "phone", "laptop": "laptop", "nummer": "number",
    "handynummer": "phone_number", "telefonnummer": "phone_number", "adresse": "address", "e-mail": "email",
    "mail": "email", "schule": "school", "gehalt": "salary", "miete": "rent", "größe": "height", "gewicht": "weight",
    "blutgruppe": "blood_type", "blutdruck": "blood_pressure", "lieblingsfach": "favourite_subject",
    "lieblingsfarbe": "favourite_colour", "lieblingsessen": "favourite_food", "lieblingsbuch": "favourite_book",
    "lieblingsfilm": "favourite_film", "lieblingsverein": "favourite_club", "lieblingsband": "favourite_band",
    "lieblingssänger": "favourite_singer", "lieblingsrestaurant": "favourite_restaurant", "bestzeit": "best_time",
    "bank": "bank", "verein": "club", "beruf": "job", "arbeitgeber": "employer", "ziel": "goal", "budget": "budget",
    "hobby": "hobby", "muttersprache": "native_language", "sternzeichen": "star_sign", "name": "name",
    "nachname": "surname", "vorname": "first_name", "spitzname": "nickname", "krankenkasse": "health_insurer",
    "versicherung": "insurer", "anbieter": "provider", "stromanbieter": "power_provider", "lehrer": "teacher",
    "lehrerin": "teacher", "klassenlehrer": "class_teacher", "klassenlehrerin": "class_teacher",
    "friseur": "hairdresser", "friseurin": "hairdresser", "fitnessstudio": "gym", "frist": "deadline",
    "abgabetermin": "deadline", "schuhgröße": "shoe_size", "kontonummer": "account_number", "geburtstag": "birthday",
    "rufnummer": "phone_number", "wohnung": "flat", "anschrift": "address", "kontingent": "quota",
    "version": "version", "passwort": "password", "alter": "age",
}  # fmt: skip
FRENCH = {
    "médecin": "doctor", "dentiste": "dentist", "patron": "boss", "patronne": "boss", "chef": "boss",
    "voiture": "car", "vélo": "bike", "téléphone": "phone", "numéro": "number", "adresse": "address",
    "école": "school", "salaire": "salary", "loyer": "rent", "nom": "name", "prénom": "first_name",
    "banque": "bank", "couleur préférée": "favourite_colour", "plat préféré": "favourite_dish",
    "anniversaire": "birthday", "pointure": "shoe_size", "taille": "size", "quota": "quota", "portable": "phone",
    "ordinateur": "computer", "médicament": "medicine", "mot de passe": "password",
    "film préféré": "favourite_film", "livre préféré": "favourite_book", "budget": "budget", "métier": "job",
}  # fmt: skip
SPANISH = {
    "médico": "doctor", "médica": "doctor", "dentista": "dentist", "jefe": "boss", "jefa": "boss", "coche": "car",
    "carro": "car", "bici": "bike", "bicicleta": "bike", "teléfono": "phone", "móvil": "phone", "número": "number",
    "dirección": "address", "escuela": "school", "colegio": "school", "sueldo": "salary", "salario": "salary",
    "alquiler": "rent", "nombre": "name", "apellido": "surname", "banco": "bank",
    "color favorito": "favourite_colour", "comida favorita": "favourite_food", "película favorita": "favourite_film",
    "cumpleaños": "birthday", "talla": "size", "talla de zapato": "shoe_size", "cuota": "quota",
    "ordenador": "computer", "portátil": "laptop", "contraseña": "password", "plato favorito": "favourite_dish",
    "libro favorito": "favourite_book", "presupuesto": "budget", "profesión": "job",
}  # fmt: skip


def has_one_value(predicate: str) -> bool:
    """Whether a predicate names an attribute of which one value holds at a time."""
    first, _, _ = predicate.partition("_")
    return predicate.rpartition("_")[2] in ATTRIBUTES or first in ("favourite", "favorite")
