"""Instruments for developing Ricordo, run as `python -m bench`. Benchmarks for users are in ricordo.bench."""
