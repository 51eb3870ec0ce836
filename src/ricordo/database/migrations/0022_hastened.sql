-- A job with a lock that waits for a later moment is brought forward by one like it that is due sooner: both would else
-- wait till then, since of jobs with one lock the first comes first. One that failed keeps its pause.
CREATE OR REPLACE FUNCTION enqueue_job(p_task text, p_args jsonb, p_lock text, p_at timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    job bigint;
    due timestamptz;
BEGIN
    SELECT id, scheduled_at INTO job, due FROM procrastinate_jobs
        WHERE user_id = tenant_id() AND task_name = p_task AND status = 'todo' AND args = p_args
          AND (scheduled_at IS NULL OR scheduled_at <= coalesce(p_at, now()) OR p_lock IS NOT NULL AND attempts = 0)
        ORDER BY scheduled_at NULLS FIRST, id LIMIT 1 FOR KEY SHARE SKIP LOCKED;
    IF job IS NULL THEN
        INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, scheduled_at)
        VALUES (tenant_id()::text, p_task, tenant_id()::text || ':' || p_lock, p_args, p_at) RETURNING id INTO job;
    ELSIF due > coalesce(p_at, now()) THEN
        UPDATE procrastinate_jobs SET scheduled_at = p_at WHERE id = job;
        PERFORM pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}');
    END IF;
    RETURN job;
END
$$;
