-- What agents write and read themselves: profiles and entries, journal and core, notes; runs; and the log of every
-- access. Runs as the owner with search_path at Ricordo's schema.

CREATE TABLE agents (
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id              uuid NOT NULL,
    name            text NOT NULL,
    system_prompt   text,
    memory_disabled boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, name)
);

CREATE TABLE profiles (
    user_id            uuid NOT NULL,
    id                 uuid NOT NULL,
    agent_id           uuid NOT NULL,
    name               text NOT NULL,
    scope              text NOT NULL DEFAULT 'project' CHECK (scope IN ('project', 'conversation', 'global')),
    -- How long entries are read after they were written; NULL is for ever. How many stay; NULL is all.
    retention_seconds  bigint CHECK (retention_seconds > 0),
    max_entries        integer CHECK (max_entries > 0),
    isolation          text NOT NULL DEFAULT 'private' CHECK (isolation IN ('private', 'shared')),
    injection_strategy text NOT NULL DEFAULT 'top_confidence'
                       CHECK (injection_strategy IN ('top_confidence', 'recent', 'relevant')),
    injection_limit    integer NOT NULL DEFAULT 5 CHECK (injection_limit BETWEEN 0 AND 1000),
    injection_scopes   text[] NOT NULL DEFAULT '{project}'
                       CHECK (injection_scopes <@ '{project,conversation,global}'),
    seed_entries       jsonb NOT NULL DEFAULT '[]',
    is_default         boolean NOT NULL DEFAULT false,
    created_at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, agent_id, name),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_default_profile ON profiles (user_id, agent_id) WHERE is_default;

-- An agent that has profiles has a default one, whoever writes. Checked when the transaction ends, so that the default
-- can move from one profile to another.
CREATE FUNCTION require_default_profile() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    changed record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
    IF EXISTS (SELECT FROM agents WHERE user_id = changed.user_id AND id = changed.agent_id)
       AND NOT EXISTS (SELECT FROM profiles
                       WHERE user_id = changed.user_id AND agent_id = changed.agent_id AND is_default) THEN
        RAISE EXCEPTION 'agent % would have no default profile', changed.agent_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'one_default_profile';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER default_profile AFTER INSERT OR UPDATE OR DELETE ON profiles
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_default_profile();
-- The same at the agent's own creation.
CREATE FUNCTION require_profile_of_agent() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT FROM agents WHERE user_id = NEW.user_id AND id = NEW.id)
       AND NOT EXISTS (SELECT FROM profiles
                       WHERE user_id = NEW.user_id AND agent_id = NEW.id AND is_default) THEN
        RAISE EXCEPTION 'agent % has no default profile', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'one_default_profile';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER default_profile AFTER INSERT ON agents
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_profile_of_agent();

-- An agent may read the global entries of another; revoked by removing the row.
CREATE TABLE grants (
    user_id    uuid NOT NULL,
    from_agent uuid NOT NULL,
    to_agent   uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, from_agent, to_agent),
    FOREIGN KEY (user_id, from_agent) REFERENCES agents ON DELETE CASCADE,
    FOREIGN KEY (user_id, to_agent) REFERENCES agents ON DELETE CASCADE
);

CREATE TABLE runs (
    user_id         uuid NOT NULL,
    id              uuid NOT NULL,
    agent_id        uuid NOT NULL,
    conversation_id text,
    status          text NOT NULL DEFAULT 'running'
                    CHECK (status IN ('running', 'completed', 'failed', 'cancelled')),
    -- What the run saw, word for word.
    prompt          text,
    started_at      timestamptz NOT NULL DEFAULT now(),
    ended_at        timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);

-- Memories of the other kinds have no place in a room: their room is 0 and their drawer a number of this sequence.
CREATE SEQUENCE loose_numbers AS integer;
ALTER TABLE memories
    DROP CONSTRAINT memories_kind_check,
    ALTER COLUMN closet DROP NOT NULL,
    ALTER COLUMN conversation DROP NOT NULL,
    ALTER COLUMN position DROP NOT NULL,
    ALTER COLUMN turn_key DROP NOT NULL,
    ADD COLUMN agent_id uuid,
    ADD COLUMN profile_id uuid,
    ADD COLUMN scope text CHECK (scope IN ('project', 'conversation', 'global')),
    ADD COLUMN source text,
    ADD COLUMN confidence real CHECK (confidence BETWEEN 0 AND 1),
    ADD COLUMN importance smallint CHECK (importance BETWEEN 1 AND 10),
    ADD COLUMN retention text CHECK (retention IN ('medium_term', 'long_term')),
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN run_id uuid,
    ADD COLUMN conversation_id text,
    ADD COLUMN project_id text,
    ADD COLUMN tags text[],
    ADD COLUMN metadata jsonb,
    ADD COLUMN is_redacted boolean NOT NULL DEFAULT false,
    ADD COLUMN updated_at timestamptz,
    ADD CONSTRAINT memories_kind_check CHECK (CASE kind
        WHEN 'drawer' THEN room > 0 AND closet IS NOT NULL AND conversation IS NOT NULL AND position IS NOT NULL
                           AND turn_key IS NOT NULL
        WHEN 'entry' THEN room = 0 AND agent_id IS NOT NULL AND profile_id IS NOT NULL AND scope IS NOT NULL
                          AND source IN ('user', 'agent', 'tool', 'eval', 'manual') AND confidence IS NOT NULL
        WHEN 'journal' THEN room = 0 AND agent_id IS NOT NULL
        WHEN 'core' THEN room = 0 AND agent_id IS NOT NULL
        WHEN 'note' THEN room = 0 AND importance IS NOT NULL AND retention IS NOT NULL
                         AND (retention <> 'medium_term' OR expires_at IS NOT NULL)
        ELSE false END),
    ADD FOREIGN KEY (user_id, profile_id) REFERENCES profiles ON DELETE CASCADE,
    ADD FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE;
