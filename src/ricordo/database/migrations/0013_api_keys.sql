-- API keys. Runs as the owner with search_path at Ricordo's schema.

CREATE TABLE api_keys (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id           uuid NOT NULL,
    name         text NOT NULL,
    -- sha256 of the secret; the secret itself is kept nowhere.
    digest       bytea NOT NULL CHECK (length(digest) = 32),
    -- The one agent that it reaches; NULL is all that is the user's. `palace` opens recall and mining to an agent's key.
    agent_id     uuid,
    palace       boolean NOT NULL DEFAULT false CHECK (agent_id IS NOT NULL OR NOT palace),
    read_only    boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_keys USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON api_keys TO ricordo_app;

-- A server that listens to other machines must know whether anybody could reach it at all: yes or no, and nothing else.
-- FORCE binds the function's owner as well, so that the owner needs a policy of its own.
CREATE POLICY owner ON api_keys FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION api_keys_exist() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))
$$;
REVOKE ALL ON FUNCTION api_keys_exist FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_exist TO ricordo_app;
