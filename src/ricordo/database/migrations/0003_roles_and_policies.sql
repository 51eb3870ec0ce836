-- Who owns what, who may do what, and who sees which rows. Runs as the owner with search_path set to Ricordo's schema.
--
--   the owner      owns the schema. Migrations and upkeep run as the owner.
--   ricordo_app    runs every user's transaction. Owns nothing but the SQL surface, and is bound by the policies below.
--   ricordo_sql    may call the SQL surface, which runs with the rights of ricordo_app, and nothing else. A login role
--                  that is a member of it sees the rows of the one user that it is bound to (sql_roles), or none.
--
-- Names are listed, since a schema such as public may hold things of others.

-- Tables: each user sees their own rows, and ricordo_app may do what is listed. --------------------------------------

DO $$
DECLARE
    -- The sub-select is evaluated once a statement and not while it is planned: of an id that the planner knows and has
    -- no statistics of, it expects one row, and then reads all of the user's rows for each row that it looks for.
    -- Citus takes no sub-select here: `ricordo db distribute` creates these policies without it.
    tenant text := 'user_id = (SELECT tenant_id())';
    all_rights text := 'SELECT, INSERT, UPDATE, DELETE';
    -- These rows go with their user, and in no other way.
    no_delete text := 'SELECT, INSERT, UPDATE';
    each record;
BEGIN
    FOR each IN SELECT unnest(tables) AS name, rights FROM (VALUES
        (no_delete, '{users,conversations,wings,rooms,model_calls,imported_archives,api_keys}'::name[]),
        -- What happened cannot be undone, and only functions of the owner write the access log.
        ('SELECT', '{access_log,access_memories,access_seals}'),
        ('SELECT, INSERT', '{activity}'),
        ('SELECT, INSERT, DELETE', '{former_places,imported_turns,run_outputs}'),
        (all_rights, '{settings,user_models,agents,profiles,grants,runs,whiteboards,proposals,wing_keys,closets}'),
        (all_rights, '{memories,memory_history,said_on,postings,unindexed,embeddings,unembedded}'),
        (all_rights, '{entities,aliases,spellings,mentions,facts,model_reads,unread_turns,model_prices}'),
        (all_rights, '{held_writes,procrastinate_jobs,job_outcomes,operations,answers}'),
        (all_rights, '{uploads,upload_files,upload_chunks,watched_files}'),
        (all_rights, '{sync_memories,sync_devices,sync_objects,sync_segments,foreign_places}')
    ) AS listed (rights, tables)
    LOOP
        -- FORCE binds the owner too.
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', each.name);
        EXECUTE format('CREATE POLICY tenant ON %I USING (%s) WITH CHECK (%s)', each.name, tenant, tenant);
        EXECUTE format('GRANT %s ON %I TO ricordo_app', each.rights, each.name);
    END LOOP;
END
$$;

-- What tenant_id() itself reads, so that no policy on it may call that function: the owner, as whom it runs, reads all
-- of it, and the application the rows of the user that it sets.
ALTER TABLE sql_roles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sql_roles TO ricordo_app
    USING (user_id = (SELECT nullif(current_setting('ricordo.user_id', true), '')::uuid));
GRANT SELECT ON sql_roles TO ricordo_app;
CREATE POLICY owner ON sql_roles TO CURRENT_USER USING (true) WITH CHECK (true);

-- Tables without user_id. An event is its job's: the sub-select sees only the user's jobs.
ALTER TABLE procrastinate_events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON procrastinate_events
    USING (EXISTS (SELECT FROM procrastinate_jobs j WHERE j.id = job_id))
    WITH CHECK (EXISTS (SELECT FROM procrastinate_jobs j WHERE j.id = job_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON procrastinate_events, procrastinate_workers, procrastinate_periodic_defers
    TO ricordo_app;
GRANT SELECT ON models TO ricordo_app;
GRANT USAGE ON SEQUENCE loose_numbers, procrastinate_jobs_id_seq, procrastinate_events_id_seq,
    procrastinate_workers_id_seq, procrastinate_periodic_defers_id_seq TO ricordo_app;

-- The owner sees all users' jobs and of which model their vectors are, since the worker of all users fetches as the
-- owner what it can do, and their keys (api_keys_exist).
CREATE POLICY owner ON procrastinate_jobs TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY owner ON procrastinate_events TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY owner ON job_outcomes TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY owner ON user_models FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner ON api_keys FOR SELECT TO CURRENT_USER USING (true);

-- Functions: ricordo_app may call ours, ricordo_sql those of the SQL surface, and nobody else any. -------------------

DO $$
DECLARE
    here text := current_schema();
    vectors text := (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector');
    -- Run with the rights of ricordo_app, whoever calls.
    surface name[] := '{fn_write_memory_entry,fn_read_memory_entries,fn_search_memory_entries,fn_redact_memory_entry,
                        fn_summarize_memory_profile,match_memories}';
    -- Run with the rights of the owner, whoever calls (0002 makes them so).
    privileged name[] := '{tenant_id,record_access,seal_accesses,import_accesses,import_seals,api_keys_exist,
                           forget_conversation_ids,register_model,set_default_model}';
    helpers name[] := '{new_id,one_line,written_out,trimmed,refuse,check_scope_and_limit,is_live,profile_of,entry_rows,model_like,
                        check_policies,forgotten_id,holds_recalled,check_run,log_access,access_hash,erase_traces,enqueue_job,
                        can_do,fetch_job}';
    -- Nobody may call these, or they could be put on a table of the caller's.
    triggers name[] := '{require_default_profile,require_profile_of_agent,keep_word_for_word,remove_derived,
                         remove_room_vectors,tell_of_access,forget_answers,forget_exports}';
    each record;
BEGIN
    -- A role that is to own something must be allowed to create in the schema for that moment.
    EXECUTE format('GRANT CREATE ON SCHEMA %I TO ricordo_app', here);
    FOR each IN
        SELECT oid::regprocedure AS signature, proname AS name FROM pg_proc
        WHERE pronamespace = here::regnamespace AND proname = ANY(surface || privileged || helpers || triggers)
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', each.signature);
        IF each.name = ANY(privileged || helpers) THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ricordo_app', each.signature);
        END IF;
        IF each.name <> ALL(helpers) THEN
            -- Temporary objects come last, so that no caller's table or operator stands in for ours.
            EXECUTE format('ALTER FUNCTION %s SET search_path = %I, %s, pg_temp', each.signature, here, vectors);
        END IF;
        IF each.name = ANY(surface) THEN
            EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', each.signature);
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ricordo_sql', each.signature);
            EXECUTE format('ALTER FUNCTION %s OWNER TO ricordo_app', each.signature);
        END IF;
    END LOOP;
    ALTER VIEW memories_v OWNER TO ricordo_app;
    ALTER VIEW memory_access_logs_v OWNER TO ricordo_app;
    GRANT SELECT ON memories_v, memory_access_logs_v TO ricordo_sql;
    -- Whoever reads a view calls the functions in its policies.
    GRANT EXECUTE ON FUNCTION tenant_id() TO ricordo_sql;
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM ricordo_app', here);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO ricordo_sql', here);
END
$$;
