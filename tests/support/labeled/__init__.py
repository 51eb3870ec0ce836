"""Sentences with what they name and state, and how well an extraction agrees with them: python -m labeled."""
