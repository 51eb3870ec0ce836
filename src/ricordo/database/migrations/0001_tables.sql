-- Tables and indexes. Runs as the owner with search_path set to Ricordo's schema.
--
-- Every table of user data has user_id first in its primary key; 0003 puts all of them under one policy.
--
-- Order: users and what they chose; agents and runs; the palace; memories and what is derived from them;
-- entities and facts; audit; review; jobs, operations and requests; LLM calls; import and export; sync.

-- Users ---------------------------------------------------------------------------------------------------------------

CREATE TABLE users (
    user_id           uuid PRIMARY KEY,
    name              text NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT now(),
    last_conversation integer NOT NULL DEFAULT 0,
    last_wing         integer NOT NULL DEFAULT 0,
    last_room         integer NOT NULL DEFAULT 0,
    last_entity       integer NOT NULL DEFAULT 0,
    memories          integer NOT NULL DEFAULT 0,
    terms             bigint  NOT NULL DEFAULT 0,
    languages         text[]  NOT NULL DEFAULT '{}',
    turn_languages    text[]  NOT NULL DEFAULT '{}',
    names             text[]  NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE users IS 'The people whose memory this is. The id follows from the name (UUID version 5).';
COMMENT ON COLUMN users.last_conversation IS 'Last number given to a conversation; taken under this row''s lock.';
COMMENT ON COLUMN users.last_wing IS 'Last number given to a wing; taken under this row''s lock.';
COMMENT ON COLUMN users.last_room IS 'Last number given to a room; taken under this row''s lock.';
COMMENT ON COLUMN users.last_entity IS 'Last number given to an entity; taken under this row''s lock.';
COMMENT ON COLUMN users.memories IS 'Number of indexed turns, which BM25 needs.';
COMMENT ON COLUMN users.terms IS 'Number of search terms in all indexed turns, which BM25 needs.';
COMMENT ON COLUMN users.languages IS 'ISO 639-1 codes of the languages in the user''s conversations.';
COMMENT ON COLUMN users.turn_languages IS 'ISO 639-1 codes of the languages of single memories (embeddings.language).';
COMMENT ON COLUMN users.names IS 'What assistants call the user, so that a wing is named after the other people.';

CREATE TABLE settings (
    user_id          uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    enabled          boolean NOT NULL DEFAULT true,
    top_k            integer NOT NULL DEFAULT 5 CHECK (top_k BETWEEN 1 AND 1000),
    rerank           boolean NOT NULL DEFAULT false,
    rerank_model     text,
    extract_model    text,
    embedding_model  text,
    auto_mine        boolean NOT NULL DEFAULT true,
    cap_conversation numeric CHECK (cap_conversation >= 0),
    cap_month        numeric CHECK (cap_month >= 0),
    secrets          text NOT NULL DEFAULT 'store' CHECK (secrets IN ('store', 'redact', 'reject')),
    personal_data    text NOT NULL DEFAULT 'store' CHECK (personal_data IN ('store', 'redact', 'reject')),
    review           text NOT NULL DEFAULT 'nothing' CHECK (review IN ('nothing', 'tools', 'agents')),
    across_projects  text NOT NULL DEFAULT 'personal' CHECK (across_projects IN ('nothing', 'personal', 'everything')),
    time_zone        text
);
COMMENT ON TABLE settings IS 'What a user has chosen. A user without a row has the defaults.';
COMMENT ON COLUMN settings.enabled IS 'When false, memory is neither recalled nor stored for this user.';
COMMENT ON COLUMN settings.top_k IS 'Results per recall.';
COMMENT ON COLUMN settings.rerank IS 'Whether an LLM puts the results of a recall in order.';
COMMENT ON COLUMN settings.rerank_model IS 'LLM for reranking; NULL means the one that the process is set up with.';
COMMENT ON COLUMN settings.extract_model IS 'LLM for facts; NULL means the one that the process is set up with.';
COMMENT ON COLUMN settings.embedding_model IS 'Embedding model; NULL means the one that the process is set up with.';
COMMENT ON COLUMN settings.auto_mine IS 'Whether conversations are stored automatically.';
COMMENT ON COLUMN settings.cap_conversation IS
    'Maximum cost of LLM calls per conversation in US dollars; NULL means no cap.';
COMMENT ON COLUMN settings.cap_month IS 'Maximum cost of LLM calls per month in US dollars; NULL means no cap.';
COMMENT ON COLUMN settings.time_zone IS
    'IANA name of the zone whose days are the user''s; NULL means the one that the process is set up with, or UTC.';
COMMENT ON COLUMN settings.secrets IS 'What happens to passwords and keys in a text that is written.';
COMMENT ON COLUMN settings.personal_data IS 'What happens to personal data in a text that is written.';
COMMENT ON COLUMN settings.across_projects IS
    'What reaches a project from outside: nothing, what belongs to no project, or that and other projects.';
COMMENT ON COLUMN settings.review IS
    'Whose writes go to the review queue: nobody''s, those of tools, or those of agents and tools.';

CREATE TABLE sql_roles (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    role       text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, role)
);
COMMENT ON TABLE sql_roles IS
    'Login roles of the database that are bound to one user each. Only the owner binds a role (ricordo db role).';
COMMENT ON COLUMN sql_roles.role IS 'Name of the role.';

CREATE TABLE models (
    model      smallint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name       text NOT NULL UNIQUE,
    dimension  integer NOT NULL,
    is_default boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX default_model ON models (is_default) WHERE is_default;
COMMENT ON TABLE models IS 'Embedding models whose vectors the store holds. No user''s data, so no policy.';
COMMENT ON COLUMN models.model IS 'Short number that vectors refer to.';
COMMENT ON COLUMN models.dimension IS 'Length of the model''s vectors.';
COMMENT ON COLUMN models.is_default IS 'Whether new users get this model from processes whose settings name none.';

CREATE TABLE user_models (
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    model      smallint NOT NULL REFERENCES models,
    next_model smallint REFERENCES models CHECK (next_model <> model)
);
COMMENT ON TABLE user_models IS 'The embedding model of each user''s vectors. Whoever writes vectors locks the row '
    'FOR SHARE, whoever changes it FOR UPDATE, so that no vector of the old model arrives late.';
COMMENT ON COLUMN user_models.model IS 'Model by which the user''s memories are searched.';
COMMENT ON COLUMN user_models.next_model IS 'Model that a re-embedding in progress leads to.';

-- Agents and runs -----------------------------------------------------------------------------------------------------

CREATE TABLE agents (
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id              uuid NOT NULL,
    name            text NOT NULL,
    system_prompt   text,
    memory_disabled boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, name)
);
COMMENT ON TABLE agents IS 'Agents that write and read memories of their own.';
COMMENT ON COLUMN agents.system_prompt IS 'Instructions that a run of the agent begins with.';
COMMENT ON COLUMN agents.memory_disabled IS 'When true, memory is not added to this agent''s prompts.';

CREATE TABLE profiles (
    user_id            uuid NOT NULL,
    id                 uuid NOT NULL,
    agent_id           uuid NOT NULL,
    name               text NOT NULL,
    scope              text NOT NULL DEFAULT 'project' CHECK (scope IN ('project', 'conversation', 'global')),
    retention_seconds  bigint CHECK (retention_seconds > 0),
    max_entries        integer CHECK (max_entries > 0),
    isolation          text NOT NULL DEFAULT 'private' CHECK (isolation IN ('private', 'shared')),
    injection_strategy text NOT NULL DEFAULT 'top_confidence'
                       CHECK (injection_strategy IN ('top_confidence', 'recent', 'relevant')),
    injection_limit    integer NOT NULL DEFAULT 5 CHECK (injection_limit BETWEEN 0 AND 1000),
    injection_scopes   text[] NOT NULL DEFAULT '{project}'
                       CHECK (injection_scopes <@ '{project,conversation,global}'),
    seed_entries       jsonb NOT NULL DEFAULT '[]',
    is_default         boolean NOT NULL DEFAULT false,
    created_at         timestamptz NOT NULL DEFAULT now(),
    secrets            text CHECK (secrets IN ('store', 'redact', 'reject')),
    personal_data      text CHECK (personal_data IN ('store', 'redact', 'reject')),
    review             text CHECK (review IN ('nothing', 'tools', 'agents')),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, agent_id, name),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_default_profile ON profiles (user_id, agent_id) WHERE is_default;
