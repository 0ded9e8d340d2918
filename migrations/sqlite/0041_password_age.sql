-- When a user's password was last changed, Unix milliseconds; NULL if it was changed before this was kept: such a password
-- counts from when passwords began to expire. An operator can expire a password by hand.
ALTER TABLE users ADD COLUMN password_updated_at BIGINT;
ALTER TABLE users ADD COLUMN is_password_expired BOOLEAN NOT NULL DEFAULT FALSE;

-- Keyed hashes of the networks and countries that a user signed in from, kept where second factors are asked for by risk.
CREATE TABLE sign_in_places (
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL,
    hash         TEXT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind, hash)
);
CREATE INDEX sign_in_places_by_time ON sign_in_places (last_seen_at);

-- The first versions kept these settings without effect. They are off until somebody turns them on again.
UPDATE sign_in_experiences
SET settings = CASE WHEN json_valid(settings)
    THEN json_remove(settings, '$.adaptiveMfa', '$.passwordExpiration') ELSE settings END;
