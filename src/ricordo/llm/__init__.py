"""Language models behind an OpenAI-compatible endpoint: requests, prices, and the ledger of calls."""

from typing import TYPE_CHECKING

from ricordo.llm.budget import Budget
from ricordo.llm.form import Form
from ricordo.llm.ledger import Ledger
from ricordo.llm.llms import LLMs, answers
from ricordo.llm.prices import Price
from ricordo.llm.quoting import quoted
from ricordo.llm.summary import MOST_ENTRIES, estimate_summary, summarize

if TYPE_CHECKING:  # it imports openai, which takes half a second: `LLMs` does so once one is asked
    from ricordo.llm.llm import LLM as LLM

__all__ = [
    "MOST_ENTRIES",
    "Budget",
    "Form",
    "LLMs",
    "Ledger",
    "Price",
    "answers",
    "estimate_summary",
    "quoted",
    "summarize",
]
