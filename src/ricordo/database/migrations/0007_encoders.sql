-- Each user's vectors are of one encoder; changing to another goes on beside the work. Runs as the owner with
-- search_path at Ricordo's schema.

-- The encoder of a user's vectors, by which all searches go, and the one that a re-embedding is on its way to. A row is
-- locked FOR SHARE by whoever writes vectors and FOR UPDATE by whoever changes it, so that no vector comes too late.
CREATE TABLE user_models (
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    model      smallint NOT NULL REFERENCES models,
    next_model smallint REFERENCES models CHECK (next_model <> model)
);
ALTER TABLE user_models ENABLE ROW LEVEL SECURITY;
-- The owner is not bound by the policy while it fills the table, which without a superuser needs this.
ALTER TABLE embeddings NO FORCE ROW LEVEL SECURITY;
INSERT INTO user_models (user_id, model)
SELECT DISTINCT ON (user_id) user_id, model
FROM (SELECT user_id, model, count(*) AS vectors FROM embeddings JOIN users USING (user_id) GROUP BY user_id, model) e
ORDER BY user_id, vectors DESC, model;
ALTER TABLE embeddings FORCE ROW LEVEL SECURITY;
ALTER TABLE user_models FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_models USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_models TO ricordo_app;

-- `renewal`: the memory has its vector and waits for one of the next encoder. `problem` says why the last attempt gave
-- none; `retry_at` is when a memory that failed by itself is tried again, NULL where it waits for no time.
ALTER TABLE unembedded
    ADD COLUMN renewal boolean NOT NULL DEFAULT false,
    ADD COLUMN attempts smallint NOT NULL DEFAULT 0,
    ADD COLUMN retry_at timestamptz,
    ADD COLUMN problem text,
    DROP CONSTRAINT unembedded_pkey,
    ADD PRIMARY KEY (user_id, room, drawer, renewal);
-- What each recall counts, however many wait for a renewal.
CREATE INDEX unembedded_now ON unembedded (user_id, room, drawer) WHERE NOT renewal;

-- The encoder whose vectors a question's are like: the user's; for a user who has none, the newest of this dimension.
CREATE OR REPLACE FUNCTION model_like(p_field text, p_vector halfvec) RETURNS smallint LANGUAGE plpgsql STABLE AS $$
DECLARE
    own models := (SELECT m FROM models m JOIN user_models u USING (model) WHERE u.user_id = tenant_id());
    found smallint := CASE WHEN own.model IS NULL
        THEN (SELECT max(m.model) FROM models m WHERE m.dimension = vector_dims(p_vector))
        ELSE (SELECT own.model WHERE own.dimension = vector_dims(p_vector)) END;
BEGIN
    IF p_vector IS NULL THEN
        PERFORM refuse(p_field, 'must not be null');
    ELSIF found IS NULL AND own.model IS NOT NULL THEN
        PERFORM refuse(p_field, format('has %s dimensions; your vectors have %s', vector_dims(p_vector), own.dimension));
    ELSIF found IS NULL AND EXISTS (SELECT FROM models) THEN
        PERFORM refuse(p_field, format('has %s dimensions; the vectors of this store have %s', vector_dims(p_vector),
            (SELECT string_agg(DISTINCT m.dimension::text, ' or ') FROM models m)));
    END IF;
    RETURN found;
END
$$;