COMMENT ON TABLE profiles IS
    'Sets of entries of an agent, with the rules for them. An agent that has profiles has exactly '
    'one default profile, which triggers check when a transaction ends.';
COMMENT ON COLUMN profiles.scope IS 'Scope of entries whose writer names none.';
COMMENT ON COLUMN profiles.retention_seconds IS
    'How long an entry is read after it was written; NULL means permanently.';
COMMENT ON COLUMN profiles.max_entries IS 'Maximum number of live entries; NULL means no limit.';
COMMENT ON COLUMN profiles.isolation IS 'Whether other agents of the user may read the entries.';
COMMENT ON COLUMN profiles.injection_strategy IS 'Which entries are added to a prompt first.';
COMMENT ON COLUMN profiles.injection_limit IS 'Maximum number of entries added to a prompt.';
COMMENT ON COLUMN profiles.injection_scopes IS 'Scopes whose entries are added to a prompt.';
COMMENT ON COLUMN profiles.seed_entries IS 'Entries that the profile was created with.';
COMMENT ON COLUMN profiles.is_default IS 'Whether the agent uses this profile when none is named.';
COMMENT ON COLUMN profiles.secrets IS 'As in settings; NULL means the user''s setting.';
COMMENT ON COLUMN profiles.personal_data IS 'As in settings; NULL means the user''s setting.';
COMMENT ON COLUMN profiles.review IS 'As in settings; NULL means the user''s setting.';

CREATE TABLE grants (
    user_id    uuid NOT NULL,
    from_agent uuid NOT NULL,
    to_agent   uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, from_agent, to_agent),
    FOREIGN KEY (user_id, from_agent) REFERENCES agents ON DELETE CASCADE,
    FOREIGN KEY (user_id, to_agent) REFERENCES agents ON DELETE CASCADE
);
COMMENT ON TABLE grants IS 'Permissions to read the global entries of another agent. Revoked by removing the row.';
COMMENT ON COLUMN grants.from_agent IS 'Agent whose entries may be read.';
COMMENT ON COLUMN grants.to_agent IS 'Agent that may read them.';

CREATE TABLE runs (
    user_id         uuid NOT NULL,
    id              uuid NOT NULL,
    agent_id        uuid NOT NULL,
    profile_id      uuid,
    conversation_id text,
    status          text NOT NULL DEFAULT 'running'
                    CHECK (status IN ('running', 'completed', 'failed', 'cancelled')),
    prompt          text,
    started_at      timestamptz NOT NULL DEFAULT now(),
    ended_at        timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
COMMENT ON TABLE runs IS 'Runs of agents: what a run saw, and how it ended.';
COMMENT ON COLUMN runs.profile_id IS
    'Profile named for the run; NULL means the agent''s default one. May be gone by now.';
COMMENT ON COLUMN runs.conversation_id IS 'Conversation that the run is part of, as the caller names it.';
COMMENT ON COLUMN runs.status IS 'Whether the run goes on, or how it ended.';
COMMENT ON COLUMN runs.prompt IS 'What the run saw, word for word.';
COMMENT ON COLUMN runs.started_at IS 'When the run began.';
COMMENT ON COLUMN runs.ended_at IS 'When the run ended; NULL while it goes on.';

CREATE TABLE run_outputs (
    user_id uuid NOT NULL,
    run_id  uuid NOT NULL,
    id      uuid NOT NULL,
    node    text NOT NULL,
    payload text NOT NULL,
    PRIMARY KEY (user_id, run_id, id),
    FOREIGN KEY (user_id, run_id) REFERENCES runs (user_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE run_outputs IS
    'What steps of a running run ask to remember. When the run ends it is written or dropped, and '
    'the row goes.';
COMMENT ON COLUMN run_outputs.node IS 'Step of the run that asks.';
COMMENT ON COLUMN run_outputs.payload IS
    'JSON as text: it may hold what jsonb cannot, and is checked when the run ends.';

CREATE TABLE whiteboards (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    name       text NOT NULL,
    agents     uuid[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, name)
);
COMMENT ON TABLE whiteboards IS 'Notes that chosen agents share.';
COMMENT ON COLUMN whiteboards.agents IS 'Agents that may read and write the whiteboard.';

-- The palace ----------------------------------------------------------------------------------------------------------

CREATE TABLE conversations (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    conversation integer NOT NULL,
    id           uuid NOT NULL,
    external_id  text NOT NULL,
    title        text,
    source       text NOT NULL,
    project      text,
    language     text NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL DEFAULT now(),
    forgotten_at timestamptz,
    PRIMARY KEY (user_id, conversation),
    UNIQUE (user_id, external_id)
);
COMMENT ON TABLE conversations IS 'Conversations whose turns are stored.';
COMMENT ON COLUMN conversations.conversation IS 'Number of the conversation among the user''s.';
COMMENT ON COLUMN conversations.external_id IS
    'The id that the conversation came with; a hash of it (forgotten_id) once the conversation is forgotten.';
COMMENT ON COLUMN conversations.source IS 'Where the conversation came from, such as api or chatgpt.';
COMMENT ON COLUMN conversations.project IS 'Project that the conversation belongs to, if one was named.';
COMMENT ON COLUMN conversations.language IS 'ISO 639-1 code of the language whose stemmer is used; empty when unknown.';
COMMENT ON COLUMN conversations.forgotten_at IS 'When the conversation was forgotten as a whole.';

CREATE TABLE wings (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    wing        integer NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('person', 'project', 'topic', 'agent')),
    name        text NOT NULL,
    slug        text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    merged_into integer,
    edited      boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, wing),
    FOREIGN KEY (user_id, merged_into) REFERENCES wings,
    CHECK (merged_into <> wing)
);
COMMENT ON TABLE wings IS 'Wings of the palace: the people, projects and topics that conversations are about.';
COMMENT ON COLUMN wings.wing IS 'Number of the wing among the user''s, as in the pointer W-042.';
COMMENT ON COLUMN wings.kind IS 'What the wing is about.';
COMMENT ON COLUMN wings.slug IS 'Name in a form for reading in addresses; wing_keys finds wings.';
COMMENT ON COLUMN wings.merged_into IS 'Wing that this one was merged into; never one that is merged itself.';
COMMENT ON COLUMN wings.edited IS 'Whether the user named, merged or unmerged the wing. Then it gets no other name by itself.';

CREATE TABLE wing_keys (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    key     text NOT NULL,
    wing    integer NOT NULL,
    PRIMARY KEY (user_id, key),
    FOREIGN KEY (user_id, wing) REFERENCES wings
);
CREATE INDEX wing_keys_by_wing ON wing_keys (user_id, wing);
COMMENT ON TABLE wing_keys IS
    'Every spelling that leads to a wing. That of a merged wing leads on by wings.merged_into.';
COMMENT ON COLUMN wing_keys.key IS 'What spellings of the name have in common (ricordo.palace.spelling).';

CREATE TABLE rooms (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room         integer NOT NULL,
    wing         integer NOT NULL,
    conversation integer NOT NULL,
    name         text NOT NULL,
    started_at   timestamptz NOT NULL,
    ended_at     timestamptz NOT NULL,
    drawers      integer NOT NULL DEFAULT 0,
    terms        integer NOT NULL DEFAULT 0,
    edited       boolean NOT NULL DEFAULT false,
    is_forgotten boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, room),
    FOREIGN KEY (user_id, wing) REFERENCES wings,
    FOREIGN KEY (user_id, conversation) REFERENCES conversations
);
CREATE INDEX rooms_by_wing ON rooms (user_id, wing);
CREATE INDEX rooms_by_conversation ON rooms (user_id, conversation);
COMMENT ON TABLE rooms IS 'Rooms of the palace: one for each session of a conversation.';
COMMENT ON COLUMN rooms.room IS 'Number of the room among the user''s, from 1.';
COMMENT ON COLUMN rooms.conversation IS 'Conversation whose turns the room holds.';
COMMENT ON COLUMN rooms.started_at IS 'When the first turn was said.';
COMMENT ON COLUMN rooms.ended_at IS 'When the last turn was said.';
COMMENT ON COLUMN rooms.drawers IS 'Number of turns in the room.';
COMMENT ON COLUMN rooms.terms IS 'Number of search terms in these turns.';
COMMENT ON COLUMN rooms.is_forgotten IS
    'Whether everything in the room was forgotten. It is in no list then; a new turn brings it back.';
