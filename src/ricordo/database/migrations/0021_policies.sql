-- Policies on what may be kept: secrets and personal data, and what waits for a review first. Runs as the owner with
-- search_path at Ricordo's schema.

ALTER TABLE settings
    ADD COLUMN secrets text NOT NULL DEFAULT 'store' CHECK (secrets IN ('store', 'redact', 'reject')),
    ADD COLUMN personal_data text NOT NULL DEFAULT 'store' CHECK (personal_data IN ('store', 'redact', 'reject')),
    ADD COLUMN quarantine text NOT NULL DEFAULT 'nothing' CHECK (quarantine IN ('nothing', 'tools', 'agents'));

-- NULL is the user's.
ALTER TABLE profiles
    ADD COLUMN secrets text CHECK (secrets IN ('store', 'redact', 'reject')),
    ADD COLUMN personal_data text CHECK (personal_data IN ('store', 'redact', 'reject')),
    ADD COLUMN quarantine text CHECK (quarantine IN ('nothing', 'tools', 'agents'));

-- Writes that wait for the user's word. Nothing searches, reads or embeds them: accepting one writes it anew, and
-- whatever is decided, the row goes.
CREATE TABLE quarantined (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- The id that the memory will have.
    id         uuid NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('entry', 'journal', 'core', 'note')),
    content    text NOT NULL,
    -- The columns that it will have (see ricordo.nouns.Entry), as JSON.
    fields     jsonb NOT NULL,
    speaker    text NOT NULL,
    -- Who wrote it, and in which run.
    actor      text NOT NULL,
    run_id     uuid,
    agent_id   uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
CREATE INDEX quarantined_by_age ON quarantined (user_id, created_at);
ALTER TABLE quarantined ENABLE ROW LEVEL SECURITY;
ALTER TABLE quarantined FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON quarantined USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON quarantined TO ricordo_app;

