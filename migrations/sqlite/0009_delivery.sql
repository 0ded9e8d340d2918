-- How deliveries go out: what a hook asks of them, where each one stands, and what came of every attempt.

-- Keys that were replaced and sign for a while longer: a JSON list of {key, until}, each sealed as signing_key is.
ALTER TABLE hooks ADD COLUMN previous_keys TEXT NOT NULL DEFAULT '[]';
ALTER TABLE hooks ADD COLUMN paused BOOLEAN NOT NULL DEFAULT FALSE;
-- One delivery at a time for each entity, in the order of the events.
ALTER TABLE hooks ADD COLUMN ordered BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE hooks ADD COLUMN max_in_flight BIGINT NOT NULL DEFAULT 10;
-- Deliveries a second; NULL for as many as there are.
ALTER TABLE hooks ADD COLUMN rate_limit BIGINT;
-- What was left of the rate at that time, in thousandths of a delivery.
ALTER TABLE hooks ADD COLUMN rate_credit BIGINT NOT NULL DEFAULT 0;
ALTER TABLE hooks ADD COLUMN rate_at BIGINT NOT NULL DEFAULT 0;
-- Until when the receiver asked to be left alone.
ALTER TABLE hooks ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0;
-- The first of the attempts since the last success, and how many there were.
ALTER TABLE hooks ADD COLUMN failing_since BIGINT;
ALTER TABLE hooks ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
-- Why it was disabled, when nobody did it: 'gone' or 'failing'.
ALTER TABLE hooks ADD COLUMN disabled_reason TEXT;

CREATE TABLE ordered_deliveries (
    -- The order of the events.
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The same in every attempt.
    id          TEXT NOT NULL UNIQUE,
    event_id    TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    hook_id     TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    -- What the event is about, where the hook wants order.
    entity      TEXT,
    -- 'pending', 'delivered', 'dead' or 'dropped'.
    state       TEXT NOT NULL DEFAULT 'pending',
    -- When it may be claimed: for the next attempt, or since the claim of an attempt has expired. NULL when it is done.
    due_at      BIGINT,
    -- Whoever attempts it now.
    claim       TEXT,
    attempts    BIGINT NOT NULL DEFAULT 0,
    -- What transforms made of it, as JSON text: every attempt sends these bytes.
    prepared    TEXT,
    -- The last error, or why it was dropped.
    note        TEXT,
    created_at  BIGINT NOT NULL,
    finished_at BIGINT
);
INSERT INTO ordered_deliveries (id, event_id, hook_id, due_at, created_at)
SELECT id, event_id, hook_id, created_at, created_at FROM deliveries ORDER BY created_at, id;
DROP TABLE deliveries;
ALTER TABLE ordered_deliveries RENAME TO deliveries;
CREATE INDEX deliveries_by_hook ON deliveries (hook_id, seq);
CREATE INDEX deliveries_by_state ON deliveries (hook_id, state, seq);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_due ON deliveries (hook_id, due_at, seq) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_claimed ON deliveries (hook_id, claim) WHERE claim IS NOT NULL;
CREATE INDEX deliveries_in_order ON deliveries (hook_id, entity, seq) WHERE due_at IS NOT NULL AND entity IS NOT NULL;
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE attempts (
    id            TEXT PRIMARY KEY,
    delivery_id   TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    hook_id       TEXT NOT NULL,
    number        BIGINT NOT NULL,
    started_at    BIGINT NOT NULL,
    duration_ms   BIGINT NOT NULL,
    -- The receiver's answer; NULL when there was none.
    status        BIGINT,
    response_body TEXT,
    error         TEXT
);
CREATE INDEX attempts_by_delivery ON attempts (delivery_id, started_at);
CREATE INDEX attempts_by_hook ON attempts (hook_id, started_at DESC, id DESC);

-- Attempts and successes by the minute since 1970, for a day.
CREATE TABLE hook_statistics (
    hook_id   TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    minute    BIGINT NOT NULL,
    requests  BIGINT NOT NULL,
    successes BIGINT NOT NULL,
    PRIMARY KEY (hook_id, minute)
);
