"""Language models behind an endpoint that speaks OpenAI's protocol: questions to them, prices, the record of calls."""

from typing import TYPE_CHECKING

from ricordo.readers.budget import Budget
from ricordo.readers.embedding import note_embedding, paid_embedding
from ricordo.readers.form import Form
from ricordo.readers.ledger import Ledger, Record
from ricordo.readers.quoting import quoted
from ricordo.readers.readers import Readers
from ricordo.readers.summary import MOST_ENTRIES, Summary, estimate_summary, summarize

if TYPE_CHECKING:
    from ricordo.readers.reader import Reader as Reader  # imports the openai library: see Readers.reader

__all__ = [
    "MOST_ENTRIES",
    "Budget",
    "Form",
    "Ledger",
    "Readers",
    "Record",
    "Summary",
    "estimate_summary",
    "note_embedding",
    "paid_embedding",
    "quoted",
    "summarize",
]
