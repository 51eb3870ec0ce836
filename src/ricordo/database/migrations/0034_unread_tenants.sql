-- The policies read the user's id once a statement and not while it is planned: of an id that it reads, the planner
-- knows that no statistics tell of it, expects a single row, and goes through all of the user's rows for each row that
-- it looks for. Of one that it doesn't, it expects as many as users have by the average. Runs as the owner with
-- search_path at Ricordo's schema.
DO $$
DECLARE
    table_name name;
BEGIN
    FOR table_name IN
        SELECT tablename FROM pg_policies
        WHERE schemaname = current_schema() AND policyname = 'tenant' AND qual ILIKE '(user_id = (nullif(current_setting(%'
    LOOP
        EXECUTE format($policy$
            ALTER POLICY tenant ON %I
                USING (user_id = (SELECT nullif(current_setting('ricordo.user_id', true), '')::uuid))
                WITH CHECK (user_id = (SELECT nullif(current_setting('ricordo.user_id', true), '')::uuid))
        $policy$, table_name);
    END LOOP;
END
$$;
