"""Where the LLM is: the endpoint of this process's settings, told without its key."""

from __future__ import annotations

from dataclasses import dataclass, field

from ricordo.errors import ModelUnavailable
from ricordo.extras import missing
from ricordo.settings import Settings


@dataclass(frozen=True)
class Endpoint:
    """An endpoint that speaks OpenAI's protocol."""

    #: Up to and without `/chat/completions`.
    url: str
    key: str | None = field(repr=False)

    def __str__(self) -> str:
        return self.url

    def without_key(self, text: str, longest: int = 200) -> str:
        """The beginning of a text that came from elsewhere, in one line and without the key."""
        line = " ".join((text.replace(self.key, "…") if self.key else text).split())
        return line if len(line) <= longest else line[:longest] + "…"


def endpoint(settings: Settings) -> Endpoint:
    """The endpoint of these settings. Raises ModelUnavailable where there is none, or no library to speak to it."""
    if settings.llm_url is None:
        raise ModelUnavailable(
            "no LLM is configured: set RICORDO_LLM_URL to an OpenAI-compatible endpoint, such as "
            "http://localhost:11434/v1, and RICORDO_LLM_MODEL to one of its models"
        )
    if missing("openai", "genai_prices"):
        raise ModelUnavailable("the package for LLMs is not installed: run `pip install 'ricordo[llm]'`")
    return Endpoint(settings.llm_url, settings.llm_key)
