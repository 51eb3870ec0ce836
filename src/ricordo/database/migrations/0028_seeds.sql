-- A memory that is forgotten goes from what its profile remembers of its seed entries, too. As in 0006, but for that. Runs as
-- the owner with search_path at Ricordo's schema; replacing a function keeps who owns and who may call it.
CREATE OR REPLACE FUNCTION erase_traces(p_memory_id uuid) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    memory memories;
    said text;
    flat text;
    counts jsonb := '{}';
    rows integer;
    struck integer := 0;
    seeds integer := 0;
    terms_gone integer;
BEGIN
    SELECT * INTO STRICT memory FROM memories WHERE user_id = tenant_id() AND id = p_memory_id FOR UPDATE;
    -- In the block of a prompt each entry is a line of its own, which is struck if it says just this: a part of another
    -- entry's line must stay, or its rest could never be struck. Elsewhere a text is struck wherever it stands, unless
    -- it is so short that it would be found within other words. The longest first, as one may hold another.
    FOR said, flat IN
        SELECT text, one_line(text)
        FROM (SELECT memory.content AS text UNION SELECT content FROM memory_history WHERE memory_id = p_memory_id) texts
        ORDER BY length(text) DESC
    LOOP
        UPDATE runs SET prompt = (
            SELECT string_agg(
                CASE WHEN line ~ '^- \[[0-9.]+\] ' THEN
                    CASE WHEN one_line(substr(line, strpos(line, '] ') + 2)) = flat
                         THEN left(line, strpos(line, '] ') + 1) || '[redacted]' ELSE line END
                WHEN length(flat) >= 12 THEN replace(line, flat, '[redacted]') ELSE line END,
                E'\n' ORDER BY number)
            FROM string_to_table(
                CASE WHEN strpos(said, E'\n') > 0 THEN replace(prompt, said, '[redacted]') ELSE prompt END, E'\n'
            ) WITH ORDINALITY AS lines (line, number))
        WHERE strpos(prompt, said) + strpos(one_line(prompt), flat) > 0 AND id IN (
            SELECT l.run_id FROM access_memories a JOIN access_log l ON l.user_id = a.user_id AND l.id = a.access_id
            WHERE a.memory_id = p_memory_id);
        GET DIAGNOSTICS rows = ROW_COUNT;
        struck := struck + rows;
        UPDATE profiles SET seed_entries = (
            SELECT jsonb_agg(CASE WHEN seed ->> 'content' = said THEN jsonb_set(seed, '{content}', '"[redacted]"')
                                  ELSE seed END ORDER BY number)
            FROM jsonb_array_elements(seed_entries) WITH ORDINALITY AS seeds (seed, number))
        WHERE id = memory.profile_id
          AND EXISTS (SELECT FROM jsonb_array_elements(seed_entries) seed WHERE seed ->> 'content' = said);
        GET DIAGNOSTICS rows = ROW_COUNT;
        seeds := seeds + rows;
    END LOOP;
    counts := counts || jsonb_build_object('runs', struck);
    IF seeds > 0 THEN
        counts := counts || jsonb_build_object('profiles', seeds);
    END IF;
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
