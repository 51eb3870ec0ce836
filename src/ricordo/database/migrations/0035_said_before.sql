-- An encoder reads a turn with the end of the one before. Of a turn that is redacted nothing stays in the vector of the
-- next one either: that is made anew. Runs as the owner with search_path at Ricordo's schema.

CREATE FUNCTION renew_next_vector() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    -- The queue first: deleting there waits for a worker that is just making the vector, which then is there to be
    -- removed.
    DELETE FROM unembedded WHERE user_id = NEW.user_id AND room = NEW.room AND drawer = NEW.drawer + 1;
    DELETE FROM embeddings WHERE user_id = NEW.user_id AND room = NEW.room AND drawer = NEW.drawer + 1;
    INSERT INTO unembedded (user_id, room, drawer)
    SELECT user_id, room, drawer FROM memories
    WHERE user_id = NEW.user_id AND room = NEW.room AND drawer = NEW.drawer + 1 AND NOT is_redacted;
    RETURN NULL;
END
$$;
CREATE TRIGGER renew_next_vector AFTER UPDATE OF content ON memories FOR EACH ROW
    WHEN (NEW.room > 0 AND NEW.content <> OLD.content) EXECUTE FUNCTION renew_next_vector();
