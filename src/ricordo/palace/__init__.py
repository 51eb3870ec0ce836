"""The palace: wings, rooms, closets and drawers, and the pointers to them."""

from ricordo.palace.names import forget_names
from ricordo.palace.pointer import Pointer
from ricordo.palace.store import (
    ConversationRow,
    Origin,
    RoomRow,
    Subject,
    WingRow,
    add_closets,
    add_conversation,
    add_room,
    add_wing,
    fill_room,
    find_conversation,
    wings,
)
from ricordo.palace.tree import show, tree

__all__ = [
    "ConversationRow",
    "Origin",
    "Pointer",
    "RoomRow",
    "Subject",
    "WingRow",
    "add_closets",
    "add_conversation",
    "add_room",
    "add_wing",
    "fill_room",
    "find_conversation",
    "forget_names",
    "show",
    "tree",
    "wings",
]
