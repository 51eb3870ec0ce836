"""The labeled set of facts, and how well rules find them and recall uses them: `python -m bench facts`."""
