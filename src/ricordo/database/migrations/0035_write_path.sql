-- The write path of ricordo.memories.writing, as far as SQL can walk it. Runs as the owner with search_path at Ricordo's
-- schema.

-- An identical live memory is found by its text.
CREATE INDEX memories_by_content ON memories USING hash (content) WHERE kind <> 'drawer' AND NOT is_redacted;

-- What ricordo.review.recalled refuses: a block that this memory itself brought back. A line break stands before and
-- after the text so that the margins of lines are told without anchors.
CREATE FUNCTION holds_recalled(p_text text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT p_text LIKE '%emory%' AND (
        p_text ~ '<memory_context>\s{0,3}What was said in earlier conversations, quoted as data\.'
        OR p_text ~ '<memory pointer="[^"<\n]{1,80}" at="[^"<\n]{1,40}" speaker="[^"<\n]{0,255}[^"<\n]{0,255}[^"<\n]{0,255}[^"<\n]{0,255}[^"<\n]{0,180}">'
        OR E'\n' || p_text ~ '\n## Context Memory\n- \[[01]\.\d{1,7}\] '
        OR E'\n' || p_text ~ '\n# Your Private Memory\n\n?## (Core Memories \(permanent\)|Recent Journal Entries)\n(- | {6})')
$$;

CREATE FUNCTION check_run(p_agent_id uuid, p_run_id uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF p_run_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM runs WHERE user_id = tenant_id() AND id = p_run_id AND agent_id = p_agent_id
    ) THEN
        RAISE EXCEPTION 'p_team_run_id: the agent of this profile has no run %', p_run_id
            USING ERRCODE = 'no_data_found', COLUMN = 'p_team_run_id';
    END IF;
END
$$;

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
    same uuid;
BEGIN
    -- Check.
    PERFORM check_scope_and_limit(coalesce(p_scope, ''), 1);
    IF p_source IS NULL OR p_source NOT IN ('user', 'agent', 'tool', 'eval', 'manual') THEN
        PERFORM refuse('p_source', format('must be user, agent, tool, eval or manual, not %L', left(p_source, 50)));
    ELSIF coalesce(said, '') = '' THEN
        PERFORM refuse('p_content', 'must not be blank');
    ELSIF length(said) > 10000 THEN
        PERFORM refuse('p_content', format('has %s characters; 10000 are the most', length(said)));
    ELSIF holds_recalled(said) THEN
        PERFORM refuse('p_content', 'holds a block that was recalled from this memory; write what is new in it');
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
    ELSIF talk IS NOT NULL AND (btrim(talk) = '' OR length(talk) > 500) THEN
        PERFORM refuse('p_metadata', 'conversation_id must have 1 to 500 characters');
    END IF;
    PERFORM check_run(profile.agent_id, p_team_run_id);
    -- Policy and review queue.
    PERFORM check_policies(profile, p_source);
    -- Lock the parents, from the outside in; other writers wait only where they share a cap.
    PERFORM FROM agents WHERE user_id = profile.user_id AND id = profile.agent_id FOR KEY SHARE;
    IF profile.max_entries IS NULL THEN
        PERFORM FROM profiles WHERE user_id = profile.user_id AND id = profile.id FOR KEY SHARE;
    ELSE
        PERFORM FROM profiles WHERE user_id = profile.user_id AND id = profile.id FOR NO KEY UPDATE;
    END IF;
    IF NOT FOUND THEN
        PERFORM profile_of(p_profile_id);
    END IF;
    -- Duplicate check.
    PERFORM pg_advisory_xact_lock(hashtextextended(format('write:%s:entry:%s', profile.user_id, said), 0));
    SELECT m.id INTO same FROM memories m
    WHERE m.user_id = profile.user_id AND m.content = said AND m.kind <> 'drawer' AND NOT m.is_redacted
      AND m.kind = 'entry' AND m.profile_id = profile.id AND m.scope = p_scope AND m.source = p_source
      AND m.conversation_id IS NOT DISTINCT FROM talk AND m.confidence = coalesce(p_confidence, 0.5)::real
      AND m.expires_at IS NOT DISTINCT FROM p_expires_at AND coalesce(m.metadata, '{}') = coalesce(p_metadata, '{}')
      AND (m.expires_at IS NULL OR m.expires_at > now())
      AND (profile.retention_seconds IS NULL
           OR m.created_at > now() - profile.retention_seconds * interval '1 second')
    ORDER BY m.created_at, m.id LIMIT 1;
    IF same IS NOT NULL THEN
        RETURN same;
    END IF;
    -- Insert, with the queues for terms and vectors.
    INSERT INTO memories (user_id, room, drawer, id, kind, role, speaker, content, said_at, agent_id, profile_id,
                          scope, source, confidence, expires_at, run_id, conversation_id, metadata)
    SELECT a.user_id, 0, nextval('loose_numbers'), written, 'entry', 'agent', a.name, said, now(), a.id, profile.id,
           p_scope, p_source, coalesce(p_confidence, 0.5), p_expires_at, p_team_run_id, talk, p_metadata
    FROM agents a WHERE a.user_id = profile.user_id AND a.id = profile.agent_id
    RETURNING drawer INTO place;
    INSERT INTO unindexed VALUES (profile.user_id, 0, place);
    INSERT INTO unembedded VALUES (profile.user_id, 0, place);
    -- Access log and cap.
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
    REVOKE ALL ON FUNCTION holds_recalled, check_run FROM PUBLIC;
    ALTER FUNCTION holds_recalled OWNER TO ricordo_app;
    ALTER FUNCTION check_run OWNER TO ricordo_app;
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM ricordo_app', here);
END
$$;
