"""Programs that run inside a peer's own virtual environment, beside the peer, and know nothing of Ricordo."""
