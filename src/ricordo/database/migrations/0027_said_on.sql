-- How many drawers of a room were said on a day, and by whom: what histograms and lists of speakers are added up from, as
-- counting the drawers themselves would read every text. Runs as the owner with search_path at Ricordo's schema.

CREATE TABLE said_on (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room        integer NOT NULL,
    -- In UTC.
    day         date NOT NULL,
    role        text NOT NULL,
    speaker     text NOT NULL,
    -- The speaker's, whose name may be longer than a key.
    speaker_key uuid NOT NULL GENERATED ALWAYS AS (md5(speaker)::uuid) STORED,
    drawers     integer NOT NULL,
    PRIMARY KEY (user_id, room, day, role, speaker_key)
);
ALTER TABLE said_on ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON said_on USING (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid)
    WITH CHECK (user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON said_on TO ricordo_app;

ALTER TABLE memories NO FORCE ROW LEVEL SECURITY;
INSERT INTO said_on (user_id, room, day, role, speaker, drawers)
    SELECT user_id, room, (said_at AT TIME ZONE 'UTC')::date, role, speaker, count(*) FROM memories
    WHERE kind = 'drawer' GROUP BY 1, 2, 3, 4, 5;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
ALTER TABLE said_on FORCE ROW LEVEL SECURITY;
