-- Users by a million: found by what they are called whatever its case, and counted without being counted.

-- User name, address and display name in lower case and composed form, as the server folds them.
ALTER TABLE users ADD COLUMN username_key TEXT;
ALTER TABLE users ADD COLUMN email_key TEXT;
ALTER TABLE users ADD COLUMN name_key TEXT;
UPDATE users SET username_key = LOWER(username), email_key = LOWER(primary_email), name_key = LOWER(name);
CREATE UNIQUE INDEX users_by_username_key ON users (username_key);
CREATE UNIQUE INDEX users_by_email_key ON users (email_key);
CREATE INDEX users_by_name_key ON users (name_key);

-- How many users there are is the sum of these.
CREATE TABLE totals (
    name  TEXT NOT NULL,
    slot  INTEGER NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (name, slot)
);
INSERT INTO totals (name, slot, value) SELECT 'users', 0, COUNT(*) FROM users;
CREATE TRIGGER users_added AFTER INSERT ON users BEGIN
    UPDATE totals SET value = value + 1 WHERE name = 'users';
END;
CREATE TRIGGER users_removed AFTER DELETE ON users BEGIN
    UPDATE totals SET value = value - 1 WHERE name = 'users';
END;

-- Accounts elsewhere, each linked to one user; what is known of them stands with the user.
CREATE TABLE user_identities (
    target      TEXT NOT NULL,
    external_id TEXT NOT NULL,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (target, external_id),
    UNIQUE (user_id, target)
);

-- The value is random, so a SHA-256 (hex) is the right hash; it is shown once and never stored.
CREATE TABLE personal_access_tokens (
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    PRIMARY KEY (user_id, name)
);

CREATE TABLE mfa_factors (
    id         TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- 'Totp' or 'BackupCode', one of each.
    type       TEXT NOT NULL,
    -- The secret, or the codes as a JSON list, sealed by the encryption key, base64.
    sealed     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (user_id, type)
);
