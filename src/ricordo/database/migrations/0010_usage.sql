-- What calls of paid models took, and what users say that models cost. Runs as the owner with search_path at Ricordo's
-- schema.

-- One row for each call, written before it is made, so that a call which is cut off with its process is not forgotten.
-- No key to users: a call must not wait for who writes to the palace, and holds the user's row.
CREATE TABLE model_calls (
    user_id         uuid NOT NULL,
    id              uuid NOT NULL,
    source          text NOT NULL CHECK (source IN ('memory_embed', 'memory_extract', 'memory_rerank', 'memory_qa',
                                                    'memory_summary')),
    model           text NOT NULL,
    -- The conversation's own id, as it was mined.
    conversation_id text,
    began_at        timestamptz NOT NULL,
    seconds         real,
    tokens_in       integer CHECK (tokens_in >= 0),
    tokens_out      integer CHECK (tokens_out >= 0),
    -- US dollars. NULL while it is not known; then `held`, the most that the call was thought to cost, counts against
    -- the caps. Of a call that a cap stopped, `held` is what was saved.
    cost            numeric CHECK (cost >= 0),
    held            numeric NOT NULL CHECK (held >= 0),
    outcome         text NOT NULL CHECK (outcome IN ('open', 'answered', 'unusable', 'refused', 'unreached', 'lost',
                                                     'cap_conversation', 'cap_month', 'unpriced')),
    PRIMARY KEY (user_id, id)
);
CREATE INDEX model_calls_by_time ON model_calls (user_id, began_at);
CREATE INDEX model_calls_by_conversation ON model_calls (user_id, conversation_id) WHERE conversation_id IS NOT NULL;

-- US dollars for a million tokens.
CREATE TABLE model_prices (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    model   text NOT NULL,
    input   numeric NOT NULL CHECK (input >= 0),
    output  numeric NOT NULL CHECK (output >= 0),
    PRIMARY KEY (user_id, model)
);

-- Turns that a reader was asked about in vain: what local rules found in them serves, and nobody pays for them again.
CREATE TABLE unread_turns (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    PRIMARY KEY (user_id, room, drawer)
);

DO $$
DECLARE
    tenant text := $policy$user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid$policy$;
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['model_calls', 'model_prices', 'unread_turns']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY tenant ON %I USING (%s) WITH CHECK (%s)', name, tenant, tenant);
    END LOOP;
END
$$;
GRANT SELECT, INSERT, UPDATE ON model_calls TO ricordo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON model_prices, unread_turns TO ricordo_app;
