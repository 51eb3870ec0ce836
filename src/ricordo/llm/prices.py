"""What calls cost: by the user's own prices, else by the published ones that genai-prices holds; never by a guess.

The published price of a model is that of the provider whose URL the endpoint has. The same model elsewhere, such as on
this machine, has no known price until the user sets one (0 for what runs at home).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ricordo.models import ModelPrice

_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """What a model costs at an endpoint; `own` is what the user has set."""

    model: str
    url: str
    own: ModelPrice | None = None

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0) -> Decimal | None:
        """US dollars for so many tokens, of which `cached` came out of the provider's cache; None where the price is
        not known."""
        if self.own is not None:
            return (self.own.input * tokens_in + self.own.output * tokens_out) / _MILLION
        from genai_prices import Usage, calc_price  # with its table it takes 15 ms

        used = Usage(input_tokens=tokens_in, output_tokens=tokens_out, cache_read_tokens=min(cached, tokens_in))
        try:
            return calc_price(used, self.model, provider_api_url=self.url).total_price
        except LookupError:
            return None
