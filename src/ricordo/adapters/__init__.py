"""Ricordo inside agent frameworks, one module for each framework."""