COMMENT ON COLUMN rooms.edited IS 'Whether the user changed the closets. Mining then adds to them and changes none.';

CREATE TABLE imported_turns (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    import_id    uuid NOT NULL,
    room         integer NOT NULL,
    first_drawer integer NOT NULL,
    last_drawer  integer NOT NULL,
    imported_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, import_id, room, first_drawer),
    FOREIGN KEY (user_id, room) REFERENCES rooms
);
COMMENT ON TABLE imported_turns IS 'Which turns an import of chats stored, so that they can be forgotten together.';
COMMENT ON COLUMN imported_turns.import_id IS 'The import.';
COMMENT ON COLUMN imported_turns.first_drawer IS 'First of a row of drawers that the import stored in this room.';
COMMENT ON COLUMN imported_turns.last_drawer IS 'Last of them.';
COMMENT ON COLUMN imported_turns.imported_at IS 'When they were stored.';

CREATE TABLE former_places (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room    integer NOT NULL,
    wing    integer NOT NULL,
    PRIMARY KEY (user_id, room, wing),
    FOREIGN KEY (user_id, room) REFERENCES rooms,
    FOREIGN KEY (user_id, wing) REFERENCES wings
);
CREATE INDEX former_places_by_wing ON former_places (user_id, wing);
COMMENT ON TABLE former_places IS
    'Wings that a room was in before it was moved. Pointers that name one of them stay valid.';

CREATE TABLE closets (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room    integer NOT NULL,
    closet  integer NOT NULL,
    name    text NOT NULL,
    slug    text NOT NULL,
    aliases text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (user_id, room, closet),
    UNIQUE (user_id, room, slug),
    FOREIGN KEY (user_id, room) REFERENCES rooms
);
COMMENT ON TABLE closets IS 'Closets: what the turns of a room are about, by topic.';
COMMENT ON COLUMN closets.closet IS 'Number of the closet in its room.';
COMMENT ON COLUMN closets.slug IS 'What spellings of the name have in common.';
COMMENT ON COLUMN closets.aliases IS 'Slugs of closets merged into this one, and those it had before it was renamed.';

-- Memories and what is derived from them ------------------------------------------------------------------------------
--
-- What is derived goes with its memory: by foreign keys that cascade, and from postings and embeddings, whose rows
-- are too many for a check each, by the trigger remove_derived (0002).

CREATE SEQUENCE loose_numbers AS integer;
COMMENT ON SEQUENCE loose_numbers IS 'Drawer numbers of memories that are in no room.';

CREATE TABLE memories (
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    room            integer NOT NULL,
    drawer          integer NOT NULL,
    id              uuid NOT NULL,
    kind            text NOT NULL,
    closet          integer,
    conversation    integer,
    position        integer,
    turn_key        bigint,
    text_hash       bigint,
    has_id          boolean NOT NULL DEFAULT false,
    has_time        boolean NOT NULL DEFAULT false,
    role            text NOT NULL,
    speaker         text NOT NULL,
    content         text NOT NULL,
    said_at         timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    agent_id        uuid,
    profile_id      uuid,
    scope           text CHECK (scope IN ('project', 'conversation', 'global')),
    source          text,
    confidence      real CHECK (confidence BETWEEN 0 AND 1),
    importance      smallint CHECK (importance BETWEEN 1 AND 10),
    retention       text CHECK (retention IN ('medium_term', 'long_term')),
    expires_at      timestamptz,
    run_id          uuid,
    conversation_id text,
    project_id      text,
    tags            text[],
    metadata        jsonb,
    is_redacted     boolean NOT NULL DEFAULT false,
    updated_at      timestamptz,
    whiteboard_id   uuid,
    PRIMARY KEY (user_id, room, drawer),
    UNIQUE (user_id, id),
    UNIQUE (user_id, conversation, turn_key),
    FOREIGN KEY (user_id, room, closet) REFERENCES closets,
    -- The agent before its profile: a writer locks them in this order, and so does whoever deletes the agent.
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE,
    FOREIGN KEY (user_id, profile_id) REFERENCES profiles ON DELETE CASCADE,
    FOREIGN KEY (user_id, whiteboard_id) REFERENCES whiteboards ON DELETE CASCADE,
    CONSTRAINT memories_kind_check CHECK (CASE kind
        WHEN 'drawer' THEN room > 0 AND closet IS NOT NULL AND conversation IS NOT NULL AND position IS NOT NULL
                           AND turn_key IS NOT NULL
        WHEN 'entry' THEN room = 0 AND agent_id IS NOT NULL AND profile_id IS NOT NULL AND scope IS NOT NULL
                          AND source IN ('user', 'agent', 'tool', 'eval', 'manual') AND confidence IS NOT NULL
        WHEN 'journal' THEN room = 0 AND agent_id IS NOT NULL
        WHEN 'core' THEN room = 0 AND agent_id IS NOT NULL
        WHEN 'note' THEN room = 0 AND importance IS NOT NULL AND retention IS NOT NULL
                         AND (retention <> 'medium_term' OR expires_at IS NOT NULL)
        WHEN 'document' THEN room = 0 AND project_id IS NOT NULL
        ELSE false END)
);
CREATE INDEX entries_by_confidence ON memories (user_id, profile_id, confidence DESC, created_at DESC, id)
    WHERE kind = 'entry' AND NOT is_redacted;
