"""Lets every test import the helpers that lie beside this file: pytest puts its folder on the path."""
