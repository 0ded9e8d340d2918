-- Calls of plugins, by the minute and by version: what health says of the last hour. Rows are deleted after two hours.
CREATE TABLE plugin_calls (
    -- When the minute began, Unix milliseconds.
    bucket          BIGINT NOT NULL,
    plugin          TEXT NOT NULL,
    -- 'sha256:…' of the version that was called; empty if none had loaded.
    digest          TEXT NOT NULL,
    -- The node that counted.
    node            TEXT NOT NULL,
    calls           BIGINT NOT NULL,
    denied          BIGINT NOT NULL,
    failed          BIGINT NOT NULL,
    -- The last denial or failure of the minute, without secrets; NULL if there was none.
    last_outcome    TEXT,
    last_error      TEXT,
    last_request_id TEXT,
    PRIMARY KEY (bucket, plugin, digest, node)
) WITHOUT ROWID;

-- Invitations to administer, made at the console. The link alone grants nothing: the inviter confirms the account.
CREATE TABLE administrator_invitations (
    id         TEXT PRIMARY KEY,
    -- SHA-256 (hex) of the code in the link; NULL once an account has used it.
    hash       TEXT UNIQUE,
    -- One of the built-in roles of the console.
    role_id    TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    inviter_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- For whom it is, in the inviter's words.
    note       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Of the link; and of the claim, once there is one.
    expires_at BIGINT NOT NULL,
    -- The account that used the link.
    user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
    claimed_at BIGINT
);
CREATE INDEX administrator_invitations_by_inviter ON administrator_invitations (inviter_id);
CREATE INDEX administrator_invitations_by_user ON administrator_invitations (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX administrator_invitations_by_expiry ON administrator_invitations (expires_at);