-- Texts are searched in Python. What SQL writes cannot be, so that it is refused where a policy wants it searched or
-- reviewed first.
CREATE FUNCTION check_policies(p_profile profiles, p_source text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    chosen settings;
    held text;
BEGIN
    SELECT * INTO chosen FROM settings WHERE user_id = p_profile.user_id;
    IF coalesce(p_profile.secrets, chosen.secrets, 'store') <> 'store'
       OR coalesce(p_profile.personal_data, chosen.personal_data, 'store') <> 'store' THEN
        PERFORM refuse('p_content', 'is searched for secrets and personal data in this profile, which SQL cannot do: '
                                    'write it by Ricordo''s library, HTTP API or command line');
    END IF;
    held := coalesce(p_profile.quarantine, chosen.quarantine, 'nothing');
    IF p_source = 'tool' AND held <> 'nothing' OR p_source IN ('agent', 'eval') AND held = 'agents' THEN
        PERFORM refuse('p_source', format('%s is reviewed before it is kept, which SQL cannot ask for: write it by '
                                          'Ricordo''s library, HTTP API or command line', p_source));
    END IF;
END
$$;

-- As in 0014, but for check_policies. Replacing a function keeps who owns and who may call it, and no more.
CREATE OR REPLACE FUNCTION fn_write_memory_entry(
    p_profile_id uuid, p_scope text, p_source text, p_content text, p_confidence double precision DEFAULT 0.5,
    p_expires_at timestamptz DEFAULT NULL, p_team_run_id uuid DEFAULT NULL, p_metadata jsonb DEFAULT NULL
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    profile profiles := profile_of(p_profile_id);
    said text := trimmed(p_content);
    -- The scope conversation needs one: the run's, else the one that the metadata name.
    talk text := CASE WHEN p_scope = 'conversation' THEN coalesce(
        (SELECT conversation_id FROM runs WHERE user_id = tenant_id() AND id = p_team_run_id),
        p_metadata ->> 'conversation_id') END;
    written uuid := new_id();
    place integer;
    expired uuid[];
BEGIN
    PERFORM check_scope_and_limit(coalesce(p_scope, ''), 1);
    IF p_source IS NULL OR p_source NOT IN ('user', 'agent', 'tool', 'eval', 'manual') THEN
        PERFORM refuse('p_source', format('must be user, agent, tool, eval or manual, not %L', left(p_source, 50)));
    ELSIF coalesce(said, '') = '' THEN
        PERFORM refuse('p_content', 'must not be blank');
    ELSIF length(said) > 10000 THEN
        PERFORM refuse('p_content', format('has %s characters; 10000 are the most', length(said)));
    ELSIF coalesce(p_confidence, 0.5) NOT BETWEEN 0 AND 1 THEN
        PERFORM refuse('p_confidence', format('must lie between 0 and 1, not %s', p_confidence));
    ELSIF p_expires_at <= now() THEN
        PERFORM refuse('p_expires_at', format('%s has passed; it must lie in the future', p_expires_at));
    ELSIF jsonb_typeof(p_metadata) <> 'object' THEN
        PERFORM refuse('p_metadata', 'must be an object with named values');
    ELSIF length(p_metadata::text) > 100000 OR jsonb_path_exists(p_metadata, '$.**{32 to last}') THEN
        PERFORM refuse('p_metadata', 'has more than 100,000 characters, or is nested more than 32 levels deep');
    ELSIF p_scope = 'conversation' AND talk IS NULL THEN
        PERFORM refuse('p_scope', 'conversation needs a run that has one, or conversation_id in p_metadata');
    END IF;
    PERFORM check_policies(profile, p_source);
    INSERT INTO memories (user_id, room, drawer, id, kind, role, speaker, content, said_at, agent_id, profile_id,
                          scope, source, confidence, expires_at, run_id, conversation_id, metadata)
    SELECT a.user_id, 0, nextval('loose_numbers'), written, 'entry', 'agent', a.name, said, now(), a.id, profile.id,
           p_scope, p_source, coalesce(p_confidence, 0.5), p_expires_at, p_team_run_id, talk, p_metadata
    FROM agents a WHERE a.user_id = profile.user_id AND a.id = profile.agent_id
    RETURNING drawer INTO place;
    INSERT INTO unindexed VALUES (profile.user_id, 0, place);
    INSERT INTO unembedded VALUES (profile.user_id, 0, place);
    PERFORM log_access('write', p_team_run_id, '{"kind": "entry"}', ARRAY[written]);
    WITH beyond AS (
        SELECT user_id, id FROM memories
        WHERE profile_id = profile.id AND kind = 'entry' AND NOT is_redacted
          AND (expires_at IS NULL OR expires_at > now())
          AND (profile.retention_seconds IS NULL
               OR created_at > now() - profile.retention_seconds * interval '1 second')
        ORDER BY confidence DESC, created_at DESC, id DESC OFFSET profile.max_entries
    ), gone AS (
        UPDATE memories m SET expires_at = now(), updated_at = now() FROM beyond b
        WHERE profile.max_entries IS NOT NULL AND (m.user_id, m.id) = (b.user_id, b.id) RETURNING m.id
    )
    SELECT array_agg(id) INTO expired FROM gone;
    IF expired IS NOT NULL THEN
        PERFORM log_access('expire', p_team_run_id, jsonb_build_object('max_entries', profile.max_entries), expired);
    END IF;
    RETURN written;
END
$$;

DO $$
DECLARE
    here text := current_schema();
    vectors text := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector');
    written regprocedure := (SELECT oid FROM pg_proc
        WHERE pronamespace = here::regnamespace AND proname = 'fn_write_memory_entry');
BEGIN
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', written);
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, %s, pg_temp', written, here, vectors);
    EXECUTE format('GRANT CREATE ON SCHEMA %I TO ricordo_app', here);
    REVOKE ALL ON FUNCTION check_policies FROM PUBLIC;
    ALTER FUNCTION check_policies OWNER TO ricordo_app;
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM ricordo_app', here);
END
$$;
