-- Documents: values that programs keep under a collection, a path and a key (ricordo.entries.documents).
--
-- The collection stands in project_id; path, key and value stand in metadata; the id follows from where it stands.

ALTER TABLE memories DROP CONSTRAINT memories_kind_check;
ALTER TABLE memories ADD CONSTRAINT memories_kind_check CHECK (CASE kind
    WHEN 'drawer' THEN room > 0 AND closet IS NOT NULL AND conversation IS NOT NULL AND position IS NOT NULL
                       AND turn_key IS NOT NULL
    WHEN 'entry' THEN room = 0 AND agent_id IS NOT NULL AND profile_id IS NOT NULL AND scope IS NOT NULL
                      AND source IN ('user', 'agent', 'tool', 'eval', 'manual') AND confidence IS NOT NULL
    WHEN 'journal' THEN room = 0 AND agent_id IS NOT NULL
    WHEN 'core' THEN room = 0 AND agent_id IS NOT NULL
    WHEN 'note' THEN room = 0 AND importance IS NOT NULL AND retention IS NOT NULL
                     AND (retention <> 'medium_term' OR expires_at IS NOT NULL)
    WHEN 'document' THEN room = 0 AND project_id IS NOT NULL
    ELSE false END);
CREATE INDEX documents_by_collection ON memories (user_id, project_id, created_at DESC, id DESC)
    WHERE kind = 'document';
