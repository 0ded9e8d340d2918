-- Actions of the console that were confirmed, so that each is carried out once.
CREATE TABLE console_confirmations (
    -- The id in the sealed action.
    id         TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX console_confirmations_by_session ON console_confirmations (session_id);
CREATE INDEX console_confirmations_by_expiry ON console_confirmations (expires_at);

-- Since this version everybody signs in with a user name or an email address by default. A server that was started before
-- keeps what it had: user names alone.
UPDATE sign_in_experiences
SET settings = settings || '{"signIn": {"methods": [{"identifier": "username", "password": true, "verificationCode": false, "isPasswordPrimary": true}]}}'
WHERE jsonb_typeof(settings) = 'object' AND settings -> 'signIn' IS NULL AND EXISTS (SELECT 1 FROM signing_keys);
