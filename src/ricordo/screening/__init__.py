"""Secrets and personal data in texts: finding them, and keeping, redacting or refusing what holds them."""

from ricordo.screening.screen import Finding, Screen, find, refusal, told

__all__ = ["Finding", "Screen", "find", "refusal", "told"]
