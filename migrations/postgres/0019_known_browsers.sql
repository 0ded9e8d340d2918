-- Lock-outs one after the other, each of which lasts longer.
ALTER TABLE sign_in_attempts ADD COLUMN lockouts BIGINT NOT NULL DEFAULT 0;

-- Browsers in which somebody has signed in: nobody else's failures lock them out there.
CREATE TABLE known_browsers (
    -- SHA-256 (hex) of the browser's cookie.
    hash       TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (hash, user_id)
);
CREATE INDEX known_browsers_by_user ON known_browsers (user_id);
CREATE INDEX known_browsers_by_expiry ON known_browsers (expires_at);
