-- Codes that were sent to an address or a number, and tokens of links by e-mail.

-- One that waits to be typed. Whoever asks for another one with the same purpose replaces it.
CREATE TABLE verification_codes (
    -- SHA-256 (hex) of who asked, and what for.
    asker      TEXT PRIMARY KEY,
    -- Of the verification.
    id         TEXT NOT NULL,
    -- Keyed digest, base64: of a short code, a hash alone would be found by trying all.
    digest     TEXT NOT NULL,
    -- How often something was typed.
    attempts   BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX verification_codes_by_expiry ON verification_codes (expires_at);

-- Links by which somebody signs in or registers once, without anything else.
CREATE TABLE one_time_tokens (
    id         TEXT PRIMARY KEY,
    -- Whom it was made for, in lower case.
    email      TEXT NOT NULL,
    -- SHA-256 (hex) of the token.
    hash       TEXT NOT NULL UNIQUE,
    -- Organizations that take the person in, and what they are about to do, JSON.
    context    TEXT NOT NULL,
    -- An active one whose time is over counts as expired, whatever stands here.
    status     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX one_time_tokens_by_email ON one_time_tokens (email);
CREATE INDEX one_time_tokens_by_creation ON one_time_tokens (created_at DESC, id);
CREATE INDEX one_time_tokens_by_expiry ON one_time_tokens (expires_at);
