-- What hooks subscribe to: a row for each pattern, so that a change finds the hooks of its event by an index, however
-- many hooks there are.
CREATE TABLE hook_subscriptions (
    -- The name of an event, a family such as `User.*`, or `*`.
    pattern TEXT NOT NULL,
    hook_id TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    PRIMARY KEY (pattern, hook_id)
) WITHOUT ROWID;
CREATE INDEX hook_subscriptions_by_hook ON hook_subscriptions (hook_id);
INSERT OR IGNORE INTO hook_subscriptions (pattern, hook_id)
SELECT e.value, h.id FROM hooks h, json_each(CASE WHEN json_valid(h.events) THEN h.events ELSE '[]' END) e
WHERE e.type = 'text';

-- The state of a delivery changes with each of its steps, and nearly all of them are delivered in the end. Lists by
-- state only need indexes of those that wait and of those that were given up.
DROP INDEX deliveries_by_state;
CREATE INDEX deliveries_waiting ON deliveries (hook_id, seq) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_given_up ON deliveries (hook_id, state, seq) WHERE state IN ('dead', 'dropped');
