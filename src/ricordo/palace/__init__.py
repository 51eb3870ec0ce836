"""The places: wings, rooms, closets and drawers, the pointers to them, and editing them."""

from ricordo.palace.branch_store import WingOrder
from ricordo.palace.closets import arrange
from ricordo.palace.editing import (
    add_wing,
    know_people,
    merge_closets,
    merge_wings,
    move_drawers,
    move_room,
    rename_closet,
    rename_wing,
    settle_names,
    unmerge_wing,
    wing_for,
)
from ricordo.palace.emptied_store import imports, note_import
from ricordo.palace.foreign import located
from ricordo.palace.foreign_store import forget_places, note_places
from ricordo.palace.names import forget_emptied, forget_names
from ricordo.palace.people import AND, others_of
from ricordo.palace.pointer import Pointer
from ricordo.palace.spelling import accents, is_loud, keys, slug
from ricordo.palace.store import (
    TAGS,
    ConversationRow,
    Origin,
    Subject,
    add_conversation,
    add_room,
    add_terms,
    drawers,
    fill_room,
    find_conversation,
    take_up,
)
from ricordo.palace.tree import find_room, find_wing, find_wing_or_repository, show, tree

__all__ = [
    "AND",
    "TAGS",
    "ConversationRow",
    "Origin",
    "Pointer",
    "Subject",
    "WingOrder",
    "accents",
    "add_conversation",
    "add_room",
    "add_terms",
    "add_wing",
    "arrange",
    "drawers",
    "fill_room",
    "find_conversation",
    "find_room",
    "find_wing",
    "find_wing_or_repository",
    "forget_emptied",
    "forget_names",
    "forget_places",
    "imports",
    "is_loud",
    "keys",
    "know_people",
    "located",
    "merge_closets",
    "merge_wings",
    "move_drawers",
    "move_room",
    "note_import",
    "note_places",
    "others_of",
    "rename_closet",
    "rename_wing",
    "settle_names",
    "show",
    "slug",
    "take_up",
    "tree",
    "unmerge_wing",
    "wing_for",
]
