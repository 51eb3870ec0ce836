-- Tending the palace: wings that have several names, that were merged, and rooms that were moved.

-- A wing's slug is for reading; what spellings have in common are its keys.
ALTER TABLE wings DROP CONSTRAINT wings_user_id_slug_key;
ALTER TABLE wings
    -- The wing that this one was merged into; never one that is merged itself.
    ADD COLUMN merged_into integer,
    -- Whether the user named or merged it: mining gives it no other name.
    ADD COLUMN tended boolean NOT NULL DEFAULT false,
    ADD FOREIGN KEY (user_id, merged_into) REFERENCES wings;

-- Every key (ricordo.palace.spelling) by which a wing is found. That of a merged wing leads on by `merged_into`.
CREATE TABLE wing_keys (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    key     text NOT NULL,
    wing    integer NOT NULL,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id, wing) REFERENCES wings
);
CREATE INDEX wing_keys_by_wing ON wing_keys (user_id, wing);

-- The wings that a room stood in before: pointers that name one of them stay valid.
CREATE TABLE former_places (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room    integer NOT NULL,
    wing    integer NOT NULL,
    PRIMARY KEY (user_id, room, wing),
    FOREIGN KEY (user_id, room) REFERENCES rooms,
    FOREIGN KEY (user_id, wing) REFERENCES wings
);
CREATE INDEX former_places_by_wing ON former_places (user_id, wing);

-- Whether the user changed its closets: mining adds to them and changes none.
ALTER TABLE rooms ADD COLUMN tended boolean NOT NULL DEFAULT false;
-- The slugs of closets that were merged into this one, or that it had before it was renamed.
ALTER TABLE closets ADD COLUMN aliases text[] NOT NULL DEFAULT '{}';

DO $$
DECLARE
    tenant text := $policy$user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid$policy$;
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['wing_keys', 'former_places']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY tenant ON %I USING (%s) WITH CHECK (%s)', name, tenant, tenant);
    END LOOP;
END
$$;

-- Wings that stand already are found by their slug, which was made of stems, and by their name as it is written.
ALTER TABLE wings NO FORCE ROW LEVEL SECURITY;
INSERT INTO wing_keys (user_id, key, wing)
    SELECT user_id, lower(regexp_replace(name, '[^[:alnum:]]+', '', 'g')), wing FROM wings
    WHERE name ~ '[[:alnum:]]' ORDER BY wing ON CONFLICT DO NOTHING;
INSERT INTO wing_keys (user_id, key, wing)
    SELECT user_id, '~' || replace(slug, '-', ''), wing FROM wings WHERE kind = 'topic'
    ORDER BY wing ON CONFLICT DO NOTHING;
ALTER TABLE wings FORCE ROW LEVEL SECURITY;
ALTER TABLE wing_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE former_places FORCE ROW LEVEL SECURITY;

GRANT SELECT, INSERT, UPDATE, DELETE ON wing_keys TO ricordo_app;
GRANT SELECT, INSERT, DELETE ON former_places TO ricordo_app;
GRANT DELETE ON closets TO ricordo_app;