-- The order in which entries are read, and the seed's own index.
CREATE INDEX entries_by_confidence ON memories (user_id, profile_id, confidence DESC, created_at DESC, id)
    WHERE kind = 'entry' AND NOT is_redacted;
CREATE INDEX entries_by_scope ON memories (user_id, profile_id, scope, created_at DESC) WHERE kind = 'entry';
CREATE INDEX memories_by_agent ON memories (user_id, agent_id, kind, created_at) WHERE agent_id IS NOT NULL;
CREATE INDEX memories_by_expiry ON memories (user_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_by_run ON memories (user_id, run_id) WHERE run_id IS NOT NULL;

-- A drawer's text never changes, save for its redaction; and what is redacted stays so.
CREATE FUNCTION keep_word_for_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.is_redacted AND (NOT NEW.is_redacted OR NEW.content <> OLD.content) THEN
        RAISE EXCEPTION 'memory % is redacted', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.kind = 'drawer' AND NEW.content <> OLD.content AND NOT (NEW.is_redacted AND NEW.content = '[redacted]') THEN
        RAISE EXCEPTION 'memory % is a drawer: its text never changes', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER word_for_word BEFORE UPDATE OF content, is_redacted ON memories
    FOR EACH ROW EXECUTE FUNCTION keep_word_for_word();

-- What a memory said before each change.
CREATE TABLE memory_history (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    memory_id  uuid NOT NULL,
    version    integer NOT NULL,
    content    text NOT NULL,
    -- The other fields that a change may touch, as they were.
    fields     jsonb NOT NULL,
    -- From when to when it was so.
    valid_from timestamptz NOT NULL,
    valid_to   timestamptz NOT NULL,
    actor      text NOT NULL,
    PRIMARY KEY (user_id, memory_id, version)
);

-- Every access, one row for each call; which memories it touched is in access_memories. `xid` tells when a range of
-- rows is complete, so that it can be sealed.
CREATE TABLE access_log (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id          uuid NOT NULL,
    action      text NOT NULL,
    actor       text NOT NULL,
    run_id      uuid,
    context     jsonb NOT NULL DEFAULT '{}',
    accessed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    memory_ids  uuid[] NOT NULL,
    xid         bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX access_log_by_run ON access_log (user_id, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX access_log_by_xid ON access_log (user_id, xid);
CREATE TABLE access_memories (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    memory_id uuid NOT NULL,
    access_id uuid NOT NULL,
    PRIMARY KEY (user_id, memory_id, access_id)
);
-- The chain over the access log: each seal's hash covers the one before and every row with first_xid <= xid < end_xid.
CREATE TABLE access_seals (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    seal      integer NOT NULL,
    first_xid bigint NOT NULL,
    end_xid   bigint NOT NULL,
    accesses  integer NOT NULL,
    hash      bytea NOT NULL,
    sealed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, seal)
);

-- Events, for people and programs to follow: memory_mined, memory_injected, memory_committed …
CREATE TABLE activity (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    event      text NOT NULL,
    agent_id   uuid,
    run_id     uuid,
    payload    jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);
CREATE INDEX activity_by_run ON activity (user_id, run_id) WHERE run_id IS NOT NULL;

-- Whiteboards: notes that chosen agents share.
CREATE TABLE whiteboards (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    name       text NOT NULL,
    agents     uuid[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, name)
);
ALTER TABLE memories ADD COLUMN whiteboard_id uuid,
    ADD FOREIGN KEY (user_id, whiteboard_id) REFERENCES whiteboards ON DELETE CASCADE;

-- Consolidation: a journal entry that is proposed for core. Nothing changes until it is accepted.
CREATE TABLE proposals (
    user_id    uuid NOT NULL,
    id         uuid NOT NULL,
    agent_id   uuid NOT NULL,
    -- The journal entries that it comes from, and the reason.
    memory_ids uuid[] NOT NULL,
    content    text NOT NULL,
    reason     text NOT NULL,
    status     text NOT NULL DEFAULT 'proposed' CHECK (status IN ('proposed', 'accepted', 'rejected', 'undone')),
    -- The core memory that accepting it made.
    core_id    uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);

DO $$
DECLARE
    tenant text := $policy$user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid$policy$;
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['agents', 'profiles', 'grants', 'runs', 'memory_history', 'access_log',
                                'access_memories', 'access_seals', 'activity', 'whiteboards', 'proposals']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY tenant ON %I USING (%s) WITH CHECK (%s)', name, tenant, tenant);
    END LOOP;
END
$$;

GRANT USAGE ON SEQUENCE loose_numbers TO ricordo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON agents, profiles, grants, runs, whiteboards, proposals TO ricordo_app;
GRANT UPDATE, DELETE ON memories TO ricordo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON memory_history TO ricordo_app;
-- Insert-only: what happened cannot be unsaid by the application.
GRANT SELECT, INSERT ON access_log, access_memories, access_seals, activity TO ricordo_app;
