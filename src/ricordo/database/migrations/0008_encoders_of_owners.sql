-- 0007 could not see the users of a store whose owner is no superuser, and so named no encoder for those who had vectors.
-- Runs as the owner with search_path at Ricordo's schema.

ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
ALTER TABLE embeddings NO FORCE ROW LEVEL SECURITY;
ALTER TABLE user_models NO FORCE ROW LEVEL SECURITY;
INSERT INTO user_models (user_id, model)
SELECT DISTINCT ON (user_id) user_id, model
FROM (SELECT user_id, model, count(*) AS vectors FROM embeddings JOIN users USING (user_id) GROUP BY user_id, model) e
ORDER BY user_id, vectors DESC, model
ON CONFLICT DO NOTHING;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE embeddings FORCE ROW LEVEL SECURITY;
ALTER TABLE user_models FORCE ROW LEVEL SECURITY;
