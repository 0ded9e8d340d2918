-- Connectors to other services, and messages to people: a queue that is delivered by e-mail or SMS.

-- What reaches another service: sends e-mails or text messages, or signs people in (social).
CREATE TABLE connectors (
    id                   TEXT PRIMARY KEY,
    -- The factory that it is made by, such as 'smtp'.
    connector_id         TEXT NOT NULL,
    -- 'Email', 'Sms' or 'Social'.
    type                 TEXT NOT NULL,
    -- What identities of users are kept under; the factory's own for those that send messages.
    target               TEXT NOT NULL,
    metadata             TEXT NOT NULL DEFAULT '{}',
    -- The configuration, which holds secrets: encrypted, base64.
    config               TEXT NOT NULL,
    sync_profile         BOOLEAN NOT NULL DEFAULT FALSE,
    enable_token_storage BOOLEAN NOT NULL DEFAULT FALSE,
    created_at           BIGINT NOT NULL
);
CREATE INDEX connectors_by_type ON connectors (type, created_at, id);
CREATE INDEX connectors_by_target ON connectors (target);
-- One of each that send messages.
CREATE UNIQUE INDEX connectors_of_messages ON connectors (type) WHERE type <> 'Social';

-- What e-mails say, by language and type, instead of the built-in texts.
CREATE TABLE email_templates (
    id            TEXT PRIMARY KEY,
    language_tag  TEXT NOT NULL,
    template_type TEXT NOT NULL,
    details       TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    UNIQUE (language_tag, template_type)
);

-- A message to somebody, written in the transaction of what it tells.
CREATE TABLE messages (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT,
    id            TEXT NOT NULL UNIQUE,
    -- 'Email' or 'Sms'.
    channel       TEXT NOT NULL,
    recipient     TEXT NOT NULL,
    template_type TEXT NOT NULL,
    language_tag  TEXT NOT NULL,
    -- Code or link, and the facts of templates: encrypted, base64. NULL once nobody needs them.
    contents      TEXT,
    -- What code or link it carries; when that is used or replaced, the message is not sent any more.
    about         TEXT,
    -- When its code or link ends.
    expires_at    BIGINT NOT NULL,
    -- Whether it is shown in the mailbox of a demo server, and not sent.
    in_mailbox    BOOLEAN NOT NULL DEFAULT FALSE,
    -- 'pending', 'delivered', 'dead' or 'dropped'.
    state         TEXT NOT NULL DEFAULT 'pending',
    -- When it may be leased: for the next attempt, or since the lease of an attempt has expired. NULL when it is done.
    due_at        BIGINT,
    -- The lease of whoever attempts it now.
    claim         TEXT,
    attempts      BIGINT NOT NULL DEFAULT 0,
    -- The last error.
    note          TEXT,
    created_at    BIGINT NOT NULL,
    finished_at   BIGINT
);
CREATE INDEX messages_by_channel ON messages (channel, due_at, seq);
CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX messages_claimed ON messages (channel, claim) WHERE claim IS NOT NULL;
CREATE INDEX messages_about ON messages (about) WHERE about IS NOT NULL AND state = 'pending';
CREATE INDEX messages_of_mailbox ON messages (seq) WHERE in_mailbox;
CREATE INDEX messages_finished ON messages (finished_at) WHERE finished_at IS NOT NULL;
