-- What an operation has stored is counted in the transactions that store it, so that one which is taken up again after a
-- crash tells what it brought in all. Runs as the owner with search_path at Ricordo's schema.
ALTER TABLE operations ADD COLUMN stored bigint NOT NULL DEFAULT 0;
