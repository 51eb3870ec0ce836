-- What a user has chosen, and what happened. Runs as the owner with search_path at Ricordo's schema.

-- A user without a row has the defaults, which ricordo.nouns.UserSettings names as well.
CREATE TABLE settings (
    user_id          uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    enabled          boolean NOT NULL DEFAULT true,
    top_k            integer NOT NULL DEFAULT 5 CHECK (top_k BETWEEN 1 AND 1000),
    rerank           boolean NOT NULL DEFAULT false,
    -- NULL leaves the model to how the process was set up.
    rerank_model     text,
    extract_model    text,
    embedding_model  text,
    auto_mine        boolean NOT NULL DEFAULT true,
    -- US dollars; NULL is no cap.
    cap_conversation numeric CHECK (cap_conversation >= 0),
    cap_month        numeric CHECK (cap_month >= 0)
);
ALTER TABLE settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON settings USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON settings TO ricordo_app;

ALTER TABLE activity
    ADD COLUMN category text NOT NULL DEFAULT 'agent_action'
        CHECK (category IN ('agent_action', 'user_action', 'system')),
    ADD COLUMN conversation_id text;
CREATE INDEX activity_by_time ON activity (user_id, created_at DESC, id DESC);

-- Redactions, forgettings and expiries are told whoever does them, by Python or by SQL: each is one row of the log.
CREATE FUNCTION tell_of_access() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    touched integer := cardinality(NEW.memory_ids);
    agents uuid[] := ARRAY(SELECT DISTINCT agent_id FROM memories WHERE user_id = NEW.user_id AND id = ANY(NEW.memory_ids));
BEGIN
    INSERT INTO activity (user_id, id, event, category, agent_id, run_id, payload, created_at)
    VALUES (NEW.user_id, new_id(),
            CASE NEW.action WHEN 'redact' THEN 'memory_redacted' WHEN 'forget' THEN 'memory_forgotten'
                            ELSE 'memory_expired' END,
            CASE NEW.action WHEN 'expire' THEN 'system' ELSE 'user_action' END,
            CASE WHEN cardinality(agents) = 1 THEN agents[1] END, NEW.run_id,
            jsonb_build_object('memories', touched)
                || CASE WHEN touched = 1 THEN jsonb_build_object('memory_id', NEW.memory_ids[1]) ELSE '{}' END,
            clock_timestamp());
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION tell_of_access FROM PUBLIC;
CREATE TRIGGER told AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire')) EXECUTE FUNCTION tell_of_access();
