-- What is forgotten goes from exports that lie here to be fetched, too. Runs as the owner with search_path at Ricordo's
-- schema.

CREATE FUNCTION forget_exports() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM uploads u USING operations o
    WHERE u.user_id = NEW.user_id AND o.user_id = u.user_id AND o.upload = u.id AND o.kind = 'export';
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION forget_exports FROM PUBLIC;
CREATE TRIGGER exports_forgotten AFTER INSERT ON access_log
    FOR EACH ROW WHEN (NEW.action IN ('redact', 'forget', 'expire') AND NEW.xid > 0) EXECUTE FUNCTION forget_exports();
