-- What was issued, by which key, and what was done: subject tokens, issuances, signing keys, the audit log.

-- Only the SHA-256 (hex) of a subject token is stored.
CREATE TABLE subject_tokens (
    id          TEXT PRIMARY KEY,
    hash        TEXT NOT NULL UNIQUE,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    context     TEXT NOT NULL,
    creator_id  TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    consumed_at BIGINT
);
CREATE INDEX subject_tokens_by_user ON subject_tokens (user_id);
CREATE INDEX subject_tokens_by_expiry ON subject_tokens (expires_at);

-- One row a token that left the server. No foreign keys: a record outlives what it speaks of, and whether
-- user and application still exist is asked whenever the token is shown.
CREATE TABLE issuances (
    jti              TEXT PRIMARY KEY,
    user_id          TEXT,
    application_id   TEXT NOT NULL,
    actor_id         TEXT,
    organization_id  TEXT,
    resource         TEXT,
    scope            TEXT NOT NULL,
    -- Came from a token exchange, with or without an actor.
    exchanged        BOOLEAN NOT NULL,
    subject_token_id TEXT,
    -- SHA-256 (hex) and claims of an opaque token; NULL for a JWT, which carries its own.
    opaque_hash      TEXT UNIQUE,
    claims           TEXT,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    revoked_at       BIGINT
);
CREATE INDEX issuances_by_user ON issuances (user_id);
CREATE INDEX issuances_by_expiry ON issuances (expires_at);

-- A key is published from its creation, signs from activates_at, and leaves the key set at retires_at.
CREATE TABLE signing_keys (
    kid            TEXT PRIMARY KEY,
    algorithm      TEXT NOT NULL,
    public_jwk     TEXT NOT NULL,
    -- PKCS#8, sealed by the encryption key, base64.
    sealed_private TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    activates_at   BIGINT NOT NULL,
    retires_at     BIGINT
);

-- The audit log.
CREATE TABLE logs (
    id         TEXT PRIMARY KEY,
    key        TEXT NOT NULL,
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX logs_by_creation ON logs (created_at);
