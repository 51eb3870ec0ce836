-- Archives of users' memories. Runs as the owner with search_path at Ricordo's schema.

-- Which archives a user has loaded, by their digest, so that loading one again changes nothing.
CREATE TABLE imported_archives (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    digest    bytea NOT NULL,
    loaded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, digest)
);
ALTER TABLE imported_archives ENABLE ROW LEVEL SECURITY;
ALTER TABLE imported_archives FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON imported_archives USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT ON imported_archives TO ricordo_app;

-- Accesses that come with an archive have transactions below 0. What follows from an access was done where it was made.
CREATE OR REPLACE TRIGGER told AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire') AND NEW.xid > 0) EXECUTE FUNCTION tell_of_access();
CREATE OR REPLACE TRIGGER answers_forgotten AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire') AND NEW.xid > 0) EXECUTE FUNCTION forget_answers();
