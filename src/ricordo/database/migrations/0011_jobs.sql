-- Background work: procrastinate's queue, under the same row-level security as all else. Runs as the owner with
-- search_path at Ricordo's schema.
--
-- A job belongs to a user, whose id names its queue; its arguments are ids and never content. A process of one user sees
-- and runs that user's jobs alone. The owner sees all jobs, since the worker of all users fetches as the owner; each of
-- them it runs as its user.

-- The schema of procrastinate 3.10 as that package ships it; another release comes with a migration of ours.
-- include procrastinate/sql/schema.sql sha256=c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009

ALTER TABLE procrastinate_jobs
    ADD COLUMN user_id uuid NOT NULL GENERATED ALWAYS AS (queue_name::uuid) STORED REFERENCES users ON DELETE CASCADE;
CREATE INDEX jobs_by_user ON procrastinate_jobs (user_id, id);
CREATE INDEX jobs_waiting ON procrastinate_jobs (user_id, task_name) WHERE status = 'todo';

-- What became of a job, beside its status: whether its effect is done, and why it failed.
CREATE TABLE job_outcomes (
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    job_id    bigint NOT NULL REFERENCES procrastinate_jobs ON DELETE CASCADE,
    -- Set in the transaction of the effect, so that a job which is run again does it no second time.
    done_at   timestamptz,
    failures  integer NOT NULL DEFAULT 0,
    error     text,
    failed_at timestamptz,
    PRIMARY KEY (user_id, job_id)
);
CREATE INDEX job_outcomes_by_job ON job_outcomes (job_id);

DO $$
DECLARE
    tenant text := $policy$user_id = nullif(current_setting('ricordo.user_id', true), '')::uuid$policy$;
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['procrastinate_jobs', 'procrastinate_events', 'job_outcomes'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY owner ON %I TO CURRENT_USER USING (true) WITH CHECK (true)', name);
    END LOOP;
    EXECUTE format('CREATE POLICY tenant ON procrastinate_jobs USING (%s) WITH CHECK (%s)', tenant, tenant);
    EXECUTE format('CREATE POLICY tenant ON job_outcomes USING (%s) WITH CHECK (%s)', tenant, tenant);
END
$$;
-- An event is its job's: this sees no more jobs than the user does.
CREATE POLICY tenant ON procrastinate_events
    USING (EXISTS (SELECT FROM procrastinate_jobs j WHERE j.id = job_id))
    WITH CHECK (EXISTS (SELECT FROM procrastinate_jobs j WHERE j.id = job_id));

-- Queues a job of the connection's user, unless one like it waits already that will be tried no later; returns its id.
-- The one that waits is held, so that no worker runs it before what this transaction wrote can be seen.
CREATE FUNCTION enqueue_job(p_task text, p_args jsonb, p_lock text, p_at timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    job bigint := (
        SELECT id FROM procrastinate_jobs
        WHERE user_id = tenant_id() AND task_name = p_task AND status = 'todo' AND args = p_args
          AND (scheduled_at IS NULL OR scheduled_at <= coalesce(p_at, now()))
        LIMIT 1 FOR KEY SHARE SKIP LOCKED);
BEGIN
    IF job IS NULL THEN
        INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, scheduled_at)
        VALUES (tenant_id()::text, p_task, tenant_id()::text || ':' || p_lock, p_args, p_at) RETURNING id INTO job;
    END IF;
    RETURN job;
END
$$;
REVOKE ALL ON FUNCTION enqueue_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job TO ricordo_app;

GRANT SELECT, INSERT, UPDATE, DELETE
    ON procrastinate_jobs, procrastinate_events, procrastinate_workers, procrastinate_periodic_defers, job_outcomes
    TO ricordo_app;
GRANT USAGE ON SEQUENCE procrastinate_jobs_id_seq, procrastinate_events_id_seq, procrastinate_workers_id_seq,
    procrastinate_periodic_defers_id_seq TO ricordo_app;

-- The upkeep of users who are there already; that of others begins with their first write. FORCE would hide them.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
INSERT INTO procrastinate_jobs (queue_name, task_name)
    SELECT user_id::text, task FROM users, unnest(ARRAY['upkeep', 'consolidate']) AS task;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
