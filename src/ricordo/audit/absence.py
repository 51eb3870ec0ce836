"""Proves that a text is nowhere in a user's part of the store, as far as that can be proved from inside it."""

from __future__ import annotations

import json

from ricordo import rules
from ricordo.audit import absence_store as store
from ricordo.database import Transaction, whole_tables
from ricordo.errors import InvalidInput
from ricordo.models import Absence

_UNKNOWN = (
    "Existing backups and exports may still contain it (see `ricordo verify FILE --absent TEXT`), and so may "
    "replicas that lag behind or are stopped.",
    "The server's files may contain it until their space is reused: dead rows until VACUUM, the write-ahead log until "
    "its segments are recycled.",
    "Uploaded files were searched as they are; compressed files were not unpacked.",
    "The key of a drawer is a 64-bit hash of its text. It is stored so that the turn is not mined again.",
    "Search terms are 32-bit hashes and vectors are numbers. The check counted those of redacted or deleted memories.",
    "Only this user's rows were searched, and only for the exact text, not for paraphrases.",
)


class Wanted:
    """A text that is looked for, its case ignored but for bytes. Raises InvalidInput for a blank one."""

    def __init__(self, text: str) -> None:
        self.text = rules.text("text", text)
        if not self.text.strip():
            raise InvalidInput("text", "must not be blank")
        #: As it stands inside JSON, where quotation marks, backslashes and line ends are escaped.
        self.escaped = json.dumps(self.text, ensure_ascii=False)[1:-1]

    def in_text(self, text: str) -> bool:
        return self.text.lower() in text.lower()

    def in_json(self, json: str) -> bool:
        return self.escaped.lower() in json.lower()

    def in_bytes(self, content: bytes) -> bool:
        return self.text.encode() in content or self.escaped.encode() in content


async def absence(tx: Transaction, text: str) -> Absence:
    """Look for a text in every column of the user's rows that can hold one, its case ignored but for bytes. Writes and
    logs nothing.

    Raises InvalidInput for a blank text.
    """
    wanted = Wanted(text)
    places = []
    for table, columns in (await store.columns(tx)).items():
        places += await store.rows_with(tx, table, columns, wanted.text, wanted.escaped)
    async with whole_tables(tx):
        left_over = await store.left_over(tx)
    return Absence(places=tuple(places), left_over=left_over, unknown=_UNKNOWN)
