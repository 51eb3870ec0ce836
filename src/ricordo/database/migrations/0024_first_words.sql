-- The first word of a name: by it are found the names that may stand in a text, and those that rules may join.
ALTER TABLE aliases ADD COLUMN first_word text NOT NULL GENERATED ALWAYS AS (split_part(slug, '-', 1)) STORED;
CREATE INDEX aliases_by_first_word ON aliases (user_id, first_word);
