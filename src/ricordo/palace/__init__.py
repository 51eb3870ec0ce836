"""The places: wings, rooms, closets and drawers, the pointers to them, and editing them."""

from ricordo.palace.branch_store import WingOrder
from ricordo.palace.closets import arrange, arrange_new
from ricordo.palace.editing import (
    add_wing,
    follow_project,
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
    wing_left_at,
)
from ricordo.palace.editing_store import wing_of_room, wings_of
from ricordo.palace.emptied_store import imports
from ricordo.palace.filing_store import NewPlaces, NewRoom, add_places, fill_room
from ricordo.palace.foreign import located
from ricordo.palace.foreign_store import forget_places, note_places
from ricordo.palace.names import forget_emptied, forget_names
from ricordo.palace.people import AND, others_of
from ricordo.palace.pointer import Pointer
from ricordo.palace.scope import Scope, open_pointers, scope_of
from ricordo.palace.spelling import accents, is_loud, keys, slug
from ricordo.palace.store import (
    TAGS,
    ConversationRow,
    Origin,
    Subject,
    WingRow,
    add_terms,
    drawers,
    find_conversation,
    find_conversations,
    take_up,
)
from ricordo.palace.tree import find_room, find_wing, find_wing_or_repository, show, tree

__all__ = [
    "AND",
    "TAGS",
    "ConversationRow",
    "NewPlaces",
    "NewRoom",
    "Origin",
    "Pointer",
    "Scope",
    "Subject",
    "WingOrder",
    "WingRow",
    "accents",
    "add_places",
    "add_terms",
    "add_wing",
    "arrange",
    "arrange_new",
    "drawers",
    "fill_room",
    "find_conversation",
    "find_conversations",
    "find_room",
    "find_wing",
    "find_wing_or_repository",
    "follow_project",
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
    "note_places",
    "open_pointers",
    "others_of",
    "rename_closet",
    "rename_wing",
    "scope_of",
    "settle_names",
    "show",
    "slug",
    "take_up",
    "tree",
    "unmerge_wing",
    "wing_for",
    "wing_left_at",
    "wing_of_room",
    "wings_of",
]
