"""A run of an agent: injection before it, the write gate around it, and what it saw."""
