-- Circuit breakers of plugins: a version that keeps failing is not called for a while. A row is an open breaker.
CREATE TABLE plugin_breakers (
    plugin      TEXT NOT NULL,
    -- 'sha256:…' of the version that is not called.
    digest      TEXT NOT NULL,
    -- The application, or of a webhook transform the hook, for which it is open; empty: for all of them.
    caller      TEXT NOT NULL,
    -- A hash of the user for whom it is open; empty: for all of them.
    subject     TEXT NOT NULL,
    -- A word for the last failure, and what it said in one line, without secrets.
    outcome     TEXT NOT NULL,
    error       TEXT NOT NULL,
    opened_at   BIGINT NOT NULL,
    -- When the next call may probe whether the plugin works again.
    probe_at    BIGINT NOT NULL,
    -- How many probes have failed.
    probes      BIGINT NOT NULL,
    -- The probe that is running; it counts as lost after probe_until.
    probe_id    TEXT,
    probe_until BIGINT,
    PRIMARY KEY (plugin, digest, caller, subject)
) WITHOUT ROWID;

-- Failures of the plugins whose breakers are closed, and the calls beside them, as each node counts them. Rows are
-- deleted after the longest window, an hour.
CREATE TABLE plugin_failures (
    plugin     TEXT NOT NULL,
    digest     TEXT NOT NULL,
    -- When the node wrote them, Unix milliseconds.
    counted_at BIGINT NOT NULL,
    node       TEXT NOT NULL,
    caller     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    failures   BIGINT NOT NULL,
    successes  BIGINT NOT NULL,
    PRIMARY KEY (plugin, digest, counted_at, node, caller, subject)
) WITHOUT ROWID;
CREATE INDEX plugin_failures_by_time ON plugin_failures (counted_at);

-- Decisions about breakers are made one after the other.
INSERT INTO revisions (name, value) VALUES ('plugin_breakers', 0);

-- When a version was first put into service, Unix milliseconds; NULL if it never was, as far as is known. Only such a one
-- answers while the breaker of the active version is open.
ALTER TABLE plugin_versions ADD COLUMN activated_at BIGINT;
UPDATE plugin_versions SET activated_at = created_at
    WHERE id = (SELECT active_version FROM plugins WHERE plugins.name = plugin_versions.plugin_name);
