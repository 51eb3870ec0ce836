-- Runs that a program drives step by step, from any process. Runs as the owner with search_path at Ricordo's schema.

-- The profile that was named for a run; NULL is its agent's default one, or one that is there no more.
ALTER TABLE runs ADD COLUMN profile_id uuid;

-- What nodes of a run that goes on ask to remember. It is written or dropped when the run ends, and gone then.
CREATE TABLE run_outputs (
    user_id uuid NOT NULL,
    run_id  uuid NOT NULL,
    id      uuid NOT NULL,
    node    text NOT NULL,
    -- JSON, as text: it may hold what jsonb cannot, and is checked when the run ends.
    payload text NOT NULL,
    PRIMARY KEY (user_id, run_id, id),
    FOREIGN KEY (user_id, run_id) REFERENCES runs (user_id, id) ON DELETE CASCADE
);
ALTER TABLE run_outputs ENABLE ROW LEVEL SECURITY;
ALTER TABLE run_outputs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON run_outputs USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON run_outputs TO ricordo_app;
