-- The device flow (RFC 8628): devices that wait for somebody to let them in. Of both codes only the SHA-256 (hex) is stored.
CREATE TABLE device_authorizations (
    id             TEXT PRIMARY KEY,
    -- Of the device code.
    hash           TEXT NOT NULL UNIQUE,
    user_code_hash TEXT NOT NULL UNIQUE,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    -- What the device asks for, JSON.
    request        JSONB NOT NULL,
    -- The address that it asked from.
    address        TEXT,
    -- Seconds that it has to wait between two questions, and when it asked last.
    poll_interval  BIGINT NOT NULL,
    polled_at      BIGINT,
    -- What somebody said to it: they let it in, with a grant, or not.
    user_id        TEXT REFERENCES users (id) ON DELETE CASCADE,
    grant_id       TEXT REFERENCES grants (id) ON DELETE CASCADE,
    authorization_details JSONB,
    denied_at      BIGINT,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    consumed_at    BIGINT
);
CREATE INDEX device_authorizations_by_application ON device_authorizations (application_id);
CREATE INDEX device_authorizations_by_user ON device_authorizations (user_id);
CREATE INDEX device_authorizations_by_grant ON device_authorizations (grant_id);
CREATE INDEX device_authorizations_by_expiry ON device_authorizations (expires_at);
