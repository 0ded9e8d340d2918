-- Recordings of calls of plugins, redacted before anything is written. A plugin of the folder has no row, so that its name
-- refers to none.
CREATE TABLE plugin_recordings (
    id          TEXT PRIMARY KEY,
    plugin_name TEXT NOT NULL,
    -- Which calls, and what of them is kept.
    options     TEXT NOT NULL,
    wanted      BIGINT NOT NULL,
    recorded    BIGINT NOT NULL DEFAULT 0,
    -- Calls that were to be recorded and were not.
    dropped     BIGINT NOT NULL DEFAULT 0,
    -- Of all samples.
    bytes       BIGINT NOT NULL DEFAULT 0,
    -- What went wrong last.
    problem     TEXT,
    -- The key of the pseudonyms, encrypted; NULL once the recording has ended.
    sealed_key  TEXT,
    ends_at     BIGINT NOT NULL,
    stopped_at  BIGINT,
    -- 'complete', 'ended', 'full' or 'stopped', once it has ended.
    end_reason  TEXT,
    expires_at  BIGINT NOT NULL,
    created_by  TEXT NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE INDEX plugin_recordings_by_plugin ON plugin_recordings (plugin_name, created_at);
CREATE INDEX plugin_recordings_running ON plugin_recordings (ends_at) WHERE stopped_at IS NULL;
CREATE INDEX plugin_recordings_by_expiry ON plugin_recordings (expires_at);

CREATE TABLE plugin_samples (
    id           TEXT PRIMARY KEY,
    recording_id TEXT NOT NULL REFERENCES plugin_recordings (id) ON DELETE CASCADE,
    -- From 1.
    number       BIGINT NOT NULL,
    -- Whom the call was about: the sample is deleted with the user.
    user_id      TEXT REFERENCES users (id) ON DELETE CASCADE,
    -- JSON, redacted and encrypted.
    sealed       TEXT NOT NULL
);
CREATE UNIQUE INDEX plugin_samples_by_number ON plugin_samples (recording_id, number);
CREATE INDEX plugin_samples_by_user ON plugin_samples (user_id) WHERE user_id IS NOT NULL;
