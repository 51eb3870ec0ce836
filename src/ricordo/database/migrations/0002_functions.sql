-- Functions, triggers and the view of the SQL surface. Runs as the owner with search_path set to Ricordo's schema.
-- Who owns and who may call what is in 0003.
--
-- A function that reads users' rows names the user in each condition, by a variable: on a distributed store that tells
-- Citus which worker to ask.
--
-- Order: helpers; rules that every writer is bound by; the access log; what redaction and forgetting remove; jobs
-- and keys; the SQL surface, whose names and arguments the source documents fix.

-- Helpers ------------------------------------------------------------------------------------------------------------

-- The user of this connection; NULL when there is none. Every policy asks it. The setting counts only for whoever may act
-- as the application: its role, the owner. Any other login role is bound to one user, by a row that only the owner
-- writes, whatever it sets.
CREATE FUNCTION tenant_id() RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER AS $$
BEGIN
    -- Not as one statement: each policy of each statement asks, and an expression is plain arithmetic to PL/pgSQL.
    IF pg_has_role(session_user, 'ricordo_app', 'MEMBER') THEN
        RETURN nullif(current_setting('ricordo.user_id', true), '')::uuid;
    END IF;
    RETURN (SELECT user_id FROM sql_roles WHERE role = session_user);
END
$$;

