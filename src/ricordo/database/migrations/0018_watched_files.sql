-- Files that `ricordo watch` follows. Runs as the owner with search_path at Ricordo's schema.

-- How a file was when it was last mined to its end, so that a watch that begins anew passes over what it knows.
CREATE TABLE watched_files (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    -- A digest of the machine's name and the file's path: names of files are nobody's business.
    file       bytea NOT NULL,
    size       bigint NOT NULL,
    changed_ns bigint NOT NULL,
    PRIMARY KEY (user_id, file)
);
ALTER TABLE watched_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE watched_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON watched_files USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON watched_files TO ricordo_app;
