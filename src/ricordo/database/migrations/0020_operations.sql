-- Long work that is followed while it goes on, and files that came for it. Runs as the owner with search_path at
-- Ricordo's schema.

-- Files that belong together, such as those of one import. They are gone when the work on them is done.
CREATE TABLE uploads (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);

CREATE TABLE upload_files (
    user_id uuid NOT NULL,
    upload  uuid NOT NULL,
    -- A path below the folder that the files stand in.
    name    text NOT NULL,
    -- Which chunks it consists of: sent again, a file gets new ones.
    content uuid NOT NULL,
    bytes   bigint NOT NULL,
    PRIMARY KEY (user_id, upload, name),
    FOREIGN KEY (user_id, upload) REFERENCES uploads ON DELETE CASCADE
);

CREATE TABLE upload_chunks (
    user_id uuid NOT NULL,
    upload  uuid NOT NULL,
    content uuid NOT NULL,
    number  integer NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (user_id, upload, content, number),
    FOREIGN KEY (user_id, upload) REFERENCES uploads ON DELETE CASCADE
);
ALTER TABLE upload_chunks ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE operations (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    kind       text NOT NULL,
    state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
    -- The agent whose key began it.
    agent_id   uuid,
    -- What it works on, and what it is to do; the files are those of `upload`.
    upload     uuid,
    request    jsonb NOT NULL,
    -- The job that does it.
    job        bigint,
    -- How much is done, and how much there is in all, as far as that is known.
    done       bigint NOT NULL DEFAULT 0,
    total      bigint,
    -- What came of it, or why it failed.
    result     jsonb,
    problem    text,
    cancelled  boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    began_at   timestamptz,
    ended_at   timestamptz,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX operations_by_age ON operations (user_id, created_at);

DO $$
DECLARE
    tenant text := $policy$user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid$policy$;
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['uploads', 'upload_files', 'upload_chunks', 'operations']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY tenant ON %I USING (%s) WITH CHECK (%s)', name, tenant, tenant);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ricordo_app', name);
    END LOOP;
END
$$;
