-- Families of refresh tokens: all that come from the same code. Each has a key from which the successor of a token is
-- derived, so that a token that is shown again gets the same successor. A family of before gets its key when its token
-- is rotated next; a family whose token was never rotated needs none.
CREATE TABLE refresh_families (
    -- `family_id` of its tokens.
    id            TEXT PRIMARY KEY,
    grant_id      TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    -- 32 random bytes, encrypted.
    encrypted_key TEXT NOT NULL,
    created_at    BIGINT NOT NULL
);
CREATE INDEX refresh_families_by_grant ON refresh_families (grant_id);

-- The newest token of a family, without walking past all that it replaced.
CREATE INDEX refresh_tokens_newest ON refresh_tokens (family_id) WHERE consumed_at IS NULL;
