"""Language models behind an endpoint that speaks OpenAI's protocol: extraction, rerank, answers; prices and caps."""
