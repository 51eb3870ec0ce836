"""Turns → what they name and state: by rules alone, or through a language model."""
