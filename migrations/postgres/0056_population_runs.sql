-- Runs of a version of a plugin over all users, and the differences that they found. One node leases a run at a time; another
-- one continues it after the last user that is committed.
CREATE TABLE plugin_population_runs (
    id             TEXT PRIMARY KEY,
    plugin_name    TEXT NOT NULL REFERENCES plugins (name) ON DELETE CASCADE,
    version        BIGINT NOT NULL,
    -- The version that was active at the start; NULL: compared with no plugin at all.
    against        BIGINT,
    application_id TEXT NOT NULL,
    -- What else the token is asked for with, and what the run may do.
    options        JSONB NOT NULL,
    -- 'running', 'complete', 'canceled' or 'failed'.
    state          TEXT NOT NULL,
    -- Why it failed, or why users have no token.
    problem        TEXT,
    -- Users at the start, and how many of them it is about.
    total          BIGINT NOT NULL,
    wanted         BIGINT NOT NULL,
    -- Users that it has passed, those that were compared, and those that would have no such token.
    visited        BIGINT NOT NULL DEFAULT 0,
    compared       BIGINT NOT NULL DEFAULT 0,
    skipped        BIGINT NOT NULL DEFAULT 0,
    http_sent      BIGINT NOT NULL DEFAULT 0,
    http_refused   BIGINT NOT NULL DEFAULT 0,
    -- Differences that are stored, those that had no room, and the bytes of the former.
    recorded       BIGINT NOT NULL DEFAULT 0,
    dropped        BIGINT NOT NULL DEFAULT 0,
    bytes          BIGINT NOT NULL DEFAULT 0,
    -- The id of the last user that is committed.
    reached        TEXT NOT NULL DEFAULT '',
    -- The key of the pseudonyms, encrypted; NULL once the run has ended.
    sealed_key     TEXT,
    -- The table, encrypted; NULL before anything is compared.
    sealed_results TEXT,
    -- The node that works on it, and until when.
    lease          TEXT,
    lease_until    BIGINT NOT NULL DEFAULT 0,
    created_by     TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    ended_at       BIGINT,
    expires_at     BIGINT NOT NULL
);
-- One at a time.
CREATE UNIQUE INDEX plugin_population_runs_running ON plugin_population_runs (state) WHERE state = 'running';
CREATE INDEX plugin_population_runs_by_plugin ON plugin_population_runs (plugin_name, created_at);
CREATE INDEX plugin_population_runs_by_expiry ON plugin_population_runs (expires_at);

CREATE TABLE plugin_population_differences (
    id      TEXT PRIMARY KEY,
    run_id  TEXT NOT NULL REFERENCES plugin_population_runs (id) ON DELETE CASCADE,
    -- From 1.
    number  BIGINT NOT NULL,
    -- The class of the comparison.
    class   TEXT NOT NULL,
    -- The difference is deleted with the user.
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- JSON, redacted and encrypted.
    sealed  TEXT NOT NULL
);
CREATE UNIQUE INDEX plugin_population_differences_by_number ON plugin_population_differences (run_id, number);
CREATE INDEX plugin_population_differences_by_class ON plugin_population_differences (run_id, class, number);
CREATE INDEX plugin_population_differences_by_user ON plugin_population_differences (user_id);
