-- The store: users, the palace, memories of every kind, and what is derived from them.
--
-- Runs as the owner with search_path at Ricordo's schema. Every table of user data has user_id first in its
-- primary key and one policy, made at the end of this file.
--
-- A memory's place is (room, drawer): `room` counts a user's rooms, `drawer` counts the turns of a room in
-- their order. Both never change, so postings and embeddings are keyed by them (8 bytes, neighbours one apart).

CREATE TABLE users (
    user_id           uuid PRIMARY KEY,
    name              text NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT now(),
    -- The last number given; taken under this row's lock.
    last_conversation integer NOT NULL DEFAULT 0,
    last_wing         integer NOT NULL DEFAULT 0,
    last_room         integer NOT NULL DEFAULT 0,
    -- What BM25 must know of the whole: how many memories are indexed and how many terms they hold.
    memories          integer NOT NULL DEFAULT 0,
    terms             bigint  NOT NULL DEFAULT 0,
    languages         text[]  NOT NULL DEFAULT '{}',
    -- What the user is called in talk with assistants, so that a wing is named after the others.
    names             text[]  NOT NULL DEFAULT '{}'
);

CREATE TABLE conversations (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    conversation integer NOT NULL,
    id           uuid NOT NULL,
    external_id  text NOT NULL,
    title        text,
    source       text NOT NULL,
    project      text,
    -- ISO 639-1 code of the language that the stemmer was chosen by; '' where it is not known.
    language     text NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, conversation),
    UNIQUE (user_id, external_id)
);

CREATE TABLE wings (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    wing       integer NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('person', 'project', 'topic', 'agent')),
    name       text NOT NULL,
    slug       text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, wing),
    UNIQUE (user_id, slug)
);

CREATE TABLE rooms (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room         integer NOT NULL,
    wing         integer NOT NULL,
    conversation integer NOT NULL,
    name         text NOT NULL,
    started_at   timestamptz NOT NULL,
    ended_at     timestamptz NOT NULL,
    -- How many drawers it holds, and how many terms they have together.
    drawers      integer NOT NULL DEFAULT 0,
    terms        integer NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, room),
    FOREIGN KEY (user_id, wing) REFERENCES wings,
    FOREIGN KEY (user_id, conversation) REFERENCES conversations
);
CREATE INDEX rooms_by_wing ON rooms (user_id, wing);
CREATE INDEX rooms_by_conversation ON rooms (user_id, conversation);

CREATE TABLE closets (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room    integer NOT NULL,
    closet  integer NOT NULL,
    name    text NOT NULL,
    slug    text NOT NULL,
    PRIMARY KEY (user_id, room, closet),
    UNIQUE (user_id, room, slug),
    FOREIGN KEY (user_id, room) REFERENCES rooms
);

CREATE TABLE memories (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room         integer NOT NULL,
    drawer       integer NOT NULL,
    id           uuid NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('drawer')),
    closet       integer NOT NULL,
    conversation integer NOT NULL,
    position     integer NOT NULL,
    -- Identifies the turn in its conversation (ricordo.mining.alignment), so that no turn is stored twice.
    turn_key     bigint NOT NULL,
    role         text NOT NULL,
    speaker      text NOT NULL,
    content      text NOT NULL,
    said_at      timestamptz NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, room, drawer),
    UNIQUE (user_id, id),
    UNIQUE (user_id, conversation, turn_key),
    FOREIGN KEY (user_id, room, closet) REFERENCES closets
);

-- Keyword search: one row for each term of each memory. `term` is a hash (ricordo.recall.terms); `length` is
-- how many terms the memory has, so that BM25 needs no other table.
CREATE TABLE postings (
    user_id   uuid NOT NULL,
    term      integer NOT NULL,
    room      integer NOT NULL,
    drawer    integer NOT NULL,
    frequency smallint NOT NULL,
    length    smallint NOT NULL,
    PRIMARY KEY (user_id, term, room, drawer) INCLUDE (frequency, length)
);

-- The encoders whose vectors the store holds. No user's data.
CREATE TABLE models (
    model     smallint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name      text NOT NULL UNIQUE,
    dimension integer NOT NULL
);

-- Vectors; drawer 0 is the room itself: the mean of what its people said.
CREATE TABLE embeddings (
    user_id uuid NOT NULL,
    model   smallint NOT NULL REFERENCES models,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    vector  halfvec NOT NULL,
    PRIMARY KEY (user_id, model, room, drawer)
);
ALTER TABLE embeddings ALTER COLUMN vector SET STORAGE MAIN;

-- Memories whose vector is still to come. A worker claims rows with SKIP LOCKED and deletes them in the
-- transaction that writes the vectors.
CREATE TABLE unembedded (
    user_id uuid NOT NULL,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    PRIMARY KEY (user_id, room, drawer)
);

DO $$
DECLARE
    tenant text := $policy$user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid$policy$;
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['users', 'conversations', 'wings', 'rooms', 'closets', 'memories', 'postings',
                                'embeddings', 'unembedded']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY tenant ON %I USING (%s) WITH CHECK (%s)', name, tenant, tenant);
    END LOOP;
END
$$;

GRANT SELECT, INSERT, UPDATE ON users, conversations, wings, rooms, closets TO ricordo_app;
GRANT SELECT, INSERT ON memories, models TO ricordo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON postings, embeddings, unembedded TO ricordo_app;
