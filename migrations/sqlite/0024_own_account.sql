-- What people do to their own account: the settings of it, what they proved for it, names of their second factors.

CREATE TABLE account_centers (
    id       TEXT PRIMARY KEY,
    settings TEXT NOT NULL
);
-- The only row; what it does not say is by default.
INSERT INTO account_centers (id, settings) VALUES ('default', '{}');

-- That somebody who was signed in has proved again who they are, or that an address is theirs.
CREATE TABLE verification_records (
    id          TEXT PRIMARY KEY,
    user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The session at whose page it was proved; NULL when it was by the Account API.
    session_id  TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    -- How: Password.
    type        TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    -- NULL until it is proved.
    verified_at BIGINT,
    expires_at  BIGINT NOT NULL
);
CREATE INDEX verification_records_by_user ON verification_records (user_id);
CREATE INDEX verification_records_by_session ON verification_records (session_id);
CREATE INDEX verification_records_by_expiry ON verification_records (expires_at);

-- What its user calls it.
ALTER TABLE mfa_factors ADD COLUMN name TEXT;
