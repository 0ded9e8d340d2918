-- Passkeys of users (WebAuthn): as second factors, and to sign in with. A public key is no secret.
CREATE TABLE passkeys (
    id            TEXT PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The authenticator's id of it, base64url: that of one user.
    credential_id TEXT NOT NULL UNIQUE,
    -- The public key, the signature counter and what the authenticator said of itself.
    credential    TEXT NOT NULL,
    -- Whether it is kept by a service that copies it from device to device.
    is_synced     BOOLEAN NOT NULL,
    -- What its user calls it.
    name          TEXT,
    -- The browser that made it.
    agent         TEXT,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);
CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at, id);
