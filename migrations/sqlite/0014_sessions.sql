-- People who are signed in, and what applications got from it: sessions, interactions, grants, authorization codes,
-- refresh tokens, pushed authorization requests.

-- One account that is signed in in one browser. A browser with several accounts has several of them.
CREATE TABLE sessions (
    id               TEXT PRIMARY KEY,
    -- SHA-256 (hex) of the browser's cookie.
    browser_hash     TEXT NOT NULL,
    user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- How and from where somebody signed in, JSON.
    details          TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    last_active_at   BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL
);
CREATE INDEX sessions_by_browser ON sessions (browser_hash);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- A sign-in, registration or consent that is under way.
CREATE TABLE interactions (
    id         TEXT PRIMARY KEY,
    -- SHA-256 (hex) of the browser's cookie.
    hash       TEXT NOT NULL UNIQUE,
    -- The authorization request, and what was done so far, JSON.
    request    TEXT NOT NULL,
    state      TEXT NOT NULL,
    -- Bumped by every step, so that of two steps at once one is refused.
    revision   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX interactions_by_expiry ON interactions (expires_at);

-- What a user lets an application have. It outlives the session in which it was given, as the remembered consent.
CREATE TABLE grants (
    id             TEXT PRIMARY KEY,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    -- The session whose end ends its tokens; NULL when that is over.
    session_id     TEXT,
    -- Scopes about the user, and those of resources, JSON.
    scopes         TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL
);
CREATE INDEX grants_by_user ON grants (user_id, application_id);
CREATE INDEX grants_by_application ON grants (application_id);
CREATE INDEX grants_by_session ON grants (session_id);
CREATE INDEX grants_by_expiry ON grants (expires_at);

-- Authorization codes. Only the SHA-256 (hex) is stored.
CREATE TABLE authorization_codes (
    hash           TEXT PRIMARY KEY,
    grant_id       TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    application_id TEXT NOT NULL,
    -- What was asked for, and how somebody signed in, JSON.
    authorization_details TEXT NOT NULL,
    -- Of all tokens that come from this code.
    family_id      TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    consumed_at    BIGINT
);
CREATE INDEX authorization_codes_by_grant ON authorization_codes (grant_id);
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);

-- Refresh tokens. Only the SHA-256 (hex) is stored.
CREATE TABLE refresh_tokens (
    hash           TEXT PRIMARY KEY,
    grant_id       TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    application_id TEXT NOT NULL,
    authorization_details TEXT NOT NULL,
    family_id      TEXT NOT NULL,
    -- Whether it was asked for with offline_access.
    outlives_session BOOLEAN NOT NULL,
    -- The token that this one replaces.
    parent_hash    TEXT,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL,
    -- When it was replaced, and when for the first time.
    consumed_at    BIGINT,
    rotated_at     BIGINT
);
CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id);
CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);
CREATE INDEX refresh_tokens_by_parent ON refresh_tokens (parent_hash);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

-- Authorization requests that a client sent ahead (RFC 9126). Only the SHA-256 (hex) of the reference is stored.
CREATE TABLE pushed_requests (
    hash           TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    -- Names and values, JSON.
    parameters     TEXT NOT NULL,
    expires_at     BIGINT NOT NULL
);
CREATE INDEX pushed_requests_by_application ON pushed_requests (application_id);
CREATE INDEX pushed_requests_by_expiry ON pushed_requests (expires_at);

-- Tokens that came from a sign-in are revoked with their grant or their family.
ALTER TABLE issuances ADD COLUMN grant_id TEXT;
ALTER TABLE issuances ADD COLUMN family_id TEXT;
CREATE INDEX issuances_by_grant ON issuances (grant_id);
