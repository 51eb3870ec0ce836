-- Archives that were loaded without taking over what they say of settings. Runs as the owner with search_path at
-- Ricordo's schema.

-- What an archive says of settings, prices and policies is taken over where it is trusted: at once, or later, and once.
ALTER TABLE imported_archives ADD COLUMN trusted boolean NOT NULL DEFAULT true;
GRANT UPDATE ON imported_archives TO ricordo_app;
