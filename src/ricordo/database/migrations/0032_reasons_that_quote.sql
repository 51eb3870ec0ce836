-- Reasons that quote what they say is to be redacted. Runs as the owner with search_path at Ricordo's schema.

-- As in 0026, but for the reason: one that holds the memory's text is dropped.
CREATE OR REPLACE FUNCTION fn_redact_memory_entry(p_memory_id uuid, p_reason text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    memory memories;
    searched boolean;
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
    SELECT coalesce(p.secrets, s.secrets, 'store') <> 'store'
           OR coalesce(p.personal_data, s.personal_data, 'store') <> 'store' INTO searched
    FROM (SELECT) one LEFT JOIN settings s ON s.user_id = memory.user_id
         LEFT JOIN profiles p ON (p.user_id, p.id) = (memory.user_id, memory.profile_id);
    PERFORM log_access('redact', NULL, jsonb_strip_nulls(jsonb_build_object('reason',
        CASE WHEN NOT searched AND strpos(lower(p_reason), lower(btrim(memory.content))) = 0 THEN p_reason END)),
        ARRAY[p_memory_id]);
END
$$;

DO $$
DECLARE
    here text := current_schema();
    vectors text := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector');
    redacting regprocedure := (SELECT oid FROM pg_proc
        WHERE pronamespace = here::regnamespace AND proname = 'fn_redact_memory_entry');
BEGIN
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', redacting);
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, %s, pg_temp', redacting, here, vectors);
END
$$;
