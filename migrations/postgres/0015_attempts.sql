-- Attempts to sign in that failed, or have not succeeded yet: of an identifier, and from an address.
CREATE TABLE attempts (
    -- SHA-256 (hex) of what is counted.
    hash       TEXT PRIMARY KEY,
    failures   BIGINT NOT NULL,
    -- When they are forgotten: an hour after the first, or at the end of the lock-out.
    expires_at BIGINT NOT NULL
);
CREATE INDEX attempts_by_expiry ON attempts (expires_at);
