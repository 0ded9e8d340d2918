-- Who is told of what happens: hooks, the events of committed changes, and the deliveries that they call for.

CREATE TABLE hooks (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    -- Names of events, as a JSON list.
    events      JSONB NOT NULL,
    -- Address and headers, as JSON.
    config      JSONB NOT NULL,
    -- Sealed by the encryption key, base64.
    signing_key TEXT NOT NULL,
    enabled     BOOLEAN NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE INDEX hooks_by_creation ON hooks (created_at DESC, id);

-- An event is written in the transaction of the change that it reports, and only where a hook wants it.
CREATE TABLE events (
    id         TEXT PRIMARY KEY,
    type       TEXT NOT NULL,
    -- The body without the hook's id, as it was put together.
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX events_by_creation ON events (created_at);

-- The id is the same in every attempt.
CREATE TABLE deliveries (
    id         TEXT PRIMARY KEY,
    event_id   TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    hook_id    TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL
);
CREATE INDEX deliveries_by_hook ON deliveries (hook_id, created_at);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
