-- The rollout of a plugin: a version beside the active one. One row decides on all nodes which version answers; an ended
-- one stays until the next begins.
CREATE TABLE plugin_rollouts (
    plugin_name   TEXT PRIMARY KEY REFERENCES plugins (name) ON DELETE CASCADE,
    -- Different for each rollout, and after a change of its mode: what counts belong to.
    id            TEXT NOT NULL UNIQUE,
    version       BIGINT NOT NULL,
    -- The version that was active when it began.
    active_before BIGINT NOT NULL,
    -- 'shadow' or 'canary'.
    mode          TEXT NOT NULL,
    -- 'running', 'paused', 'promoted' or 'aborted'.
    state         TEXT NOT NULL,
    -- Why it is paused or over.
    reason        TEXT,
    -- Percent of users.
    share         BIGINT NOT NULL,
    -- JSON: applications, organizations and users that are chosen whatever the share.
    audience      TEXT NOT NULL,
    -- JSON; NULL: only persons decide.
    rules         TEXT,
    -- 'user:' or 'application:' with the id of who set the rules, which act with that right.
    rules_by      TEXT,
    started_by    TEXT NOT NULL,
    started_at    BIGINT NOT NULL,
    -- Since when it has been running without a pause.
    running_since BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    ended_by      TEXT,
    ended_at      BIGINT
);
CREATE INDEX plugin_rollouts_open ON plugin_rollouts (plugin_name) WHERE ended_at IS NULL;

-- What each node counted of a rollout; the counts of all nodes add up.
CREATE TABLE plugin_rollout_counts (
    rollout_id TEXT NOT NULL REFERENCES plugin_rollouts (id) ON DELETE CASCADE,
    node       TEXT NOT NULL,
    -- Such as 'candidate.runs', 'class.different' or 'claim.changed.plan'.
    name       TEXT NOT NULL,
    value      BIGINT NOT NULL,
    PRIMARY KEY (rollout_id, node, name)
) WITHOUT ROWID;

-- Calls whose answers differ, redacted.
CREATE TABLE plugin_rollout_samples (
    id         TEXT PRIMARY KEY,
    rollout_id TEXT NOT NULL REFERENCES plugin_rollouts (id) ON DELETE CASCADE,
    class      TEXT NOT NULL,
    -- Whom the call was about.
    user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
    -- JSON, encrypted.
    sealed     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX plugin_rollout_samples_by_rollout ON plugin_rollout_samples (rollout_id, class);
CREATE INDEX plugin_rollout_samples_by_user ON plugin_rollout_samples (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX plugin_rollout_samples_by_age ON plugin_rollout_samples (created_at);