-- A UUID of version 7 (RFC 9562), like those of ricordo.ids. PostgreSQL has its own from version 18 on.
CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex(floor(date_part('epoch', clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
            || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- A text on one line: each run of white space, as Unicode counts it (Python's str.isspace), becomes one space. `\s`
-- of a regular expression would depend on the database's locale.
CREATE FUNCTION one_line(p_text text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT regexp_replace(p_text,
        '[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g')
$$;

-- A text on one line of a prompt, word for word, its line breaks written out (ricordo.text.one_line).
CREATE FUNCTION written_out(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    signs text[] := ARRAY[E'\u000b', E'\u000c', E'\u001c', E'\u001d', E'\u001e', E'\u0085', E'\u2028', E'\u2029'];
    names text[] := ARRAY['v', 'f', 'x1c', 'x1d', 'x1e', 'x85', 'u2028', 'u2029'];
    sign text := '([\u000b\u000c\u001c-\u001e\u0085\u2028\u2029])';
    mark text := '[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*'
                 '([#*+>`~=_<|-]|[0-9]{1,9}[.)])';
    written text := p_text;
BEGIN
    IF p_text ~ sign THEN
        -- A backslash before each that is to be written out, and then its name behind it.
        written := regexp_replace(written, sign || '(?=' || mark || ')|(?<=\\)' || sign, '\\\1\2', 'g');
        FOR number IN 1..cardinality(signs) LOOP
            written := replace(written, '\' || signs[number], '\' || names[number]);
        END LOOP;
    END IF;
    RETURN replace(replace(written, E'\r', '\r'), E'\n', '\n');
END
$$;

-- A text without white space at either end, as Unicode counts it (Python's str.strip). Refuses Unicode tags: text in
-- them is invisible to people and read by models. Those of flags (UTS 51) may stay.
CREATE FUNCTION trimmed(p_text text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF p_text ~ '(?<![\U0001F3F4\U000E0020-\U000E007F])[\U000E0000-\U000E007F]' THEN
        PERFORM refuse('p_content', 'contains invisible tag characters (U+E0000 to U+E007F): remove them');
    END IF;
    RETURN regexp_replace(regexp_replace(p_text,
        '^[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ''),
        '[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$', '');
END
$$;

-- Raises an error about an argument.
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
        PERFORM refuse('p_limit', format('must be a whole number from 1 to 1,000, not %s', coalesce(p_limit::text, 'NULL')));
    END IF;
END
$$;

-- Whether a memory is read: neither redacted nor expired, and within its profile's retention.
CREATE FUNCTION is_live(p_redacted boolean, p_expires_at timestamptz, p_created_at timestamptz, p_retention bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT p_redacted AND (p_expires_at IS NULL OR p_expires_at > now()) AND (p_retention IS NULL OR
           p_created_at > now() - p_retention * interval '1 second')
$$;

-- A profile of the user's. A profile of another user gets the same answer as one that does not exist.
CREATE FUNCTION profile_of(p_profile_id uuid) RETURNS profiles LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := tenant_id();
    found profiles;
BEGIN
    SELECT * INTO found FROM profiles WHERE user_id = tenant AND id = p_profile_id;
    IF found.id IS NULL THEN
        RAISE EXCEPTION 'p_profile_id: memory profile % not found', p_profile_id
            USING ERRCODE = 'no_data_found', COLUMN = 'p_profile_id', HINT = CASE WHEN tenant IS NULL
                THEN 'This role is bound to no user: the owner binds one with `ricordo db role create`.'
                ELSE '`ricordo memory list-profiles --agent AGENT` lists them.' END;
    END IF;
    RETURN found;
END
$$;

-- The embedding model that a question's vector is compared with: the user's; for a user without vectors, the newest of
-- this dimension.
CREATE FUNCTION model_like(p_field text, p_vector halfvec) RETURNS smallint LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := tenant_id();
    own models := (SELECT m FROM models m JOIN user_models u USING (model) WHERE u.user_id = tenant);
    found smallint := CASE WHEN own.model IS NULL
        THEN (SELECT max(m.model) FROM models m WHERE m.dimension = vector_dims(p_vector))
        ELSE (SELECT own.model WHERE own.dimension = vector_dims(p_vector)) END;
BEGIN
    IF p_vector IS NULL THEN
        PERFORM refuse(p_field, 'must not be null');
    ELSIF found IS NULL AND own.model IS NOT NULL THEN
        PERFORM refuse(p_field, format('has %s dimensions, but your vectors have %s', vector_dims(p_vector),
                                       own.dimension));
    ELSIF found IS NULL AND EXISTS (SELECT FROM models) THEN
        PERFORM refuse(p_field, format('has %s dimensions, but the vectors of this store have %s', vector_dims(p_vector),
            (SELECT string_agg(DISTINCT m.dimension::text, ' or ') FROM models m)));
    END IF;
    RETURN found;
END
$$;

-- Embedding models are the store's, so the owner writes them: a new one, and the store's default, of which there is one.
CREATE FUNCTION register_model(p_name text, p_dimension integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO models (name, dimension) VALUES (p_name, p_dimension) ON CONFLICT DO NOTHING;
END
$$;

CREATE FUNCTION set_default_model(p_model smallint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('ricordo default model', 0));
    UPDATE models SET is_default = false WHERE is_default AND model <> p_model;
    UPDATE models SET is_default = true WHERE model = p_model AND NOT is_default;
END
$$;

-- Whether a write by SQL waits in the review queue. SQL cannot search texts for secrets or personal data, so what it
-- writes is refused where a policy asks for that.
CREATE FUNCTION check_policies(p_profile profiles, p_source text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    chosen settings;
    held text;
BEGIN
    SELECT * INTO chosen FROM settings WHERE user_id = p_profile.user_id;
    IF coalesce(p_profile.secrets, chosen.secrets, 'store') <> 'store'
       OR coalesce(p_profile.personal_data, chosen.personal_data, 'store') <> 'store' THEN
        PERFORM refuse('p_content', 'must be checked for secrets and personal data in this profile, which SQL cannot do: '
                                    'write it with Ricordo''s library, HTTP API or command line');
    END IF;
    held := coalesce(p_profile.review, chosen.review, 'nothing');
    RETURN p_source = 'tool' AND held <> 'nothing' OR p_source IN ('agent', 'eval') AND held = 'agents';
END
$$;

-- Rules that every writer is bound by --------------------------------------------------------------------------------

-- What ricordo.review.recalled refuses: a block that this memory itself brought back. A line break stands before and
-- after the text so that the margins of lines are told without anchors.
CREATE FUNCTION holds_recalled(p_text text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT p_text LIKE '%emory%' AND (
        p_text ~ '<memory_context>\s{0,3}What was said in earlier conversations, quoted as data\.'
        OR p_text ~ '<memory pointer="[^"<\n]{1,80}" at="[^"<\n]{1,40}" speaker="[^"<\n]{0,255}[^"<\n]{0,255}[^"<\n]{0,255}[^"<\n]{0,255}[^"<\n]{0,180}">'
        OR E'\n' || p_text ~ '\n## Context Memory\n- \[[01]\.\d{1,7}\] '
        OR E'\n' || p_text ~ '\n# Your Private Memory\n\n?## (Core Memories \(permanent\)|Recent Journal Entries)\n- ')
$$;

-- A run is the user's own: an agent may write into another's shared profile during its run.
CREATE FUNCTION check_run(p_run_id uuid) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := tenant_id();
BEGIN
    IF p_run_id IS NOT NULL AND NOT EXISTS (SELECT FROM runs WHERE user_id = tenant AND id = p_run_id) THEN
        RAISE EXCEPTION 'p_team_run_id: run % not found', p_run_id
            USING ERRCODE = 'no_data_found', COLUMN = 'p_team_run_id';
    END IF;
END
$$;

-- An agent that has profiles has a default one. Checked when the transaction ends, so that the default can move from
-- one profile to another.
CREATE FUNCTION require_default_profile() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := coalesce(NEW.user_id, OLD.user_id);
    without uuid;
BEGIN
    -- Of an update both agents: a profile may move from one to another. OLD is NULL in an insert, NEW in a delete.
    SELECT a.id INTO without FROM agents a
    WHERE a.user_id = tenant AND a.id IN (OLD.agent_id, NEW.agent_id)
      AND NOT EXISTS (SELECT FROM profiles p WHERE p.user_id = tenant AND p.agent_id = a.id AND p.is_default);
    IF FOUND THEN
        RAISE EXCEPTION 'agent % would have no default profile', without
            USING ERRCODE = 'check_violation', CONSTRAINT = 'one_default_profile';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER default_profile AFTER INSERT OR UPDATE OR DELETE ON profiles
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_default_profile();

-- The same when an agent is created.
CREATE FUNCTION require_profile_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- The text of a turn changes only when it is redacted, or when its source edited it: then this transaction has kept what
-- it said before. What is redacted stays redacted.
CREATE FUNCTION keep_word_for_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.is_redacted AND (NOT NEW.is_redacted OR NEW.content <> OLD.content) THEN
        RAISE EXCEPTION 'memory % is redacted', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.kind = 'drawer' AND NEW.content <> OLD.content AND NOT (NEW.is_redacted AND NEW.content = '[redacted]')
       AND NOT EXISTS (SELECT FROM memory_history h WHERE h.user_id = NEW.user_id AND h.memory_id = OLD.id
                       AND h.content = OLD.content AND h.valid_to >= now()) THEN
        RAISE EXCEPTION 'memory % is a turn: its text changes only with its history', OLD.id
            USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.is_redacted AND NEW.has_id THEN
        NEW.text_hash := NULL;  -- its id identifies it
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER word_for_word BEFORE UPDATE OF content, is_redacted ON memories
    FOR EACH ROW EXECUTE FUNCTION keep_word_for_word();

-- Search terms and vectors go with their memories, whoever deletes these. Foreign keys would check each row that is
-- written; this looks once through each table, for all memories that a statement deletes. It runs after the
-- cascades: the queues are empty then, so that no worker adds any.
CREATE FUNCTION remove_derived() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM postings p USING gone g WHERE (p.user_id, p.room, p.drawer) = (g.user_id, g.room, g.drawer);
    DELETE FROM embeddings e USING gone g WHERE (e.user_id, e.room, e.drawer) = (g.user_id, g.room, g.drawer);
    RETURN NULL;
END
$$;
CREATE TRIGGER derived_removed AFTER DELETE ON memories REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION remove_derived();

-- The room's own vector, drawer 0, goes with the room.
CREATE FUNCTION remove_room_vectors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM embeddings e USING gone g WHERE (e.user_id, e.room, e.drawer) = (g.user_id, g.room, 0);
    RETURN NULL;
END
$$;
CREATE TRIGGER derived_removed AFTER DELETE ON rooms REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION remove_room_vectors();

-- The access log -----------------------------------------------------------------------------------------------------

-- Writes the access log. Only the functions of this section do: they run as the owner, and take the user, the time and
-- the transaction from the session and never from the caller.
CREATE FUNCTION record_access(p_action text, p_actor text, p_run_id uuid, p_context jsonb, p_memory_ids uuid[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    tenant uuid := tenant_id();
    access uuid := new_id();
BEGIN
    IF p_action IN ('redact', 'forget', 'expire') THEN
        -- No answer to an HTTP request is stored meanwhile (forget_answers). Not in the trigger: on a distributed store
        -- that runs on a worker, and whoever stores an answer would not meet its lock.
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('answers:' || tenant::text, 0));
    END IF;
    INSERT INTO access_log (user_id, id, action, actor, run_id, context, memory_ids)
    VALUES (tenant, access, p_action, p_actor, p_run_id, p_context, p_memory_ids);
    INSERT INTO access_memories (user_id, memory_id, access_id)
    SELECT DISTINCT tenant, memory_id, access FROM unnest(p_memory_ids) AS memory_id;
END
$$;

-- An access of the SQL surface.
CREATE FUNCTION log_access(p_action text, p_run_id uuid, p_context jsonb, p_memory_ids uuid[]) RETURNS void
LANGUAGE sql AS $$
    SELECT record_access(p_action, 'sql:' || session_user, p_run_id, p_context, p_memory_ids)
$$;

-- The hash of a seal: over the hash of the seal before and the rows that this one covers, each hashed as the text of a
-- jsonb object.
CREATE FUNCTION access_hash(p_before bytea, p_first_xid bigint, p_end_xid bigint) RETURNS bytea
LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := tenant_id();
BEGIN
    RETURN (
        SELECT sha256(p_before || coalesce(string_agg(row, ''::bytea ORDER BY xid, id), ''))
        FROM (
            SELECT xid, id, sha256(convert_to(jsonb_build_object('id', id, 'action', action, 'actor', actor,
                'run_id', run_id, 'context', context, 'memory_ids', memory_ids,
                'accessed_at', accessed_at AT TIME ZONE 'UTC')::text, 'UTF8')) AS row
            FROM access_log WHERE user_id = tenant AND xid >= p_first_xid AND xid < p_end_xid
        ) covered);
END
$$;

-- Covers the accesses that are complete and not covered yet by new seals, each of about 10,000; returns how many
-- accesses that were. Complete are those of transactions older than every running one: none can be added among them
-- any more.
CREATE FUNCTION seal_accesses() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    tenant uuid := tenant_id();
    last access_seals;
    horizon bigint;
    finish bigint;
    rows integer;
    covered bigint := 0;
BEGIN
    -- One sealer of a user at a time.
    PERFORM pg_advisory_xact_lock(hashtextextended('seal:' || tenant::text, 0));
    SELECT * INTO last FROM access_seals WHERE user_id = tenant ORDER BY seal DESC LIMIT 1;
    IF NOT FOUND THEN
        last.seal := 0;
        last.hash := decode(repeat('00', 32), 'hex');
        last.end_xid := (SELECT least(min(xid), 0) FROM access_log WHERE user_id = tenant);
    END IF;
    horizon := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
    LOOP
        SELECT max(xid) + 1, count(*) INTO finish, rows FROM (
            -- The rows of one transaction stay together.
            SELECT xid FROM access_log WHERE user_id = tenant AND xid >= last.end_xid AND xid < horizon
            ORDER BY xid FETCH FIRST 10000 ROWS WITH TIES
        ) complete;
        EXIT WHEN rows = 0;
        last.hash := access_hash(last.hash, last.end_xid, finish);
        INSERT INTO access_seals (user_id, seal, first_xid, end_xid, accesses, hash)
        VALUES (tenant, last.seal + 1, last.end_xid, finish, rows, last.hash);
        last.seal := last.seal + 1;
        last.end_xid := finish;
        covered := covered + rows;
    END LOOP;
    RETURN covered;
END
$$;

-- Accesses that come with an archive, a JSON array. They precede all that the store logs itself: their transactions
-- have numbers below 0, and none comes once the user's log is sealed. Returns how many.
CREATE FUNCTION import_accesses(p_rows jsonb) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    tenant uuid := tenant_id();
    taken bigint;
BEGIN
    IF EXISTS (SELECT FROM access_seals WHERE user_id = tenant) THEN
        PERFORM refuse('p_rows', 'cannot be added: the access log is already sealed');
    ELSIF EXISTS (SELECT FROM jsonb_to_recordset(p_rows) AS r (xid bigint) WHERE (xid < 0) IS NOT TRUE) THEN
        PERFORM refuse('xid', 'must be below 0');
    END IF;
    INSERT INTO access_log (user_id, id, action, actor, run_id, context, accessed_at, memory_ids, xid)
    SELECT tenant, id, action, actor, run_id, context, accessed_at, memory_ids, xid
    FROM jsonb_to_recordset(p_rows) AS r (id uuid, action text, actor text, run_id uuid, context jsonb,
                                          accessed_at timestamptz, memory_ids uuid[], xid bigint);
    GET DIAGNOSTICS taken = ROW_COUNT;
    INSERT INTO access_memories (user_id, memory_id, access_id)
    SELECT DISTINCT tenant, memory_id, id
    FROM jsonb_to_recordset(p_rows) AS r (id uuid, memory_ids uuid[]), unnest(memory_ids) AS memory_id;
    RETURN taken;
END
$$;

-- Seals that come with an archive, a JSON array, after its accesses. Takes them up to the first that does not hold; the
-- accesses after that are sealed here. Returns how many were taken.
CREATE FUNCTION import_seals(p_rows jsonb) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    tenant uuid := tenant_id();
    last access_seals;
    first bigint := (SELECT min(xid) FROM access_log WHERE user_id = tenant);
    covered bigint;
    each record;
    taken bigint := 0;
BEGIN
    SELECT * INTO last FROM access_seals WHERE user_id = tenant ORDER BY seal DESC LIMIT 1;
    FOR each IN
        SELECT * FROM jsonb_to_recordset(p_rows) AS r (seal integer, first_xid bigint, end_xid bigint, accesses integer,
                                                       hash bytea, sealed_at timestamptz)
        ORDER BY seal
    LOOP
        covered := (SELECT count(*) FROM access_log
                    WHERE user_id = tenant AND xid >= each.first_xid AND xid < each.end_xid);
        EXIT WHEN (each.seal = coalesce(last.seal, 0) + 1 AND each.first_xid < each.end_xid AND each.end_xid <= 0
            AND each.first_xid <= coalesce(last.end_xid, first)
            AND each.first_xid >= coalesce(last.end_xid, each.first_xid)
            AND each.accesses = covered
            AND each.hash = access_hash(coalesce(last.hash, decode(repeat('00', 32), 'hex')), each.first_xid,
                                        each.end_xid)) IS NOT TRUE;
        INSERT INTO access_seals (user_id, seal, first_xid, end_xid, accesses, hash, sealed_at)
        VALUES (tenant, each.seal, each.first_xid, each.end_xid, each.accesses, each.hash, each.sealed_at)
        RETURNING * INTO last;
        taken := taken + 1;
    END LOOP;
    RETURN taken;
END
$$;

-- Redactions, forgettings and expiries become events, whether Python or SQL does them: each is one row of the access
-- log. Rows from an archive (xid below 0) had their consequences in the store that they come from.
CREATE FUNCTION tell_of_access() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    touched integer := cardinality(NEW.memory_ids);
    agents uuid[] := ARRAY(
        SELECT DISTINCT agent_id FROM memories WHERE user_id = NEW.user_id AND id = ANY(NEW.memory_ids));
BEGIN
    INSERT INTO activity (user_id, id, event, category, agent_id, run_id, payload, created_at)
    VALUES (NEW.user_id, new_id(),
            CASE WHEN NEW.action = 'redact' THEN 'memory_redacted' WHEN NEW.action = 'forget' THEN 'memory_forgotten'
                 ELSE 'memory_expired' END,
            CASE WHEN NEW.action = 'expire' THEN 'system' ELSE 'user_action' END,
            CASE WHEN cardinality(agents) = 1 THEN agents[1] END, NEW.run_id,
            jsonb_build_object('memories', touched)
                || CASE WHEN touched = 1 THEN jsonb_build_object('memory_id', NEW.memory_ids[1]) ELSE '{}' END,
            clock_timestamp());
    RETURN NULL;
END
$$;
CREATE TRIGGER told AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire') AND NEW.xid > 0) EXECUTE FUNCTION tell_of_access();

-- Stored answers to HTTP requests may quote what was redacted or forgotten, so they lose their bodies.
CREATE FUNCTION forget_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE answers SET body = NULL WHERE user_id = NEW.user_id AND body IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER answers_forgotten AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire') AND NEW.xid > 0) EXECUTE FUNCTION forget_answers();

-- Exports that wait to be fetched may hold what was redacted or forgotten, so they go.
CREATE FUNCTION forget_exports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM uploads u USING operations o
    WHERE u.user_id = NEW.user_id AND o.user_id = NEW.user_id AND o.upload = u.id AND o.kind = 'export';
    RETURN NULL;
END
$$;
CREATE TRIGGER exports_forgotten AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire') AND NEW.xid > 0) EXECUTE FUNCTION forget_exports();

-- What redaction and forgetting remove -------------------------------------------------------------------------------

-- Removes all that is derived from a memory and all earlier texts of it, and strikes these from what runs saw, from
-- seed entries and from proposals. Returns how many rows of each. Python redacts and forgets by it too.
CREATE FUNCTION erase_traces(p_memory_id uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := tenant_id();
    memory memories;
    said text;
    line_of text;
    flat text;
    counts jsonb := '{}';
    rows integer;
    struck integer := 0;
    seeds integer := 0;
    terms_gone integer;
BEGIN
    SELECT * INTO STRICT memory FROM memories WHERE user_id = tenant AND id = p_memory_id FOR UPDATE;
    -- In the block of a prompt each entry is a line of its own, which is struck if it says just this: a part of another
    -- entry's line must stay, or its rest could never be struck. Elsewhere a text is struck wherever it stands, unless
    -- it is so short that it would be found within other words. The longest first, as one may hold another.
    FOR said, line_of, flat IN
        SELECT text, written_out(text), one_line(text)
        FROM (SELECT memory.content AS text UNION
              SELECT content FROM memory_history WHERE user_id = tenant AND memory_id = p_memory_id) texts
        ORDER BY length(text) DESC
    LOOP
        UPDATE runs SET prompt = (
            SELECT string_agg(
                CASE WHEN line ~ '^- \[[0-9.]+\] ' THEN
                    CASE WHEN substr(line, strpos(line, '] ') + 2) = line_of
                         THEN left(line, strpos(line, '] ') + 1) || '[redacted]' ELSE line END
                WHEN length(flat) >= 12
                THEN replace(replace(line, line_of, '[redacted]'), flat, '[redacted]') ELSE line END,
                E'\n' ORDER BY number)
            FROM string_to_table(
                CASE WHEN strpos(said, E'\n') > 0 THEN replace(prompt, said, '[redacted]') ELSE prompt END, E'\n'
            ) WITH ORDINALITY AS lines (line, number))
        WHERE user_id = tenant AND strpos(prompt, said) + strpos(prompt, line_of) + strpos(one_line(prompt), flat) > 0
          AND id IN (
            SELECT l.run_id FROM access_memories a JOIN access_log l ON l.user_id = tenant AND l.id = a.access_id
            WHERE a.user_id = tenant AND a.memory_id = p_memory_id);
        GET DIAGNOSTICS rows = ROW_COUNT;
        struck := struck + rows;
        UPDATE profiles SET seed_entries = (
            SELECT jsonb_agg(CASE WHEN seed ->> 'content' = said THEN jsonb_set(seed, '{content}', '"[redacted]"')
                                  ELSE seed END ORDER BY number)
            FROM jsonb_array_elements(seed_entries) WITH ORDINALITY AS seeds (seed, number))
        WHERE user_id = tenant AND id = memory.profile_id
          AND EXISTS (SELECT FROM jsonb_array_elements(seed_entries) seed WHERE seed ->> 'content' = said);
        GET DIAGNOSTICS rows = ROW_COUNT;
        seeds := seeds + rows;
    END LOOP;
    counts := counts || jsonb_build_object('runs', struck);
    IF seeds > 0 THEN
        counts := counts || jsonb_build_object('profiles', seeds);
    END IF;
    UPDATE proposals SET content = '[redacted]' WHERE user_id = tenant AND p_memory_id = ANY(memory_ids);
    GET DIAGNOSTICS rows = ROW_COUNT;
    counts := counts || jsonb_build_object('proposals', rows);
    -- The queues first: deleting there waits for a worker that is just making terms or a vector, which then are there
    -- to be removed.
    DELETE FROM unindexed WHERE user_id = tenant AND room = memory.room AND drawer = memory.drawer;
    DELETE FROM unembedded WHERE user_id = tenant AND room = memory.room AND drawer = memory.drawer;
    GET DIAGNOSTICS rows = ROW_COUNT;
    counts := counts || jsonb_build_object('unembedded', rows);
    DELETE FROM embeddings WHERE user_id = tenant AND room = memory.room AND drawer = memory.drawer;
    GET DIAGNOSTICS rows = ROW_COUNT;
    counts := counts || jsonb_build_object('embeddings', rows);
    WITH gone AS (
        DELETE FROM postings WHERE user_id = tenant AND room = memory.room AND drawer = memory.drawer RETURNING length
    )
    SELECT count(*), coalesce(max(length), 0) INTO rows, terms_gone FROM gone;
    counts := counts || jsonb_build_object('postings', rows);
    IF memory.room > 0 THEN
        -- The user before the room, which is the order in which a miner locks them.
        UPDATE users SET terms = terms - terms_gone WHERE user_id = tenant;
        UPDATE rooms SET terms = terms - terms_gone WHERE user_id = tenant AND room = memory.room;
    END IF;
    DELETE FROM memory_history WHERE user_id = tenant AND memory_id = p_memory_id;
    GET DIAGNOSTICS rows = ROW_COUNT;
    RETURN counts || jsonb_build_object('memory_history', rows);
END
$$;

-- The form in which the id of a forgotten conversation is kept: it is recognized by it, and not told.
CREATE FUNCTION forgotten_id(p_external_id text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN p_external_id LIKE 'forgotten:%' THEN p_external_id
                ELSE 'forgotten:' || encode(sha256(convert_to(p_external_id, 'UTF8')), 'hex') END
$$;

-- Takes the ids of forgotten conversations out of what happened and of what calls cost, which the application's role
-- only adds to.
CREATE FUNCTION forget_conversation_ids(p_ids text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    tenant uuid := tenant_id();
BEGIN
    UPDATE activity SET conversation_id = forgotten_id(conversation_id)
    WHERE user_id = tenant AND conversation_id = ANY(p_ids);
    UPDATE model_calls SET conversation_id = forgotten_id(conversation_id)
    WHERE user_id = tenant AND conversation_id = ANY(p_ids);
END
$$;

-- Jobs and keys ------------------------------------------------------------------------------------------------------

-- Queues a job of the connection's user, unless a job like it waits already that runs no later; returns its id. The
-- waiting job is locked, so that no worker runs it before what this transaction wrote can be seen. A job with a lock
-- that waits for a later moment is brought forward: both would otherwise wait until then, since of jobs with one
-- lock the first comes first. A job that failed keeps its pause.
CREATE FUNCTION enqueue_job(p_task text, p_args jsonb, p_lock text, p_at timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := tenant_id();
    job bigint;
    due timestamptz;
BEGIN
    SELECT id, scheduled_at INTO job, due FROM procrastinate_jobs
        WHERE user_id = tenant AND task_name = p_task AND status = 'todo' AND args = p_args
          AND (scheduled_at IS NULL OR scheduled_at <= coalesce(p_at, now()) OR p_lock IS NOT NULL AND attempts = 0)
        ORDER BY scheduled_at NULLS FIRST, id LIMIT 1 FOR KEY SHARE SKIP LOCKED;
    IF job IS NULL THEN
        -- Whoever deletes the user waits, or is waited for. On a distributed store no foreign key sees to that.
        PERFORM FROM users WHERE user_id = tenant FOR KEY SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the user of a new job was deleted'
                USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'procrastinate_jobs_user_id_fkey';
        END IF;
        INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, scheduled_at)
        VALUES (tenant::text, p_task, tenant::text || ':' || p_lock, p_args, p_at) RETURNING id INTO job;
    ELSIF due > coalesce(p_at, now()) THEN
        UPDATE procrastinate_jobs SET scheduled_at = p_at WHERE id = job;
        PERFORM pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}');
    END IF;
    RETURN job;
END
$$;

-- Whether a process can do a job that lacks what these tasks need, and has these embedding models: vectors are made by
-- the model that the user's vectors are of, or else by the store's default.
CREATE FUNCTION can_do(p_job procrastinate_jobs, p_lacking text[], p_models text[]) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT p_job.task_name <> ALL(p_lacking) AND (p_job.task_name <> 'embed' OR NOT EXISTS (
        SELECT FROM models m
        WHERE CASE WHEN EXISTS (SELECT FROM user_models u WHERE u.user_id = p_job.user_id)
                   THEN m.model = (SELECT u.model FROM user_models u WHERE u.user_id = p_job.user_id)
                   ELSE m.is_default END
          AND m.name <> ALL(p_models)))
$$;

-- procrastinate_fetch_job_v2 of procrastinate 3.10, save that a worker is given only what it can do.
CREATE FUNCTION fetch_job(p_queues varchar[], p_worker bigint, p_lacking text[], p_models text[])
RETURNS procrastinate_jobs LANGUAGE plpgsql AS $$
DECLARE
    found_job procrastinate_jobs;
BEGIN
    WITH candidate AS (
        SELECT j.id FROM procrastinate_jobs j
        WHERE j.status = 'todo' AND (p_queues IS NULL OR j.queue_name = ANY(p_queues))
          AND (j.scheduled_at IS NULL OR j.scheduled_at <= now())
          -- Of jobs with the same lock one runs at a time, by priority and in the order in which they were queued.
          AND NOT EXISTS (
              SELECT FROM procrastinate_jobs o
              WHERE j.lock IS NOT NULL AND o.lock = j.lock
                AND (o.status = 'doing' OR o.status = 'todo'
                     AND (o.priority > j.priority OR o.priority = j.priority AND o.id < j.id)))
          AND can_do(j, p_lacking, p_models)
        ORDER BY j.priority DESC, j.id LIMIT 1 FOR UPDATE OF j SKIP LOCKED
    )
    UPDATE procrastinate_jobs j SET status = 'doing', worker_id = p_worker
    FROM candidate c WHERE j.id = c.id RETURNING j.* INTO found_job;
    RETURN found_job;
END
$$;

-- Whether anybody has a valid API key: a server that listens to other machines must know it, and learns nothing
-- else. A policy in 0003 lets the owner, as whom this runs, see the keys of all users.
CREATE FUNCTION api_keys_exist() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))
$$;

-- The SQL surface ----------------------------------------------------------------------------------------------------

-- Entries with the column names of seed 000, expired and redacted ones too. What the writer gave as p_metadata is in
-- embedding_metadata, the only column there that can hold it.
CREATE VIEW memories_v AS
    SELECT m.id, m.profile_id, m.agent_id AS ai_lenser_id, m.scope, m.source, m.content,
           coalesce(m.metadata, '{}') AS embedding_metadata, m.confidence::numeric AS confidence, m.expires_at,
           m.run_id AS team_run_id, m.is_redacted, m.created_at, p.name AS profile_name
    FROM memories m JOIN profiles p ON p.user_id = m.user_id AND p.id = m.profile_id
    WHERE m.kind = 'entry';

-- The access log with the column names of seed 000: one row for each access to each memory. Of an access to several
-- memories each has an id of its own.
CREATE VIEW memory_access_logs_v AS
    SELECT CASE WHEN cardinality(l.memory_ids) = 1 THEN l.id ELSE md5(l.id::text || a.memory_id::text)::uuid END AS id,
           a.memory_id, l.run_id AS team_run_id, l.action, l.context, l.accessed_at
    FROM access_memories a JOIN access_log l ON l.user_id = a.user_id AND l.id = a.access_id;

-- These entries as rows of that view, with the user in each condition.
CREATE FUNCTION entry_rows(p_tenant uuid, p_ids uuid[]) RETURNS SETOF memories_v LANGUAGE sql STABLE AS $$
    SELECT m.id, m.profile_id, m.agent_id, m.scope, m.source, m.content, coalesce(m.metadata, '{}'),
           m.confidence::numeric, m.expires_at, m.run_id, m.is_redacted, m.created_at, p.name
    FROM memories m JOIN profiles p ON p.id = m.profile_id
    WHERE m.user_id = p_tenant AND p.user_id = p_tenant AND m.kind = 'entry' AND m.id = ANY(p_ids)
$$;

CREATE FUNCTION fn_write_memory_entry(
    p_profile_id uuid, p_scope text, p_source text, p_content text, p_confidence double precision DEFAULT 0.5,
    p_expires_at timestamptz DEFAULT NULL, p_team_run_id uuid DEFAULT NULL, p_metadata jsonb DEFAULT NULL
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := tenant_id();
    profile profiles := profile_of(p_profile_id);
    said text := trimmed(p_content);
    -- The scope conversation needs one: the run's, else the one that the metadata name.
    talk text := CASE WHEN p_scope = 'conversation' THEN coalesce(
        (SELECT conversation_id FROM runs WHERE user_id = tenant AND id = p_team_run_id),
        p_metadata ->> 'conversation_id') END;
    written uuid := new_id();
    writer text := (SELECT name FROM agents WHERE user_id = tenant AND id = profile.agent_id);
    place integer := nextval('loose_numbers');
    expired uuid[];
    same uuid;
    is_held boolean;
    held_fields jsonb;
BEGIN
    -- Check. What PostgreSQL can hold, and other readers of this memory cannot, is refused.
    p_expires_at := nullif(p_expires_at, 'infinity');  -- never
    PERFORM check_scope_and_limit(coalesce(p_scope, ''), 1);
    IF p_source IS NULL OR p_source NOT IN ('user', 'agent', 'tool', 'eval', 'manual') THEN
        PERFORM refuse('p_source', format('must be user, agent, tool, eval or manual, not %L', left(p_source, 50)));
    ELSIF coalesce(said, '') = '' THEN
        PERFORM refuse('p_content', 'must not be blank');
    ELSIF length(said) > 10000 THEN
        PERFORM refuse('p_content', format('has %s characters; the maximum is 10,000', length(said)));
    ELSIF holds_recalled(said) THEN
        PERFORM refuse('p_content', 'contains a block recalled from this memory: write only new information');
    ELSIF coalesce(p_confidence, 0.5) NOT BETWEEN 0 AND 1 THEN
        PERFORM refuse('p_confidence', format('must be between 0 and 1, not %s', p_confidence));
    ELSIF p_expires_at <= now() THEN
        PERFORM refuse('p_expires_at', format('%s is in the past: expected a future time', p_expires_at));
    ELSIF p_expires_at >= '10000-01-01 00:00:00+00' THEN
        PERFORM refuse('p_expires_at', format('%s is after the year 9999', p_expires_at));
    ELSIF jsonb_typeof(p_metadata) <> 'object' THEN
        PERFORM refuse('p_metadata', 'must be an object with named values');
    ELSIF length(p_metadata::text) > 100000 OR jsonb_path_exists(p_metadata, '$.**{32 to last}') THEN
        PERFORM refuse('p_metadata', 'is longer than 100,000 characters or nested more than 32 levels deep');
    ELSIF jsonb_path_exists(p_metadata, '$.** ? (@.type() == "number" && (@ > 1e308 || @ < -1e308))') THEN
        PERFORM refuse('p_metadata', 'has a number beyond 1e308');
    ELSIF p_scope = 'conversation' AND talk IS NULL THEN
        PERFORM refuse('p_scope', 'conversation requires a run with a conversation, or conversation_id in p_metadata');
    ELSIF talk IS NOT NULL AND (btrim(talk) = '' OR length(talk) > 500) THEN
        PERFORM refuse('p_metadata', 'conversation_id must be 1 to 500 characters long');
    END IF;
    PERFORM check_run(p_team_run_id);
    -- Policy.
    is_held := check_policies(profile, p_source);
    -- Lock the parents, from the outside in; other writers wait only where they share a cap, which is read under the
    -- lock: whoever changes it waits, or is waited for.
    PERFORM FROM agents WHERE user_id = tenant AND id = profile.agent_id FOR KEY SHARE;
    PERFORM FROM profiles WHERE user_id = tenant AND id = profile.id FOR KEY SHARE;
    profile := profile_of(p_profile_id);
    IF profile.max_entries IS NOT NULL THEN
        PERFORM FROM profiles WHERE user_id = tenant AND id = profile.id FOR NO KEY UPDATE;
    END IF;
    -- Review queue. Accepting it writes the entry under the id that is returned. What waits already waits once.
    IF is_held THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(format('write:%s:entry:%s', tenant, said), 0));
        held_fields := jsonb_strip_nulls(jsonb_build_object('agent_id', profile.agent_id, 'profile_id', profile.id,
            'scope', p_scope, 'source', p_source, 'confidence', coalesce(p_confidence, 0.5), 'conversation_id', talk,
            'expires_at', p_expires_at)) || coalesce(jsonb_build_object('metadata', p_metadata), '{}');
        SELECT h.id INTO same FROM held_writes h
        WHERE h.user_id = tenant AND h.kind = 'entry' AND h.content = said AND h.fields = held_fields
          AND h.actor = 'sql:' || session_user
        ORDER BY h.created_at, h.id LIMIT 1;
        IF same IS NOT NULL THEN
            RETURN same;
        END IF;
        INSERT INTO held_writes (user_id, id, kind, content, fields, speaker, actor, run_id, agent_id)
        VALUES (tenant, written, 'entry', said, held_fields, writer, 'sql:' || session_user, p_team_run_id,
                profile.agent_id);
        INSERT INTO activity (user_id, id, event, category, agent_id, payload, created_at)
        VALUES (tenant, new_id(), 'memory_held', 'agent_action', profile.agent_id,
                jsonb_build_object('memory_id', written), clock_timestamp());
        RETURN written;
    END IF;
    -- Duplicate check.
    PERFORM pg_advisory_xact_lock(hashtextextended(format('write:%s:entry:%s', tenant, said), 0));
    SELECT m.id INTO same FROM memories m
    WHERE m.user_id = tenant AND m.content = said AND m.kind <> 'drawer' AND NOT m.is_redacted
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
    VALUES (tenant, 0, place, written, 'entry', 'agent', writer, said, now(), profile.agent_id, profile.id,
            p_scope, p_source, coalesce(p_confidence, 0.5), p_expires_at, p_team_run_id, talk, p_metadata);
    INSERT INTO unindexed (user_id, room, drawer) VALUES (tenant, 0, place);
    INSERT INTO unembedded (user_id, room, drawer) VALUES (tenant, 0, place);
    -- Access log and cap.
    PERFORM log_access('write', p_team_run_id, '{"kind": "entry"}', ARRAY[written]);
    WITH beyond AS (
        SELECT id FROM memories
        WHERE user_id = tenant AND profile_id = profile.id AND kind = 'entry' AND NOT is_redacted
          AND (expires_at IS NULL OR expires_at > now())
          AND (profile.retention_seconds IS NULL
               OR created_at > now() - profile.retention_seconds * interval '1 second')
        ORDER BY confidence DESC, created_at DESC, id DESC OFFSET profile.max_entries
    ), gone AS (
        UPDATE memories m SET expires_at = now(), updated_at = now() FROM beyond b
        WHERE profile.max_entries IS NOT NULL AND m.user_id = tenant AND m.id = b.id RETURNING m.id
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
    tenant uuid := tenant_id();
    profile profiles := profile_of(p_profile_id);
    read uuid[];
BEGIN
    PERFORM check_scope_and_limit(p_scope, p_limit);
    read := ARRAY(
        SELECT m.id FROM memories m
        WHERE m.user_id = tenant AND m.profile_id = profile.id AND m.kind = 'entry' AND NOT m.is_redacted
          AND is_live(m.is_redacted, m.expires_at, m.created_at, profile.retention_seconds)
          AND (p_scope IS NULL OR m.scope = p_scope)
        ORDER BY m.confidence DESC, m.created_at DESC, m.id DESC LIMIT p_limit);
    PERFORM log_access('read', p_team_run_id, jsonb_build_object('profile_id', profile.id, 'scope', p_scope), read);
    RETURN QUERY SELECT v.* FROM unnest(read) WITH ORDINALITY AS chosen (id, place)
                 JOIN entry_rows(tenant, read) v USING (id) ORDER BY chosen.place;
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
    tenant uuid := tenant_id();
    profile profiles := profile_of(p_profile_id);
    embedding_model smallint := model_like('p_query_embedding', p_query_embedding);
    near uuid[];
    how_near double precision[];
BEGIN
    PERFORM check_scope_and_limit(p_scope, p_limit);
    SELECT coalesce(array_agg(f.id ORDER BY f.far, f.id), '{}'), array_agg(1 - f.far ORDER BY f.far, f.id)
    INTO near, how_near
    FROM (
        SELECT m.id, e.vector <=> p_query_embedding AS far
        FROM memories m
        JOIN embeddings e ON e.user_id = tenant AND e.model = embedding_model AND e.room = 0 AND e.drawer = m.drawer
        WHERE m.user_id = tenant AND m.profile_id = profile.id AND m.kind = 'entry' AND m.room = 0
          AND is_live(m.is_redacted, m.expires_at, m.created_at, profile.retention_seconds)
          AND (p_scope IS NULL OR m.scope = p_scope)
        ORDER BY far, m.id LIMIT p_limit
    ) f;
    PERFORM log_access('read', p_team_run_id,
                       jsonb_build_object('profile_id', profile.id, 'scope', p_scope, 'search', true), near);
    RETURN QUERY SELECT v.*, chosen.likeness FROM unnest(near, how_near) WITH ORDINALITY AS chosen (id, likeness, place)
                 JOIN entry_rows(tenant, near) v USING (id) ORDER BY chosen.place;
END
$$;

CREATE FUNCTION fn_redact_memory_entry(p_memory_id uuid, p_reason text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    tenant uuid := tenant_id();
    memory memories;
    searched boolean;
BEGIN
    SELECT * INTO memory FROM memories WHERE user_id = tenant AND id = p_memory_id FOR UPDATE;
    IF memory.id IS NULL THEN
        RAISE EXCEPTION 'p_memory_id: memory % not found', p_memory_id
            USING ERRCODE = 'no_data_found', COLUMN = 'p_memory_id';
    ELSIF memory.kind = 'drawer' THEN
        -- The names of its closet and wing may hold its words, and only Python can tell.
        PERFORM refuse('p_memory_id', 'is a drawer of the palace: redact it with Ricordo''s library or command line');
    ELSIF memory.is_redacted THEN
        RETURN;
    END IF;
    PERFORM erase_traces(p_memory_id);
    UPDATE memories SET content = '[redacted]', is_redacted = true, tags = NULL, metadata = NULL, updated_at = now()
    WHERE user_id = tenant AND id = p_memory_id;
    SELECT coalesce(p.secrets, s.secrets, 'store') <> 'store'
           OR coalesce(p.personal_data, s.personal_data, 'store') <> 'store' INTO searched
    FROM (SELECT) one LEFT JOIN settings s ON s.user_id = tenant
         LEFT JOIN profiles p ON p.user_id = tenant AND p.id = memory.profile_id;
    PERFORM log_access('redact', NULL, jsonb_strip_nulls(jsonb_build_object('reason',
        CASE WHEN NOT searched AND strpos(lower(p_reason), lower(btrim(memory.content))) = 0 THEN p_reason END)),
        ARRAY[p_memory_id]);
END
$$;

CREATE FUNCTION fn_summarize_memory_profile(p_profile_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    tenant uuid := tenant_id();
    profile profiles := profile_of(p_profile_id);
BEGIN
    RETURN (
        SELECT jsonb_build_object('count', count(*), 'scopes', coalesce(jsonb_agg(DISTINCT m.scope), '[]'),
                                  'last_written_at', max(m.created_at))
        FROM memories m WHERE m.user_id = tenant AND m.profile_id = profile.id AND m.kind = 'entry'
          AND is_live(m.is_redacted, m.expires_at, m.created_at, profile.retention_seconds));
END
$$;

-- Notes by meaning (seed 004). `metadata` has the field names of that document's indexes; the caller's own are in
-- `context`.
CREATE FUNCTION match_memories(query_embedding halfvec, match_threshold double precision, match_count integer)
RETURNS TABLE (
    id uuid, content text, created_at timestamptz, updated_at timestamptz, user_id text, project_id text, tags text[],
    metadata jsonb, embedding vector, similarity double precision
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := tenant_id();
    embedding_model smallint := model_like('query_embedding', query_embedding);
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
        JOIN embeddings e ON e.user_id = tenant AND e.model = embedding_model AND e.room = 0 AND e.drawer = m.drawer
        WHERE m.user_id = tenant AND m.kind = 'note' AND m.room = 0 AND is_live(m.is_redacted, m.expires_at, m.created_at, NULL)
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
        JOIN memories m ON m.user_id = tenant AND m.room = 0 AND m.drawer = chosen.drawer
        JOIN embeddings e ON e.user_id = tenant AND e.model = embedding_model AND e.room = 0 AND e.drawer = m.drawer
        ORDER BY chosen.place;
END
$$;
