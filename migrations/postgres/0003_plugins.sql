-- Plugins that were uploaded: their settings, versions and secrets, and what plugins wrote.

CREATE TABLE plugins (
    name           TEXT PRIMARY KEY,
    -- A manifest as JSON.
    settings       JSONB NOT NULL,
    -- What the operator lets it reach by HTTP; NULL lets it reach nothing.
    http_grant     JSONB,
    -- NULL until one was activated.
    active_version BIGINT,
    -- Version ids are never used twice.
    last_version   BIGINT NOT NULL,
    -- Counts the changes; a caller that saw an older one is told so.
    revision       BIGINT NOT NULL,
    -- What the token customizer API was given beside script and variables; NULL for all other plugins.
    customizer     JSONB,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);

CREATE TABLE plugin_versions (
    plugin_name TEXT NOT NULL REFERENCES plugins (name) ON DELETE CASCADE,
    id          BIGINT NOT NULL,
    -- 'sha256:…' of the source.
    digest      TEXT NOT NULL,
    language    TEXT NOT NULL,
    source      BYTEA NOT NULL,
    size        BIGINT NOT NULL,
    -- What the compiler found out: kind, world, imports.
    facts       JSONB NOT NULL,
    -- What it asks to reach by HTTP.
    http        JSONB,
    -- Its golden cases, as they were uploaded.
    cases       TEXT,
    created_by  TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (plugin_name, id)
);

CREATE TABLE plugin_secrets (
    plugin_name TEXT NOT NULL REFERENCES plugins (name) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    -- Sealed by the encryption key, base64.
    sealed      TEXT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (plugin_name, name)
);

-- No foreign key: plugins of the folder write too. Ids ascend in the order of the commits.
CREATE TABLE plugin_logs (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    plugin_name TEXT NOT NULL,
    level       TEXT NOT NULL,
    message     TEXT NOT NULL,
    request_id  TEXT,
    -- 'sha256:…' of the version that wrote it.
    digest      TEXT,
    created_at  BIGINT NOT NULL
);
CREATE INDEX plugin_logs_by_plugin ON plugin_logs (plugin_name, id);
CREATE INDEX plugin_logs_by_creation ON plugin_logs (created_at);

INSERT INTO revisions (name, value) VALUES ('plugins', 0), ('plugin_logs', 0);
