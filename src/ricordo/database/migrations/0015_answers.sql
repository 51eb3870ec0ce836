-- Requests that are done once, however often they are sent. Runs as the owner with search_path at Ricordo's schema.

CREATE TABLE answers (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- sha256 of the client's key, and of what came with it.
    id          bytea NOT NULL,
    fingerprint bytea NOT NULL,
    claimed_at  timestamptz NOT NULL DEFAULT now(),
    -- Set by the transaction that did it; NULL where it is under way, or its process died.
    done_at     timestamptz,
    status      smallint,
    headers     jsonb,
    -- NULL before there is an answer, and once a memory was redacted or forgotten that might stand in it.
    body        bytea,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX answers_by_age ON answers (user_id, claimed_at);
ALTER TABLE answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE answers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON answers USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON answers TO ricordo_app;

CREATE FUNCTION forget_answers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE answers SET body = NULL WHERE user_id = NEW.user_id AND body IS NOT NULL;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION forget_answers FROM PUBLIC;
CREATE TRIGGER answers_forgotten AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire')) EXECUTE FUNCTION forget_answers();
