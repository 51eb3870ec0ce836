"""Chat files into the palace: importing them once, and watching folders that grow (`importing.watching`)."""

from ricordo.importing.chats import import_chats

__all__ = ["import_chats"]
