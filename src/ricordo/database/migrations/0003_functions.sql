-- The SQL surface: what any PostgreSQL client may call, under row-level security. Runs as the owner with search_path
-- at Ricordo's schema.
--
-- Every function and the view belong to ricordo_app, which row-level security binds: definer's rights then give the
-- role ricordo_sql, which may do nothing else, the tables' use but no way around tenancy. The client sets
-- ricordo.user_id, and names functions with the schema or has it on its search_path.

-- Memories whose text came in by SQL: their search terms are made in Python, at the next search or embedding.
CREATE TABLE unindexed (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    PRIMARY KEY (user_id, room, drawer)
);
ALTER TABLE unindexed ENABLE ROW LEVEL SECURITY;
ALTER TABLE unindexed FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON unindexed USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON unindexed TO ricordo_app;

-- Entries with the column names of seed 000, expired and redacted ones too. What the writer told of an entry
-- (p_metadata) is in embedding_metadata, the only column there that can hold it.
CREATE VIEW memories_v AS
    SELECT m.id, m.profile_id, m.agent_id AS ai_lenser_id, m.scope, m.source, m.content,
           coalesce(m.metadata, '{}') AS embedding_metadata, m.confidence::numeric AS confidence, m.expires_at,
           m.run_id AS team_run_id, m.is_redacted, m.created_at, p.name AS profile_name
    FROM memories m JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id
    WHERE m.kind = 'entry';

-- A UUID of version 7 (RFC 9562), as ricordo.entries.ids makes them; PostgreSQL has it from version 18 on.
CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
            || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- The user of this connection; NULL where none is set.
CREATE FUNCTION tenant_id() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT nullif(current_setting('ricordo.user_id', true), '')::uuid
$$;

CREATE FUNCTION log_access(p_action text, p_run_id uuid, p_context jsonb, p_memory_ids uuid[]) RETURNS void
LANGUAGE sql AS $$
    WITH logged AS (
        INSERT INTO access_log (user_id, id, action, actor, run_id, context, memory_ids)
        VALUES (tenant_id(), new_id(), p_action, 'sql:' || session_user, p_run_id, p_context, p_memory_ids)
        RETURNING user_id, id
    )
    INSERT INTO access_memories (user_id, memory_id, access_id)
    SELECT DISTINCT logged.user_id, memory_id, logged.id FROM logged, unnest(p_memory_ids) AS memory_id
$$;

-- A profile of the user's; the same answer for one that isn't there and for another user's.
CREATE FUNCTION profile_of(p_profile_id uuid) RETURNS profiles LANGUAGE plpgsql STABLE AS $$
DECLARE
    found profiles;
