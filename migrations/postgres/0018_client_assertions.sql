-- Client assertions that were used (RFC 7523): each jti works once for its client, until the assertion expires.

CREATE TABLE client_assertions (
    -- SHA-256 of client and jti, hexadecimal.
    hash TEXT PRIMARY KEY,
    -- When the assertion expires, Unix milliseconds.
    expires_at BIGINT NOT NULL
);
CREATE INDEX client_assertions_by_expiry ON client_assertions (expires_at);
