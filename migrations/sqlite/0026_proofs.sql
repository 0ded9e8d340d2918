-- What else people prove for their own account, and devices on which they are not asked for a second factor.

-- Beside its type: the address that a code went to, the account elsewhere, the question for a passkey. Secrets in it are
-- encrypted.
ALTER TABLE verification_records ADD COLUMN details TEXT NOT NULL DEFAULT '{}';

-- Browsers in which a user proved a second factor and said that they need not again for a while.
CREATE TABLE trusted_devices (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 (hex) of the browser's cookie. Several users of one browser may have it.
    hash         TEXT NOT NULL,
    user_agent   TEXT,
    -- Where it was when it was last used.
    ip           TEXT,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    UNIQUE (hash, user_id)
);
CREATE INDEX trusted_devices_by_user ON trusted_devices (user_id, last_used_at);
CREATE INDEX trusted_devices_by_expiry ON trusted_devices (expires_at);