BEGIN
    SELECT * INTO found FROM profiles WHERE user_id = tenant_id() AND id = p_profile_id;
    IF found.id IS NULL THEN
        RAISE EXCEPTION 'p_profile_id: there is no memory profile %', p_profile_id
            USING ERRCODE = 'no_data_found', COLUMN = 'p_profile_id', HINT = CASE WHEN tenant_id() IS NULL
                THEN 'No user is set: SET ricordo.user_id = ''<the user''''s id>'' first.'
                ELSE '`ricordo memory list-profiles` lists them.' END;
    END IF;
    RETURN found;
END
$$;

CREATE FUNCTION refuse(p_field text, p_problem text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%: %', p_field, p_problem USING ERRCODE = 'invalid_parameter_value', COLUMN = p_field;
END
$$;

CREATE FUNCTION check_scope_and_limit(p_scope text, p_limit integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_scope NOT IN ('project', 'conversation', 'global') THEN
        PERFORM refuse('p_scope', format('must be project, conversation or global, not %L', left(p_scope, 50)));
    END IF;
    IF p_limit IS NULL OR p_limit NOT BETWEEN 1 AND 1000 THEN
        PERFORM refuse('p_limit', format('must be a whole number from 1 to 1,000, not %s', p_limit));
    END IF;
END
$$;

-- Whether a memory is read: neither redacted nor expired, nor past its profile's retention.
CREATE FUNCTION is_live(m memories, retention_seconds bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT m.is_redacted AND (m.expires_at IS NULL OR m.expires_at > now()) AND (retention_seconds IS NULL OR
           m.created_at > now() - retention_seconds * interval '1 second')
$$;

CREATE FUNCTION fn_write_memory_entry(
    p_profile_id uuid, p_scope text, p_source text, p_content text, p_confidence double precision DEFAULT 0.5,
    p_expires_at timestamptz DEFAULT NULL, p_team_run_id uuid DEFAULT NULL, p_metadata jsonb DEFAULT NULL
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    profile profiles := profile_of(p_profile_id);
    said text := regexp_replace(p_content, '^\s+|\s+$', '', 'g');
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

CREATE FUNCTION fn_read_memory_entries(
    p_profile_id uuid, p_scope text DEFAULT NULL, p_limit integer DEFAULT 50, p_team_run_id uuid DEFAULT NULL
) RETURNS SETOF memories_v LANGUAGE plpgsql AS $$
DECLARE
    profile profiles := profile_of(p_profile_id);
    read uuid[];
BEGIN
    PERFORM check_scope_and_limit(p_scope, p_limit);
    read := ARRAY(
        SELECT m.id FROM memories m
        WHERE m.profile_id = profile.id AND m.kind = 'entry' AND NOT m.is_redacted
          AND is_live(m, profile.retention_seconds) AND (p_scope IS NULL OR m.scope = p_scope)
        ORDER BY m.confidence DESC, m.created_at DESC, m.id DESC LIMIT p_limit);
    PERFORM log_access('read', p_team_run_id, jsonb_build_object('profile_id', profile.id, 'scope', p_scope), read);
    RETURN QUERY SELECT v.* FROM unnest(read) WITH ORDINALITY AS chosen (id, place) JOIN memories_v v USING (id)
                 ORDER BY chosen.place;
END
$$;

-- Removes all that is derived from a memory and all earlier texts of it, and strikes these from what runs saw and from
-- what was proposed. Returns how many rows of each place. Python redacts and forgets by it too.
CREATE FUNCTION erase_traces(p_memory_id uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    memory memories;
    said text;
    one_line text;
    counts jsonb := '{}';
    rows integer;
    struck integer := 0;
    terms_gone integer;
BEGIN
    SELECT * INTO STRICT memory FROM memories WHERE user_id = tenant_id() AND id = p_memory_id FOR UPDATE;
    -- In the block of a prompt each entry is a line of its own, which is struck if it says just this: a part of another
    -- entry's line must stay, or its rest could never be struck. Elsewhere a text is struck wherever it stands, unless
    -- it is so short that it would be found within other words. The longest first, as one may hold another.
    FOR said, one_line IN
        SELECT text, regexp_replace(text, '\s+', ' ', 'g')
        FROM (SELECT memory.content AS text UNION SELECT content FROM memory_history WHERE memory_id = p_memory_id) texts
        ORDER BY length(text) DESC
    LOOP
        UPDATE runs SET prompt = (
            SELECT string_agg(
                CASE WHEN line ~ '^- \[[0-9.]+\] ' THEN
                    CASE WHEN substr(line, strpos(line, '] ') + 2) = one_line
                         THEN left(line, strpos(line, '] ') + 1) || '[redacted]' ELSE line END
                WHEN length(one_line) >= 12 THEN replace(line, one_line, '[redacted]') ELSE line END,
                E'\n' ORDER BY number)
            FROM string_to_table(
                CASE WHEN strpos(said, E'\n') > 0 THEN replace(prompt, said, '[redacted]') ELSE prompt END, E'\n'
            ) WITH ORDINALITY AS lines (line, number))
        WHERE strpos(prompt, said) + strpos(prompt, one_line) > 0 AND id IN (
            SELECT l.run_id FROM access_memories a JOIN access_log l ON l.user_id = a.user_id AND l.id = a.access_id
            WHERE a.memory_id = p_memory_id);
        GET DIAGNOSTICS rows = ROW_COUNT;
        struck := struck + rows;
    END LOOP;
    counts := counts || jsonb_build_object('runs', struck);
    UPDATE proposals SET content = '[redacted]' WHERE p_memory_id = ANY(memory_ids);
    GET DIAGNOSTICS rows = ROW_COUNT;
    counts := counts || jsonb_build_object('proposals', rows);
    -- The queues first: deleting there waits for a worker that is just making terms or a vector, which then are there
    -- to be removed.
    DELETE FROM unindexed WHERE room = memory.room AND drawer = memory.drawer;
    DELETE FROM unembedded WHERE room = memory.room AND drawer = memory.drawer;
    GET DIAGNOSTICS rows = ROW_COUNT;
    counts := counts || jsonb_build_object('unembedded', rows);
    DELETE FROM embeddings WHERE room = memory.room AND drawer = memory.drawer;
    GET DIAGNOSTICS rows = ROW_COUNT;
    counts := counts || jsonb_build_object('embeddings', rows);
    IF memory.room > 0 THEN
        -- The user before the room, which is the order in which a miner locks them.
        SELECT max(length) INTO terms_gone FROM postings WHERE room = memory.room AND drawer = memory.drawer;
        UPDATE users SET terms = terms - coalesce(terms_gone, 0) WHERE user_id = tenant_id();
        UPDATE rooms SET terms = terms - coalesce(terms_gone, 0) WHERE room = memory.room;
    END IF;
    DELETE FROM postings WHERE room = memory.room AND drawer = memory.drawer;
    GET DIAGNOSTICS rows = ROW_COUNT;
    counts := counts || jsonb_build_object('postings', rows);
    DELETE FROM memory_history WHERE memory_id = p_memory_id;
    GET DIAGNOSTICS rows = ROW_COUNT;
    RETURN counts || jsonb_build_object('memory_history', rows);
END
$$;

CREATE FUNCTION fn_redact_memory_entry(p_memory_id uuid, p_reason text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    memory memories;
BEGIN
    SELECT * INTO memory FROM memories WHERE user_id = tenant_id() AND id = p_memory_id FOR UPDATE;
    IF memory.id IS NULL THEN
        RAISE EXCEPTION 'p_memory_id: there is no memory %', p_memory_id
            USING ERRCODE = 'no_data_found', COLUMN = 'p_memory_id';
    ELSIF memory.kind = 'drawer' THEN
        -- The names of its closet and wing may hold its words, and only Python can tell.
        PERFORM refuse('p_memory_id', 'is a drawer of the palace; redact it with Ricordo''s library or command line');
    ELSIF memory.is_redacted THEN
        RETURN;
    END IF;
    PERFORM erase_traces(p_memory_id);
    UPDATE memories SET content = '[redacted]', is_redacted = true, tags = NULL, metadata = NULL, updated_at = now()
    WHERE user_id = memory.user_id AND id = p_memory_id;
    PERFORM log_access('redact', NULL, jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), ARRAY[p_memory_id]);
END
$$;

CREATE FUNCTION fn_summarize_memory_profile(p_profile_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    profile profiles := profile_of(p_profile_id);
BEGIN
    RETURN (
        SELECT jsonb_build_object('count', count(*), 'scopes', coalesce(jsonb_agg(DISTINCT m.scope), '[]'),
                                  'last_written_at', max(m.created_at))
        FROM memories m WHERE m.profile_id = profile.id AND m.kind = 'entry' AND is_live(m, profile.retention_seconds));
END
$$;

-- The encoder whose vectors a question's are like: the newest of this dimension.
CREATE FUNCTION model_like(p_field text, p_vector halfvec) RETURNS smallint LANGUAGE plpgsql STABLE AS $$
DECLARE
    dimension integer := vector_dims(p_vector);
    found smallint := (SELECT max(m.model) FROM models m WHERE m.dimension = vector_dims(p_vector));
BEGIN
    IF p_vector IS NULL THEN
        PERFORM refuse(p_field, 'must not be null');
    ELSIF found IS NULL AND EXISTS (SELECT FROM models) THEN
        PERFORM refuse(p_field, format('has %s dimensions; the vectors of this store have %s', dimension,
            (SELECT string_agg(DISTINCT m.dimension::text, ' or ') FROM models m)));
    END IF;
    RETURN found;
END
$$;

CREATE FUNCTION fn_search_memory_entries(
    p_profile_id uuid, p_query_embedding halfvec, p_limit integer DEFAULT 5, p_scope text DEFAULT NULL,
    p_team_run_id uuid DEFAULT NULL
) RETURNS TABLE (
    id uuid, profile_id uuid, ai_lenser_id uuid, scope text, source text, content text, embedding_metadata jsonb,
    confidence numeric, expires_at timestamptz, team_run_id uuid, is_redacted boolean, created_at timestamptz,
    profile_name text, similarity double precision
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    profile profiles := profile_of(p_profile_id);
    encoder smallint := model_like('p_query_embedding', p_query_embedding);
    near uuid[];
    how_near double precision[];
BEGIN
    PERFORM check_scope_and_limit(p_scope, p_limit);
    SELECT coalesce(array_agg(f.id ORDER BY f.far, f.id), '{}'), array_agg(1 - f.far ORDER BY f.far, f.id)
    INTO near, how_near
    FROM (
        SELECT m.id, e.vector <=> p_query_embedding AS far
        FROM memories m
        JOIN embeddings e ON e.user_id = m.user_id AND e.model = encoder AND e.room = 0 AND e.drawer = m.drawer
        WHERE m.profile_id = profile.id AND m.kind = 'entry' AND m.room = 0 AND is_live(m, profile.retention_seconds)
          AND (p_scope IS NULL OR m.scope = p_scope)
        ORDER BY far, m.id LIMIT p_limit
    ) f;
    PERFORM log_access('read', p_team_run_id,
                       jsonb_build_object('profile_id', profile.id, 'scope', p_scope, 'search', true), near);
    RETURN QUERY SELECT v.*, chosen.likeness FROM unnest(near, how_near) WITH ORDINALITY AS chosen (id, likeness, place)
                 JOIN memories_v v USING (id) ORDER BY chosen.place;
END
$$;

-- Notes by meaning (seed 004); `metadata` as that document's indexes name its fields, the caller's own in `context`.
CREATE FUNCTION match_memories(query_embedding halfvec, match_threshold double precision, match_count integer)
RETURNS TABLE (
    id uuid, content text, created_at timestamptz, updated_at timestamptz, user_id text, project_id text, tags text[],
    metadata jsonb, embedding vector, similarity double precision
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    encoder smallint := model_like('query_embedding', query_embedding);
    near integer[];
    ids uuid[];
BEGIN
    IF match_threshold IS NULL OR match_threshold = 'NaN' THEN
        PERFORM refuse('match_threshold', 'must be a number');
    ELSIF match_count IS NULL OR match_count NOT BETWEEN 1 AND 1000 THEN
        PERFORM refuse('match_count', format('must be a whole number from 1 to 1,000, not %s', match_count));
    END IF;
    SELECT coalesce(array_agg(f.drawer ORDER BY f.far, f.drawer), '{}'), coalesce(array_agg(f.id), '{}') INTO near, ids
    FROM (
        SELECT m.id, m.drawer, e.vector <=> query_embedding AS far
        FROM memories m
        JOIN embeddings e ON e.user_id = m.user_id AND e.model = encoder AND e.room = 0 AND e.drawer = m.drawer
        WHERE m.kind = 'note' AND m.room = 0 AND is_live(m, NULL)
          AND 1 - (e.vector <=> query_embedding) > match_threshold
        ORDER BY far, m.drawer LIMIT match_count
    ) f;
    PERFORM log_access('read', NULL, '{"search": true}', ids);
    RETURN QUERY
        SELECT m.id, m.content, m.created_at, coalesce(m.updated_at, m.created_at), m.user_id::text, m.project_id,
               coalesce(m.tags, '{}'),
               jsonb_strip_nulls(jsonb_build_object('retentionType', m.retention, 'importance', m.importance,
                   'source', m.source, 'expiresAt', m.expires_at, 'context', coalesce(m.metadata, '{}'))),
               e.vector::vector, 1 - (e.vector <=> query_embedding)
        FROM unnest(near) WITH ORDINALITY AS chosen (drawer, place)
        JOIN memories m ON m.room = 0 AND m.drawer = chosen.drawer
        JOIN embeddings e ON e.user_id = m.user_id AND e.model = encoder AND e.room = 0 AND e.drawer = m.drawer
        ORDER BY chosen.place;
END
$$;

-- Who owns and who may call what. The path is fixed, with temporary objects last, so that no caller's table or operator
-- stands in for ours; a role that is to own something must be allowed to create in the schema for that moment.
DO $$
DECLARE
    here text := current_schema();
    vectors text := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector');
    callable text[] := '{fn_write_memory_entry,fn_read_memory_entries,fn_redact_memory_entry,
                         fn_summarize_memory_profile,fn_search_memory_entries,match_memories}';
    each record;
BEGIN
    EXECUTE format('GRANT CREATE ON SCHEMA %I TO ricordo_app', here);
    FOR each IN
        SELECT p.oid::regprocedure AS signature, p.proname = ANY(callable) AS open FROM pg_proc p
        WHERE p.pronamespace = here::regnamespace AND p.proname = ANY(callable || '{new_id,tenant_id,log_access,
            profile_of,refuse,check_scope_and_limit,is_live,erase_traces,model_like}')
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', each.signature);
        IF each.open THEN
            EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', each.signature);
            EXECUTE format('ALTER FUNCTION %s SET search_path = %I, %s, pg_temp', each.signature, here, vectors);
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ricordo_sql', each.signature);
        END IF;
        EXECUTE format('ALTER FUNCTION %s OWNER TO ricordo_app', each.signature);
    END LOOP;
    GRANT SELECT ON memories_v TO ricordo_sql;
    ALTER VIEW memories_v OWNER TO ricordo_app;
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM ricordo_app', here);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO ricordo_sql', here);
END
$$;
