-- Who and what the drawers name, and what they state of them. Runs as the owner with search_path at Ricordo's schema.
--
-- Names are the keys: a drawer's mention holds the slug of a name, the name belongs to an entity, and an entity may have
-- turned out to be another, its `root`. So joining two entities, and parting them again, changes no mention and no
-- assertion. How long a relation held is not stored: it follows from the assertions (ricordo.palace.relations), whatever
-- the order in which they came.

ALTER TABLE users ADD COLUMN last_entity integer NOT NULL DEFAULT 0;

CREATE TABLE entities (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    entity      integer NOT NULL,
    id          uuid NOT NULL,
    -- What a person chose; NULL is what most of its drawers say.
    chosen_name text,
    chosen_kind text CHECK (chosen_kind IN ('person', 'organization', 'project', 'item', 'place', 'event', 'topic')),
    -- What is shown, kept by every change of what it follows from.
    name        text NOT NULL,
    kind        text NOT NULL,
    -- Whom it turned out to be, and who said so; merged by hand into none is kept apart by hand.
    merged_into integer,
    merged_by   text CHECK (merged_by IN ('rules', 'manual')),
    -- The end of that chain; itself where it was merged into none.
    root        integer NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, entity),
    UNIQUE (user_id, id),
    CHECK (merged_into <> entity)
);
CREATE INDEX entities_by_root ON entities (user_id, root);

-- The names of entities. `slug` is what the spellings of a name have in common.
CREATE TABLE aliases (
    user_id uuid NOT NULL,
    slug    text NOT NULL,
    entity  integer NOT NULL,
    -- The spelling that a person entered, if one did.
    by_hand text,
    PRIMARY KEY (user_id, slug),
    FOREIGN KEY (user_id, entity) REFERENCES entities ON DELETE CASCADE
);
CREATE INDEX aliases_by_entity ON aliases (user_id, entity);

-- How many drawers spell a name so, and take it for this kind.
CREATE TABLE spellings (
    user_id uuid NOT NULL,
    slug    text NOT NULL,
    name    text NOT NULL,
    kind    text NOT NULL,
    drawers integer NOT NULL,
    PRIMARY KEY (user_id, slug, name, kind),
    FOREIGN KEY (user_id, slug) REFERENCES aliases ON DELETE CASCADE
);

CREATE TABLE mentions (
    user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room     integer NOT NULL,
    drawer   integer NOT NULL,
    slug     text NOT NULL,
    name     text NOT NULL,
    kind     text NOT NULL,
    found_by text NOT NULL CHECK (found_by IN ('rules', 'model')),
    PRIMARY KEY (user_id, room, drawer, slug)
);
CREATE INDEX mentions_by_slug ON mentions (user_id, slug, room, drawer);

-- What was stated: by a drawer, or by hand (then room and drawer are NULL).
CREATE TABLE assertions (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id          uuid NOT NULL,
    room        integer,
    drawer      integer,
    subject     text NOT NULL,
    predicate   text NOT NULL,
    -- The slug of an entity, or NULL where `value` is plain.
    object      text,
    value       text NOT NULL,
    said_at     timestamptz NOT NULL,
    holds_since timestamptz,
    holds_until timestamptz,
    ended       boolean NOT NULL DEFAULT false,
    found_by    text NOT NULL CHECK (found_by IN ('rules', 'model', 'manual')),
    PRIMARY KEY (user_id, id),
    CHECK ((room IS NULL) = (drawer IS NULL) AND (room IS NULL) = (found_by = 'manual'))
);
CREATE INDEX assertions_by_subject ON assertions (user_id, subject);
CREATE INDEX assertions_by_object ON assertions (user_id, object) WHERE object IS NOT NULL;
CREATE INDEX assertions_by_place ON assertions (user_id, room, drawer) WHERE room IS NOT NULL;

-- Drawers that a language model has read: what it found there is not replaced by what rules find.
CREATE TABLE model_reads (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    PRIMARY KEY (user_id, room, drawer)
);

DO $$
DECLARE
    tenant text := $policy$user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid$policy$;
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['entities', 'aliases', 'spellings', 'mentions', 'assertions', 'model_reads']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY tenant ON %I USING (%s) WITH CHECK (%s)', name, tenant, tenant);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ricordo_app', name);
    END LOOP;
END
$$;

-- The tags of a drawer's pointer: whom and what it names, by kind, and the day.
CREATE FUNCTION pointer_tags(place_room integer, place_drawer integer, said_at timestamptz) RETURNS text[]
    LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT coalesce(array_agg(tag ORDER BY tag), '{}') || ('@t ' || to_char(said_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'))
    FROM (
        SELECT DISTINCT CASE e.kind WHEN 'person' THEN '@p ' WHEN 'place' THEN '@l ' WHEN 'event' THEN '@e '
                        ELSE '@i ' END || e.name AS tag
        FROM mentions m
        JOIN aliases a USING (user_id, slug)
        JOIN entities named USING (user_id, entity)
        JOIN entities e ON e.user_id = named.user_id AND e.entity = named.root
        WHERE m.room = place_room AND m.drawer = place_drawer AND e.kind <> 'topic'
    ) tags
$$;
GRANT EXECUTE ON FUNCTION pointer_tags TO ricordo_app;
