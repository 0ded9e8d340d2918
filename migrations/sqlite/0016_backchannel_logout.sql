-- Back-channel logout: which applications got tokens in a session, and which have to be told that it has ended.

-- Whether the application got tokens by it. Of earlier grants nobody knows; it did of most.
ALTER TABLE grants ADD COLUMN has_tokens BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE grants SET has_tokens = TRUE;

-- An application that has to be told, written in the transaction that ends the sign-in. It outlives the user.
CREATE TABLE backchannel_logouts (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    -- 'pending', 'delivered', 'dead' or 'dropped'.
    state          TEXT NOT NULL DEFAULT 'pending',
    -- When it may be leased: for the next attempt, or since the lease of an attempt has expired. NULL when it is done.
    due_at         BIGINT,
    -- The lease of whoever attempts it now.
    claim          TEXT,
    attempts       BIGINT NOT NULL DEFAULT 0,
    -- The last error.
    note           TEXT,
    created_at     BIGINT NOT NULL,
    finished_at    BIGINT
);
CREATE INDEX backchannel_logouts_by_application ON backchannel_logouts (application_id, due_at, seq);
CREATE INDEX backchannel_logouts_due ON backchannel_logouts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX backchannel_logouts_claimed ON backchannel_logouts (application_id, claim) WHERE claim IS NOT NULL;
CREATE INDEX backchannel_logouts_finished ON backchannel_logouts (finished_at) WHERE finished_at IS NOT NULL;
