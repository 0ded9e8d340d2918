-- What people say of themselves: pictures, and the fields that the operator asks them for.

-- Pictures that people uploaded: cropped, of one size, and without metadata.
CREATE TABLE avatars (
    -- A part of the public address, which cannot be guessed.
    id             TEXT PRIMARY KEY,
    -- Whose it is; NULL while somebody registers.
    user_id        TEXT REFERENCES users (id) ON DELETE CASCADE,
    -- The interaction of a registration in which it was uploaded; NULL once somebody has it.
    interaction_id TEXT,
    -- Such as 'image/png'.
    media_type     TEXT NOT NULL,
    content        BLOB NOT NULL,
    created_at     BIGINT NOT NULL,
    -- When it is deleted if nobody has chosen it; NULL once somebody has.
    expires_at     BIGINT
);
CREATE INDEX avatars_of_user ON avatars (user_id);
CREATE INDEX avatars_of_interaction ON avatars (interaction_id) WHERE interaction_id IS NOT NULL;
CREATE INDEX avatars_by_expiry ON avatars (expires_at) WHERE expires_at IS NOT NULL;

-- Fields of a profile, which people are asked for when they register.
CREATE TABLE custom_profile_fields (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    -- Such as 'Text'.
    type        TEXT NOT NULL,
    label       TEXT NOT NULL,
    description TEXT,
    required    BOOLEAN NOT NULL,
    -- What may be entered.
    config      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    -- Its place in the list.
    sie_order   BIGINT NOT NULL
);