CREATE INDEX entries_by_scope ON memories (user_id, profile_id, scope, created_at DESC) WHERE kind = 'entry';
CREATE INDEX memories_by_agent ON memories (user_id, agent_id, kind, created_at) WHERE agent_id IS NOT NULL;
CREATE INDEX memories_by_expiry ON memories (user_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_by_run ON memories (user_id, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX documents_by_collection ON memories (user_id, project_id, created_at DESC, id DESC)
    WHERE kind = 'document';
-- A turn of a fork is found by its id, and a copied or renamed file by its first turn.
CREATE INDEX turns_by_id ON memories (user_id, turn_key) WHERE has_id;
CREATE INDEX turns_by_start ON memories (user_id, text_hash) WHERE position = 0;
-- An identical live memory is found by its text.
CREATE INDEX memories_by_content ON memories USING hash (content) WHERE kind <> 'drawer' AND NOT is_redacted;
COMMENT ON TABLE memories IS
    'Memories of every kind. Their text is the only truth; what other tables derive from it can be '
    'made again. A memory''s place is (room, drawer): eight bytes that never change, neighbors one apart.';
COMMENT ON COLUMN memories.room IS 'Room of a turn; 0 for every other kind.';
COMMENT ON COLUMN memories.drawer IS 'Number of a turn in its room, from 1; for other kinds a number of loose_numbers.';
COMMENT ON COLUMN memories.kind IS
    'A drawer is a turn of a conversation. Others: entry, journal, core, note, document.';
COMMENT ON COLUMN memories.closet IS 'Closet of a turn.';
COMMENT ON COLUMN memories.conversation IS 'Conversation of a turn.';
COMMENT ON COLUMN memories.position IS 'Place of a turn in its conversation.';
COMMENT ON COLUMN memories.turn_key IS
    'Identifies a turn in its conversation (ricordo.mining.alignment), so that no turn is '
    'stored twice.';
COMMENT ON COLUMN memories.text_hash IS
    'Hash of a turn''s text, by which it is recognized when it comes again after it was redacted. NULL for a redacted '
    'turn that its id identifies.';
COMMENT ON COLUMN memories.has_id IS 'Whether the source gave the turn an id; turn_key is then made from it.';
COMMENT ON COLUMN memories.has_time IS 'Whether the source told when the turn was said.';
COMMENT ON COLUMN memories.role IS 'Role of the speaker: user, assistant, agent …';
COMMENT ON COLUMN memories.speaker IS 'Name of the speaker or writer.';
COMMENT ON COLUMN memories.content IS 'The text, word for word; [redacted] once it is redacted.';
COMMENT ON COLUMN memories.said_at IS 'When it was said or written.';
COMMENT ON COLUMN memories.profile_id IS 'Profile of an entry.';
COMMENT ON COLUMN memories.scope IS 'Where an entry applies.';
COMMENT ON COLUMN memories.source IS 'Who an entry came from.';
COMMENT ON COLUMN memories.confidence IS 'How sure the writer of an entry was, from 0 to 1.';
COMMENT ON COLUMN memories.importance IS 'Importance of a note, from 1 to 10.';
COMMENT ON COLUMN memories.retention IS 'How long a note is meant to last.';
COMMENT ON COLUMN memories.conversation_id IS 'Conversation that an entry applies to, as the caller names it.';
COMMENT ON COLUMN memories.project_id IS 'Project of a note; collection of a document.';
COMMENT ON COLUMN memories.tags IS 'Labels that the writer gave.';
COMMENT ON COLUMN memories.metadata IS 'Values that the writer gave; path, key and value of a document.';
COMMENT ON COLUMN memories.is_redacted IS 'Whether the text was removed. The row stays and the text never comes back.';
COMMENT ON COLUMN memories.whiteboard_id IS 'Whiteboard that a note is on.';

CREATE TABLE memory_history (
    user_id    uuid NOT NULL,
    memory_id  uuid NOT NULL,
    version    integer NOT NULL,
    content    text NOT NULL,
    fields     jsonb NOT NULL,
    valid_from timestamptz NOT NULL,
    valid_to   timestamptz NOT NULL,
    actor      text NOT NULL,
    PRIMARY KEY (user_id, memory_id, version),
    FOREIGN KEY (user_id, memory_id) REFERENCES memories (user_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE memory_history IS 'What a memory said before each change.';
COMMENT ON COLUMN memory_history.memory_id IS 'The memory.';
COMMENT ON COLUMN memory_history.version IS 'Number of the version, from 1.';
COMMENT ON COLUMN memory_history.content IS 'The text before the change.';
COMMENT ON COLUMN memory_history.fields IS 'The other fields that a change may touch, as they were.';
COMMENT ON COLUMN memory_history.valid_from IS 'Since when the memory was so.';
COMMENT ON COLUMN memory_history.valid_to IS 'When it was changed.';
COMMENT ON COLUMN memory_history.actor IS 'Who changed it.';

CREATE TABLE postings (
    user_id   uuid NOT NULL,
    term      integer NOT NULL,
    room      integer NOT NULL,
    drawer    integer NOT NULL,
    frequency smallint NOT NULL,
    length    smallint NOT NULL,
    PRIMARY KEY (user_id, term, room, drawer) INCLUDE (frequency, length)
);

-- What a memory has is removed with it. The user comes last, so that no search by user takes this index.
CREATE INDEX postings_by_place ON postings (room, drawer, user_id);
COMMENT ON TABLE postings IS
    'Search by keyword: one row for each term of each memory, so that BM25 is one index-only read.';
COMMENT ON COLUMN postings.term IS 'Hash of the term (ricordo.text.terms).';
COMMENT ON COLUMN postings.frequency IS 'How often the memory has the term; 0 for a term that only marks it, such as a decision.';
COMMENT ON COLUMN postings.length IS 'Number of terms of the memory.';

CREATE TABLE unindexed (
    user_id uuid NOT NULL,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    PRIMARY KEY (user_id, room, drawer),
    FOREIGN KEY (user_id, room, drawer) REFERENCES memories ON DELETE CASCADE
);
COMMENT ON TABLE unindexed IS
    'Queue of memories without search terms: those written by SQL. Python makes the terms at the '
    'next search or embedding.';

CREATE TABLE embeddings (
    user_id uuid NOT NULL,
    model   smallint NOT NULL REFERENCES models,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    vector  halfvec NOT NULL,
    tokens  bytea,
    language text,
    signs   bit(512),
    PRIMARY KEY (user_id, model, room, drawer)
);
-- A long turn's tokens go out of the row, so that a scan of all vectors stays short. Random bytes do not compress.
ALTER TABLE embeddings ALTER COLUMN vector SET STORAGE MAIN, ALTER COLUMN tokens SET STORAGE EXTERNAL;
CREATE INDEX embeddings_by_language ON embeddings (user_id, language) WHERE signs IS NOT NULL;
COMMENT ON TABLE embeddings IS
    'Search by meaning: one vector for each memory and embedding model. Drawer 0 of a room stands '
    'for the room: the mean of what people said in it.';
COMMENT ON COLUMN embeddings.model IS 'Embedding model that made the vector.';
COMMENT ON COLUMN embeddings.vector IS 'The vector, in half precision.';
COMMENT ON COLUMN embeddings.tokens IS
    'Vectors of the turn''s word pieces, 32 bytes each (ricordo.embedding.tokens). NULL where the model '
    'gives none, for rooms, and for memories that are in no room.';
COMMENT ON COLUMN embeddings.language IS 'ISO 639-1 code of the language that the memory is most likely in; NULL when '
    'uncertain.';
COMMENT ON COLUMN embeddings.signs IS 'Signs of the multilingual model''s vector, by which a question finds memories in '
    'other languages. NULL when that model is not installed.';

CREATE TABLE unembedded (
    user_id    uuid NOT NULL,
    room       integer NOT NULL,
    drawer     integer NOT NULL,
    renewal    boolean NOT NULL DEFAULT false,
    attempts   smallint NOT NULL DEFAULT 0,
    retry_at   timestamptz,
    problem    text,
    held_until timestamptz,
    PRIMARY KEY (user_id, room, drawer, renewal),
    FOREIGN KEY (user_id, room, drawer) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX unembedded_now ON unembedded (user_id, room, drawer) WHERE NOT renewal;
COMMENT ON TABLE unembedded IS
    'Queue of memories without a vector. A worker claims rows with SKIP LOCKED and removes them in '
    'the transaction that writes the vectors.';
COMMENT ON COLUMN unembedded.renewal IS 'Whether the memory has a vector and waits for one of the next model.';
COMMENT ON COLUMN unembedded.attempts IS 'How many attempts failed.';
COMMENT ON COLUMN unembedded.retry_at IS 'When a memory that failed is tried again; NULL means at once.';
COMMENT ON COLUMN unembedded.problem IS 'Why the last attempt failed.';
COMMENT ON COLUMN unembedded.held_until IS 'Until when a worker keeps the row while a hosted model makes the vector. '
    'When a worker is killed, the row is free again after this moment.';

CREATE TABLE said_on (
    user_id     uuid NOT NULL,
    room        integer NOT NULL,
    day         date NOT NULL,
    role        text NOT NULL,
    speaker     text NOT NULL,
    speaker_key uuid NOT NULL GENERATED ALWAYS AS (md5(speaker)::uuid) STORED,
    drawers     integer NOT NULL,
    PRIMARY KEY (user_id, room, day, role, speaker_key),
    FOREIGN KEY (user_id, room) REFERENCES rooms ON DELETE CASCADE
);
COMMENT ON TABLE said_on IS
    'Number of turns by room, day and speaker. Histograms and lists of speakers add these up instead of '
    'reading every text.';
COMMENT ON COLUMN said_on.day IS 'Day in UTC.';
COMMENT ON COLUMN said_on.role IS 'Role of the speaker.';
COMMENT ON COLUMN said_on.speaker IS 'Name of the speaker.';
COMMENT ON COLUMN said_on.speaker_key IS 'Hash of the name, which may be too long for a key.';
COMMENT ON COLUMN said_on.drawers IS 'Number of turns.';

CREATE TABLE proposals (
    user_id    uuid NOT NULL,
    id         uuid NOT NULL,
    agent_id   uuid NOT NULL,
    memory_ids uuid[] NOT NULL,
    content    text NOT NULL,
    reason     text NOT NULL,
    status     text NOT NULL DEFAULT 'proposed' CHECK (status IN ('proposed', 'accepted', 'rejected', 'undone')),
    core_id    uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
COMMENT ON TABLE proposals IS
    'Journal entries proposed as core memories. Nothing changes until a proposal is accepted.';
COMMENT ON COLUMN proposals.memory_ids IS 'Journal entries that the proposal comes from.';
COMMENT ON COLUMN proposals.content IS 'Text of the core memory.';
COMMENT ON COLUMN proposals.reason IS 'Why it is proposed.';
COMMENT ON COLUMN proposals.status IS 'What was decided.';
COMMENT ON COLUMN proposals.core_id IS 'Core memory that accepting it created.';
COMMENT ON COLUMN proposals.decided_at IS 'When it was decided.';

-- Entities and facts --------------------------------------------------------------------------------------------------
--
-- Names are the keys: a mention holds the slug of a name, the name belongs to an entity, and an entity may have
-- turned out to be another, its root. So merging two entities, and parting them again, changes no mention and no
-- fact. How long a relation held follows from all facts (ricordo.palace.relations), in whatever order they
-- came.

CREATE TABLE entities (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    entity      integer NOT NULL,
    id          uuid NOT NULL,
    chosen_name text,
    chosen_kind text CHECK (chosen_kind IN ('person', 'organization', 'project', 'item', 'place', 'event', 'topic')),
    name        text NOT NULL,
    kind        text NOT NULL,
    merged_into integer,
    merged_by   text CHECK (merged_by IN ('rules', 'manual')),
    root        integer NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, entity),
    UNIQUE (user_id, id),
    CHECK (merged_into <> entity)
);
CREATE INDEX entities_by_root ON entities (user_id, root);
COMMENT ON TABLE entities IS 'People, organizations, projects and things that turns name.';
COMMENT ON COLUMN entities.entity IS 'Number of the entity among the user''s.';
COMMENT ON COLUMN entities.chosen_name IS 'Name that a person chose; NULL means the most frequent spelling.';
COMMENT ON COLUMN entities.chosen_kind IS 'Kind that a person chose; NULL means the most frequent one.';
COMMENT ON COLUMN entities.name IS 'Name that is shown; updated whenever what it follows from changes.';
COMMENT ON COLUMN entities.kind IS 'Kind that is shown; updated likewise.';
COMMENT ON COLUMN entities.merged_into IS 'Entity that this one turned out to be.';
COMMENT ON COLUMN entities.merged_by IS 'Who merged it; manual with no merged_into means kept apart by hand.';
COMMENT ON COLUMN entities.root IS 'End of the chain of merged_into; the entity itself when it was not merged.';

CREATE TABLE aliases (
    user_id    uuid NOT NULL,
    slug       text NOT NULL,
    entity     integer NOT NULL,
    by_hand    text,
    first_word text NOT NULL GENERATED ALWAYS AS (split_part(slug, '-', 1)) STORED,
    PRIMARY KEY (user_id, slug),
    FOREIGN KEY (user_id, entity) REFERENCES entities ON DELETE CASCADE
);
CREATE INDEX aliases_by_entity ON aliases (user_id, entity);
CREATE INDEX aliases_by_first_word ON aliases (user_id, first_word);
COMMENT ON TABLE aliases IS 'Names of entities.';
COMMENT ON COLUMN aliases.slug IS 'What the spellings of a name have in common.';
COMMENT ON COLUMN aliases.entity IS 'Entity that has the name.';
COMMENT ON COLUMN aliases.by_hand IS 'Spelling that a person entered, if one did.';
COMMENT ON COLUMN aliases.first_word IS 'First word of the name, by which names in a text are looked up.';

CREATE TABLE spellings (
    user_id uuid NOT NULL,
    slug    text NOT NULL,
    name    text NOT NULL,
    kind    text NOT NULL,
    drawers integer NOT NULL,
    PRIMARY KEY (user_id, slug, name, kind),
    FOREIGN KEY (user_id, slug) REFERENCES aliases ON DELETE CASCADE
);
COMMENT ON TABLE spellings IS 'How many turns spell a name in one way and take it for one kind of entity.';
COMMENT ON COLUMN spellings.slug IS 'The name.';
COMMENT ON COLUMN spellings.name IS 'The spelling.';
COMMENT ON COLUMN spellings.kind IS 'The kind of entity.';
COMMENT ON COLUMN spellings.drawers IS 'Number of turns.';

CREATE TABLE mentions (
    user_id  uuid NOT NULL,
    room     integer NOT NULL,
    drawer   integer NOT NULL,
    slug     text NOT NULL,
    name     text NOT NULL,
    kind     text NOT NULL,
    found_by text NOT NULL CHECK (found_by IN ('rules', 'model')),
    PRIMARY KEY (user_id, room, drawer, slug),
    FOREIGN KEY (user_id, room, drawer) REFERENCES memories ON DELETE CASCADE
);
CREATE INDEX mentions_by_slug ON mentions (user_id, slug, room, drawer);
COMMENT ON TABLE mentions IS 'Which turns name which entities.';
COMMENT ON COLUMN mentions.slug IS 'The name; see aliases.';
COMMENT ON COLUMN mentions.name IS 'How the turn spells it.';
COMMENT ON COLUMN mentions.kind IS 'Kind of entity that the turn takes it for.';
COMMENT ON COLUMN mentions.found_by IS 'Whether rules or an LLM found it.';

CREATE TABLE facts (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id          uuid NOT NULL,
    room        integer,
    drawer      integer,
    subject     text NOT NULL,
    predicate   text NOT NULL,
    object      text,
    value       text NOT NULL,
    said_at     timestamptz NOT NULL,
    holds_since timestamptz,
    holds_until timestamptz,
    ended       boolean NOT NULL DEFAULT false,
    found_by    text NOT NULL CHECK (found_by IN ('rules', 'model', 'manual')),
    decision    text CHECK (decision IN ('confirmed', 'rejected')),
    decided_at  timestamptz,
    corrects    uuid,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, room, drawer) REFERENCES memories ON DELETE CASCADE,
    CHECK ((room IS NULL) = (drawer IS NULL) AND (room IS NOT NULL OR found_by = 'manual')),
    CHECK ((decision IS NULL) = (decided_at IS NULL))
);
CREATE INDEX facts_by_subject ON facts (user_id, subject);
CREATE INDEX facts_by_object ON facts (user_id, object) WHERE object IS NOT NULL;
CREATE INDEX facts_by_end ON facts (user_id, lower(value)) WHERE ended;
CREATE INDEX facts_by_instruction ON facts (user_id, said_at) WHERE predicate = 'instruction';
CREATE INDEX facts_by_place ON facts (user_id, room, drawer) WHERE room IS NOT NULL;
COMMENT ON TABLE facts IS
    'Facts as they were stated: by a turn, or by a person. Room and drawer are NULL where no turn states it.';
COMMENT ON COLUMN facts.subject IS 'Slug of the entity that the fact is about.';
COMMENT ON COLUMN facts.predicate IS 'What is stated, such as lives_in.';
COMMENT ON COLUMN facts.object IS 'Slug of the other entity; NULL when the value is plain text.';
COMMENT ON COLUMN facts.value IS 'The value as it was stated.';
COMMENT ON COLUMN facts.said_at IS 'When it was stated.';
COMMENT ON COLUMN facts.holds_since IS 'Since when it holds, if that was stated.';
COMMENT ON COLUMN facts.holds_until IS 'Until when it holds, if that was stated.';
COMMENT ON COLUMN facts.ended IS 'Whether it was stated to be over.';
COMMENT ON COLUMN facts.found_by IS 'Whether rules, an LLM or a person found it.';
COMMENT ON COLUMN facts.decision IS
    'What a person decided about it. Decided facts stay when the turn is read again; rejected ones are not shown.';
COMMENT ON COLUMN facts.decided_at IS 'When that was decided.';
COMMENT ON COLUMN facts.corrects IS 'The rejected fact that this one replaces.';

CREATE TABLE model_reads (
    user_id uuid NOT NULL,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    PRIMARY KEY (user_id, room, drawer),
    FOREIGN KEY (user_id, room, drawer) REFERENCES memories ON DELETE CASCADE
);
COMMENT ON TABLE model_reads IS 'Turns that an LLM has read: what it found there is not replaced by what rules find.';

CREATE TABLE unread_turns (
    user_id uuid NOT NULL,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    PRIMARY KEY (user_id, room, drawer),
    FOREIGN KEY (user_id, room, drawer) REFERENCES memories ON DELETE CASCADE
);
COMMENT ON TABLE unread_turns IS
    'Turns for which an LLM gave no usable reply. What rules found in them stays, and nobody pays '
    'for them again.';

-- Audit ---------------------------------------------------------------------------------------------------------------

CREATE TABLE access_log (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id          uuid NOT NULL,
    action      text NOT NULL,
    actor       text NOT NULL,
    run_id      uuid,
    context     jsonb NOT NULL DEFAULT '{}',
    accessed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    memory_ids  uuid[] NOT NULL,
    xid         bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX access_log_by_run ON access_log (user_id, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX access_log_by_xid ON access_log (user_id, xid);
COMMENT ON TABLE access_log IS
    'The access log: one row for each call that read or changed memories. Rows are never changed.';
COMMENT ON COLUMN access_log.action IS 'What was done: read, write, redact, forget, expire …';
COMMENT ON COLUMN access_log.actor IS 'Who did it: user, agent:NAME, job:NAME, sql:ROLE …';
COMMENT ON COLUMN access_log.context IS 'Details of the call. Never the text of a memory.';
COMMENT ON COLUMN access_log.accessed_at IS 'When it was done.';
COMMENT ON COLUMN access_log.memory_ids IS 'The memories that were touched.';
COMMENT ON COLUMN access_log.xid IS 'Transaction that wrote the row: tells when a range of rows is complete and can be '
    'sealed. Rows from an archive have numbers below 0.';

CREATE TABLE access_memories (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    memory_id uuid NOT NULL,
    access_id uuid NOT NULL,
    PRIMARY KEY (user_id, memory_id, access_id)
);
COMMENT ON TABLE access_memories IS 'The access log by memory: an index of access_log.memory_ids.';
COMMENT ON COLUMN access_memories.memory_id IS 'The memory that was touched.';
COMMENT ON COLUMN access_memories.access_id IS 'The row of the access log.';

CREATE TABLE access_seals (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    seal      integer NOT NULL,
    first_xid bigint NOT NULL,
    end_xid   bigint NOT NULL,
    accesses  integer NOT NULL,
    hash      bytea NOT NULL,
    sealed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, seal)
);
COMMENT ON TABLE access_seals IS
    'Chain of hashes over the access log. A seal covers the rows with first_xid <= xid < end_xid.';
COMMENT ON COLUMN access_seals.seal IS 'Number of the seal, from 1.';
COMMENT ON COLUMN access_seals.first_xid IS 'First transaction that the seal covers: where the seal before ended.';
COMMENT ON COLUMN access_seals.end_xid IS 'First transaction after those that the seal covers.';
COMMENT ON COLUMN access_seals.accesses IS 'Number of rows that the seal covers.';
COMMENT ON COLUMN access_seals.hash IS 'Hash over the hash of the seal before and these rows.';
COMMENT ON COLUMN access_seals.sealed_at IS 'When the seal was made.';

CREATE TABLE activity (
    user_id         uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id              uuid NOT NULL,
    event           text NOT NULL,
    agent_id        uuid,
    run_id          uuid,
    payload         jsonb NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL DEFAULT now(),
    category        text NOT NULL DEFAULT 'agent_action'
                    CHECK (category IN ('agent_action', 'user_action', 'system')),
    conversation_id text,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX activity_by_run ON activity (user_id, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX activity_by_time ON activity (user_id, created_at DESC, id DESC);
COMMENT ON TABLE activity IS 'Events for people and programs to follow.';
COMMENT ON COLUMN activity.event IS 'What happened: memory_mined, memory_injected, memory_committed …';
COMMENT ON COLUMN activity.payload IS 'Details of the event. Never the text of a memory.';
COMMENT ON COLUMN activity.category IS 'Who caused it.';
COMMENT ON COLUMN activity.conversation_id IS 'Conversation that the event belongs to, as the caller names it.';

-- Review --------------------------------------------------------------------------------------------------------------

CREATE TABLE held_writes (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('entry', 'journal', 'core', 'note')),
    content    text NOT NULL,
    fields     jsonb NOT NULL,
    speaker    text NOT NULL,
    actor      text NOT NULL,
    run_id     uuid,
    agent_id   uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
CREATE INDEX held_writes_by_age ON held_writes (user_id, created_at);
COMMENT ON TABLE held_writes IS
    'The review queue: writes that wait for a person. They are neither searched, read nor embedded. '
    'Accepting one writes it as a memory; whatever is decided, the row goes.';
COMMENT ON COLUMN held_writes.id IS 'The id that the memory will have.';
COMMENT ON COLUMN held_writes.kind IS 'Kind of the memory.';
COMMENT ON COLUMN held_writes.content IS 'Text of the memory.';
COMMENT ON COLUMN held_writes.fields IS 'The columns that the memory will have, as JSON.';
COMMENT ON COLUMN held_writes.speaker IS 'Name of the writer.';
COMMENT ON COLUMN held_writes.actor IS 'Who wrote it, as in the access log.';

-- Jobs, operations and requests ---------------------------------------------------------------------------------------
--
-- Background work is in procrastinate's tables. A job belongs to a user, whose id names its queue; its arguments are
-- ids and never texts. The owner sees all jobs, since the worker of all users fetches as the owner; it runs each as
-- its user.

-- The schema of procrastinate 3.10 as that package ships it; another release comes with a migration of ours.
-- include procrastinate/sql/schema.sql sha256=c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009

ALTER TABLE procrastinate_jobs
    ADD COLUMN user_id uuid NOT NULL GENERATED ALWAYS AS (queue_name::uuid) STORED REFERENCES users ON DELETE CASCADE;
CREATE INDEX jobs_by_user ON procrastinate_jobs (user_id, id);
CREATE INDEX jobs_waiting ON procrastinate_jobs (user_id, task_name) WHERE status = 'todo';
COMMENT ON TABLE procrastinate_jobs IS 'Background jobs.';
COMMENT ON COLUMN procrastinate_jobs.user_id IS 'User that the job belongs to: the name of its queue.';
COMMENT ON TABLE procrastinate_events IS 'What happened to jobs, and when.';
COMMENT ON TABLE procrastinate_workers IS 'Workers and their last sign of life.';
COMMENT ON TABLE procrastinate_periodic_defers IS 'Jobs that procrastinate queues by the clock. Ricordo has none.';

CREATE TABLE job_outcomes (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    job_id    bigint NOT NULL REFERENCES procrastinate_jobs ON DELETE CASCADE,
    done_at   timestamptz,
    failures  integer NOT NULL DEFAULT 0,
    error     text,
    failed_at timestamptz,
    PRIMARY KEY (user_id, job_id)
);
CREATE INDEX job_outcomes_by_job ON job_outcomes (job_id);
COMMENT ON TABLE job_outcomes IS 'What became of a job, beside its status.';
COMMENT ON COLUMN job_outcomes.job_id IS 'The job.';
COMMENT ON COLUMN job_outcomes.done_at IS
    'Set in the transaction of the job''s effect, so that a job that is run again does not '
    'do it a second time.';
COMMENT ON COLUMN job_outcomes.failures IS 'How often it failed.';
COMMENT ON COLUMN job_outcomes.error IS 'Why it failed last.';
COMMENT ON COLUMN job_outcomes.failed_at IS 'When it failed last.';

CREATE TABLE operations (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    kind       text NOT NULL,
    state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
    agent_id   uuid,
    upload     uuid,
    request    jsonb NOT NULL,
    job        bigint,
    done       bigint NOT NULL DEFAULT 0,
    total      bigint,
    stored     bigint NOT NULL DEFAULT 0,
    result     jsonb,
    problem    text,
    cancelled  boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    began_at   timestamptz,
    ended_at   timestamptz,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX operations_by_age ON operations (user_id, created_at);
COMMENT ON TABLE operations IS 'Long requests that are followed by polling.';
COMMENT ON COLUMN operations.kind IS 'What is done, such as import or export.';
COMMENT ON COLUMN operations.state IS 'How far it is.';
COMMENT ON COLUMN operations.agent_id IS 'Agent whose API key began it.';
COMMENT ON COLUMN operations.upload IS 'Files that it works on.';
COMMENT ON COLUMN operations.request IS 'What was asked for.';
COMMENT ON COLUMN operations.job IS 'Job that does it.';
COMMENT ON COLUMN operations.done IS 'How much is done.';
COMMENT ON COLUMN operations.total IS 'How much there is in all, if known.';
COMMENT ON COLUMN operations.stored IS 'Number of turns stored, counted in the transactions that store them.';
COMMENT ON COLUMN operations.result IS 'What came of it.';
COMMENT ON COLUMN operations.problem IS 'Why it failed.';
COMMENT ON COLUMN operations.cancelled IS 'Whether somebody asked to cancel it.';
COMMENT ON COLUMN operations.began_at IS 'When work on it began.';
COMMENT ON COLUMN operations.ended_at IS 'When work on it ended.';

CREATE TABLE answers (
    user_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id          bytea NOT NULL,
    fingerprint bytea NOT NULL,
    claimed_at  timestamptz NOT NULL DEFAULT now(),
    done_at     timestamptz,
    status      smallint,
    headers     jsonb,
    body        bytea,
    claimed_in  pg_snapshot,
    done_in     xid8,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX answers_by_age ON answers (user_id, claimed_at);
COMMENT ON TABLE answers IS 'Requests with an Idempotency-Key and their answers, so that each is done once.';
COMMENT ON COLUMN answers.id IS 'sha256 of the client''s key.';
COMMENT ON COLUMN answers.fingerprint IS 'sha256 of the request that came with the key.';
COMMENT ON COLUMN answers.claimed_at IS 'When the request came.';
COMMENT ON COLUMN answers.done_at IS
    'Set by the transaction that did it; NULL while it is under way, or when its process died.';
COMMENT ON COLUMN answers.status IS 'HTTP status of the answer.';
COMMENT ON COLUMN answers.headers IS 'HTTP headers of the answer.';
COMMENT ON COLUMN answers.body IS
    'Body of the answer; NULL before there is one, and after a redaction or forgetting that the '
    'body might quote.';
COMMENT ON COLUMN answers.claimed_in IS
    'What was committed when the request came: it may have read what was redacted since.';
COMMENT ON COLUMN answers.done_in IS
    'Transaction that did it. Its own redactions do not keep its answer from being stored.';

CREATE TABLE api_keys (
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id           uuid NOT NULL,
    name         text NOT NULL,
    digest       bytea NOT NULL CHECK (length(digest) = 32),
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
COMMENT ON TABLE api_keys IS 'API keys of the HTTP server.';
COMMENT ON COLUMN api_keys.digest IS 'sha256 of the secret. The secret itself is stored nowhere.';
COMMENT ON COLUMN api_keys.agent_id IS 'The one agent that the key reaches; NULL means all that is the user''s.';
COMMENT ON COLUMN api_keys.palace IS 'Whether an agent''s key may also recall and mine.';
COMMENT ON COLUMN api_keys.read_only IS 'Whether the key may only read.';
COMMENT ON COLUMN api_keys.revoked_at IS 'When the key was revoked.';
COMMENT ON COLUMN api_keys.last_used_at IS 'When the key was last used.';

-- LLM calls -----------------------------------------------------------------------------------------------------------

CREATE TABLE model_calls (
    user_id         uuid NOT NULL,
    id              uuid NOT NULL,
    source          text NOT NULL CHECK (source IN ('memory_embed', 'memory_extract', 'memory_rerank', 'memory_qa',
                                                    'memory_summary')),
    model           text NOT NULL,
    conversation_id text,
    began_at        timestamptz NOT NULL,
    seconds         real,
    tokens_in       integer CHECK (tokens_in >= 0),
    tokens_out      integer CHECK (tokens_out >= 0),
    cost            numeric CHECK (cost >= 0),
    held            numeric NOT NULL CHECK (held >= 0),
    outcome         text NOT NULL CHECK (outcome IN ('open', 'answered', 'unusable', 'refused', 'unreached', 'lost',
                                                     'cap_conversation', 'cap_month', 'unpriced')),
    PRIMARY KEY (user_id, id)
);
CREATE INDEX model_calls_by_time ON model_calls (user_id, began_at);
CREATE INDEX model_calls_by_conversation ON model_calls (user_id, conversation_id) WHERE conversation_id IS NOT NULL;
COMMENT ON TABLE model_calls IS
    'Calls of LLMs and hosted embedding models. The row is written before the call, so that a call '
    'that dies with its process is counted. No foreign key to users, so that a call never waits for a writer that '
    'holds the user''s row.';
COMMENT ON COLUMN model_calls.source IS 'What the call was for.';
COMMENT ON COLUMN model_calls.model IS 'Model that was called.';
COMMENT ON COLUMN model_calls.conversation_id IS 'Id of the conversation, as it was mined.';
COMMENT ON COLUMN model_calls.began_at IS 'When the call began.';
COMMENT ON COLUMN model_calls.seconds IS 'How long the call took.';
COMMENT ON COLUMN model_calls.tokens_in IS 'Tokens sent.';
COMMENT ON COLUMN model_calls.tokens_out IS 'Tokens received.';
COMMENT ON COLUMN model_calls.cost IS
    'Cost in US dollars; NULL while unknown. Until then the amount held counts against the caps.';
COMMENT ON COLUMN model_calls.held IS
    'The most that the call could cost; for a call that a cap stopped, what was saved.';
COMMENT ON COLUMN model_calls.outcome IS 'How the call ended; open while it goes on.';

CREATE TABLE model_prices (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    model   text NOT NULL,
    input   numeric NOT NULL CHECK (input >= 0),
    output  numeric NOT NULL CHECK (output >= 0),
    PRIMARY KEY (user_id, model)
);
COMMENT ON TABLE model_prices IS 'Prices of models, as the user entered them.';
COMMENT ON COLUMN model_prices.model IS 'Name of the model.';
COMMENT ON COLUMN model_prices.input IS 'US dollars for a million tokens sent.';
COMMENT ON COLUMN model_prices.output IS 'US dollars for a million tokens received.';

-- Import and export ---------------------------------------------------------------------------------------------------

CREATE TABLE uploads (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    id         uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);
COMMENT ON TABLE uploads IS
    'Files that belong together, such as those of one import. They go when the work on them is done.';

CREATE TABLE upload_files (
    user_id uuid NOT NULL,
    upload  uuid NOT NULL,
    name    text NOT NULL,
    content uuid NOT NULL,
    bytes   bigint NOT NULL,
    PRIMARY KEY (user_id, upload, name),
    FOREIGN KEY (user_id, upload) REFERENCES uploads ON DELETE CASCADE
);
COMMENT ON TABLE upload_files IS 'Files of an upload.';
COMMENT ON COLUMN upload_files.upload IS 'The upload.';
COMMENT ON COLUMN upload_files.name IS 'Path of the file below the folder that was uploaded.';
COMMENT ON COLUMN upload_files.content IS 'Which chunks the file consists of. A file that is sent again gets new ones.';
COMMENT ON COLUMN upload_files.bytes IS 'Size of the file.';

CREATE TABLE upload_chunks (
    user_id uuid NOT NULL,
    upload  uuid NOT NULL,
    content uuid NOT NULL,
    number  integer NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (user_id, upload, content, number),
    FOREIGN KEY (user_id, upload) REFERENCES uploads ON DELETE CASCADE
);
ALTER TABLE upload_chunks ALTER COLUMN body SET STORAGE EXTERNAL;
COMMENT ON TABLE upload_chunks IS 'Bytes of uploaded files.';
COMMENT ON COLUMN upload_chunks.upload IS 'The upload.';
COMMENT ON COLUMN upload_chunks.content IS 'The file''s content; see upload_files.';
COMMENT ON COLUMN upload_chunks.number IS 'Place of the chunk in the file.';
COMMENT ON COLUMN upload_chunks.body IS 'The bytes.';

CREATE TABLE watched_files (
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    file       bytea NOT NULL,
    size       bigint NOT NULL,
    changed_ns bigint NOT NULL,
    PRIMARY KEY (user_id, file)
);
COMMENT ON TABLE watched_files IS
    'Files that ricordo watch follows, as they were when they were last mined to the end.';
COMMENT ON COLUMN watched_files.file IS 'Digest of the machine''s name and the file''s path, which are not stored.';
COMMENT ON COLUMN watched_files.size IS 'Size of the file.';
COMMENT ON COLUMN watched_files.changed_ns IS 'When the file was last changed, in nanoseconds.';

CREATE TABLE imported_archives (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    digest    bytea NOT NULL,
    loaded_at timestamptz NOT NULL DEFAULT now(),
    trusted   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (user_id, digest)
);
COMMENT ON TABLE imported_archives IS 'Archives that a user has loaded, so that loading one again changes nothing.';
COMMENT ON COLUMN imported_archives.digest IS 'Digest of the archive.';
COMMENT ON COLUMN imported_archives.loaded_at IS 'When the archive was loaded.';
COMMENT ON COLUMN imported_archives.trusted IS
    'Whether the archive''s settings, prices and policies were taken over too.';

-- Sync ----------------------------------------------------------------------------------------------------------------
--
-- What this device knows of the logs in a shared folder (docs/sync-format.md). None of it is a text: outgoing segments
-- are encrypted, and the key and the folder's path are in a file under RICORDO_HOME.

CREATE TABLE sync_memories (
    user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    memory     uuid NOT NULL,
    device     uuid NOT NULL,
    scope      jsonb NOT NULL DEFAULT '{}',
    base       integer NOT NULL DEFAULT 1,
    compact_by timestamptz,
    synced_at  timestamptz
);
COMMENT ON TABLE sync_memories IS 'Users whose memory is synced with other devices.';
COMMENT ON COLUMN sync_memories.memory IS 'Id of the memory, the same on all of its devices.';
COMMENT ON COLUMN sync_memories.device IS 'This device: the one of sync_devices whose log is written here.';
COMMENT ON COLUMN sync_memories.scope IS 'Which wings, agents, sources and settings take part.';
COMMENT ON COLUMN sync_memories.base IS 'First segment of this device''s log that is still needed.';
COMMENT ON COLUMN sync_memories.compact_by IS
    'When this device''s log is rewritten without what was redacted or forgotten; NULL when it holds nothing such.';
COMMENT ON COLUMN sync_memories.synced_at IS 'When the last sync ended.';

CREATE TABLE sync_devices (
    user_id  uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    device   uuid NOT NULL,
    name     text NOT NULL,
    number   integer NOT NULL DEFAULT 0,
    hash     bytea NOT NULL,
    shut_out boolean NOT NULL DEFAULT false,
    problem  text,
    seen_at  timestamptz,
    PRIMARY KEY (user_id, device),
    UNIQUE (user_id, name)
);
COMMENT ON TABLE sync_devices IS 'Devices of a synced memory, and how far the log of each was read.';
COMMENT ON COLUMN sync_devices.device IS 'Id of the device: the name of its folder.';
COMMENT ON COLUMN sync_devices.number IS 'Last segment of the log that was applied; for this device the last written.';
COMMENT ON COLUMN sync_devices.hash IS 'SHA-256 of that segment, which the next one names.';
COMMENT ON COLUMN sync_devices.shut_out IS 'Whether the device was shut out when the key was rotated.';
COMMENT ON COLUMN sync_devices.problem IS 'Why the log could not be read further at the last sync.';
COMMENT ON COLUMN sync_devices.seen_at IS 'When the device wrote the last segment that was applied.';

CREATE TABLE sync_objects (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    kind    text NOT NULL,
    key     text NOT NULL,
    local   uuid,
    state   text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'held', 'redacted', 'forgotten', 'refused')),
    stamp   timestamptz,
    touched timestamptz,
    digest  bytea,
    value   jsonb,
    device  uuid NOT NULL,
    mine    boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, kind, key)
);
CREATE INDEX sync_objects_by_local ON sync_objects (user_id, local) WHERE local IS NOT NULL;
COMMENT ON TABLE sync_objects IS 'Everything that was written to a log or applied from one, by what identifies it on '
    'all devices.';
COMMENT ON COLUMN sync_objects.kind IS 'turn, memory, agent, profile, whiteboard, wing, room …';
COMMENT ON COLUMN sync_objects.key IS 'What identifies it on all devices.';
COMMENT ON COLUMN sync_objects.local IS 'Its id in this store.';
COMMENT ON COLUMN sync_objects.state IS 'How far its life is. A later state never gives way to an earlier one.';
COMMENT ON COLUMN sync_objects.stamp IS 'When it was changed last; for what is gone, when that was done.';
COMMENT ON COLUMN sync_objects.touched IS 'updated_at of a memory when it was synced last.';
COMMENT ON COLUMN sync_objects.digest IS 'SHA-256 of what a decision of the user''s said when it was synced last.';
COMMENT ON COLUMN sync_objects.value IS
    'A decision about something that has not arrived here; NULL once it is carried out.';
COMMENT ON COLUMN sync_objects.device IS 'Device that it came from last.';
COMMENT ON COLUMN sync_objects.mine IS 'Whether this device''s own log holds it.';

CREATE TABLE foreign_places (
    user_id uuid NOT NULL,
    device  text NOT NULL,
    room    integer NOT NULL,
    drawer  integer NOT NULL,
    wing    integer NOT NULL,
    memory  uuid NOT NULL,
    PRIMARY KEY (user_id, device, room, drawer),
    FOREIGN KEY (user_id, memory) REFERENCES memories (user_id, id) ON DELETE CASCADE
);
CREATE INDEX foreign_places_by_memory ON foreign_places (user_id, memory);
COMMENT ON TABLE foreign_places IS 'Where turns stand on other devices, so that their pointers lead here too.';
COMMENT ON COLUMN foreign_places.device IS 'Name of the device.';
COMMENT ON COLUMN foreign_places.drawer IS 'Drawer of the turn on that device.';
COMMENT ON COLUMN foreign_places.memory IS 'The turn in this store.';

CREATE TABLE sync_segments (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    number  integer NOT NULL,
    body    bytea NOT NULL,
    PRIMARY KEY (user_id, number)
);
COMMENT ON TABLE sync_segments IS
    'Segments of this device''s log that are not in the folder yet. Each is written in the transaction that reads what '
    'it holds, so that a kill loses nothing.';
COMMENT ON COLUMN sync_segments.number IS 'Number of the segment, from 1.';
COMMENT ON COLUMN sync_segments.body IS 'The segment''s file, encrypted.';
