-- People who administer, at the console: their sessions there, and the one-time links that let somebody in.

-- A browser at the console. It ends with the session of the sign-in behind it.
CREATE TABLE console_sessions (
    -- SHA-256 (hex) of the browser's cookie.
    hash             TEXT PRIMARY KEY,
    session_id       TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- When they last proved who they are.
    authenticated_at BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    last_active_at   BIGINT NOT NULL
);
CREATE INDEX console_sessions_by_session ON console_sessions (session_id);
CREATE INDEX console_sessions_by_user ON console_sessions (user_id);
CREATE INDEX console_sessions_by_creation ON console_sessions (created_at);

-- Links that are shown on a terminal, for whoever is to administer.
CREATE TABLE console_links (
    -- SHA-256 (hex) of the code in the link.
    hash       TEXT PRIMARY KEY,
    -- 'setup', 'invite' or 'recover'.
    purpose    TEXT NOT NULL,
    -- Whom it lets in; NULL when it makes an account.
    user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
    -- The address that the account begins with, if it was named.
    email      TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX console_links_by_user ON console_links (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX console_links_by_expiry ON console_links (expires_at);
