-- Tags are selected where they are shown: as a function they were planned anew for each drawer.

DROP FUNCTION pointer_tags;
