-- Memories whose vectors are being made elsewhere, by a hosted encoder: no transaction stays open for that. Till this
-- moment no other worker takes them; one that is killed lets go of them then.
ALTER TABLE unembedded ADD COLUMN held_until timestamptz;
