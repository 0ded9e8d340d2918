-- What operators look at: activity over time, nodes, receivers to try webhooks out, and who did what for which ticket.

-- What happened in a minute, or in an hour once it is some days old. `name` tells apart what is of one kind.
CREATE TABLE activity (
    -- When it began, Unix milliseconds.
    bucket       BIGINT NOT NULL,
    kind         TEXT NOT NULL,
    name         TEXT NOT NULL,
    -- The node that counted; empty once the counts of all nodes are added up.
    node         TEXT NOT NULL,
    count        BIGINT NOT NULL,
    failures     BIGINT NOT NULL,
    microseconds BIGINT NOT NULL,
    slowest      BIGINT NOT NULL,
    PRIMARY KEY (bucket, kind, name, node)
);

CREATE TABLE nodes (
    id         TEXT PRIMARY KEY,
    version    TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);

CREATE TABLE hook_receivers (
    id         TEXT PRIMARY KEY,
    -- The last part of its URL. Whoever has it may write into the list of its requests, and nothing else.
    token      TEXT NOT NULL UNIQUE,
    -- What it answers.
    status     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE TABLE hook_receiver_requests (
    id                 TEXT PRIMARY KEY,
    receiver_id        TEXT NOT NULL REFERENCES hook_receivers (id) ON DELETE CASCADE,
    received_at        BIGINT NOT NULL,
    headers            JSONB NOT NULL,
    body               TEXT NOT NULL,
    status             BIGINT NOT NULL,
    -- The hook that sends there, if any does.
    hook_id            TEXT,
    is_signature_valid BOOLEAN
);
CREATE INDEX hook_receiver_requests_in_order ON hook_receiver_requests (receiver_id, received_at, id);

ALTER TABLE logs ADD COLUMN actor_id TEXT;
ALTER TABLE logs ADD COLUMN ticket_id TEXT;
UPDATE logs SET actor_id = payload ->> 'actorId', ticket_id = payload #>> '{context,ticketId}'
    WHERE jsonb_typeof(payload -> 'actorId') = 'string' OR jsonb_typeof(payload #> '{context,ticketId}') = 'string';
CREATE INDEX logs_by_actor ON logs (actor_id, created_at)
    WHERE actor_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX logs_by_ticket ON logs (ticket_id, created_at)
    WHERE ticket_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';

-- What failed is found among very many entries of the audit log.
CREATE INDEX logs_failed ON logs (created_at)
    WHERE substr(key, 1, 12) <> 'TriggerHook.' AND payload ->> 'result' = 'Error';

-- Records of impersonations are kept as long as the audit log, all others until soon after their token expired.
DROP INDEX issuances_by_expiry;
CREATE INDEX issuances_by_expiry ON issuances (expires_at) WHERE subject_token_id IS NULL;
CREATE INDEX impersonations_by_expiry ON issuances (expires_at) WHERE subject_token_id IS NOT NULL;

-- Suspended users are few, and looked for by themselves.
CREATE INDEX users_suspended ON users (place) WHERE is_suspended;
