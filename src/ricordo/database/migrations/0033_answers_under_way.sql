-- Answers to requests that were under way while a memory was redacted or forgotten are not kept either. Runs as the owner
-- with search_path at Ricordo's schema.

ALTER TABLE answers
    -- What was committed when the key was claimed: the request may have read whatever was redacted or forgotten since.
    ADD COLUMN claimed_in pg_snapshot,
    -- The transaction that did it, which is no reason to keep no answer to it.
    ADD COLUMN done_in xid8;

-- As in 0015, but after or before an answer is kept, and not beside it.
CREATE OR REPLACE FUNCTION forget_answers() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('answers:' || NEW.user_id::text, 0));
    UPDATE answers SET body = NULL WHERE user_id = NEW.user_id AND body IS NOT NULL;
    RETURN NULL;
END
$$;
