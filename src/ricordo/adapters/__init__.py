"""Ricordo inside agent frameworks: one module for each, which needs that framework and the extra of its name."""
