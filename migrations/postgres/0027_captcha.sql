-- Who asks whether somebody is a person, of which there is one at most.

CREATE TABLE captcha_providers (
    -- Always 'default'.
    id         TEXT PRIMARY KEY,
    -- The configuration, which may hold a secret: encrypted, base64.
    config     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
