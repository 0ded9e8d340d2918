-- What hooks subscribe to: a row for each pattern, so that a change finds the hooks of its event by an index, however
-- many hooks there are.
CREATE TABLE hook_subscriptions (
    -- The name of an event, a family such as `User.*`, or `*`.
    pattern TEXT NOT NULL,
    hook_id TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    PRIMARY KEY (pattern, hook_id)
);
CREATE INDEX hook_subscriptions_by_hook ON hook_subscriptions (hook_id);
INSERT INTO hook_subscriptions (pattern, hook_id)
SELECT DISTINCT e.value, h.id FROM hooks h CROSS JOIN LATERAL jsonb_array_elements_text(
    CASE WHEN jsonb_typeof(h.events) = 'array' THEN h.events ELSE '[]'::jsonb END
) AS e (value)
WHERE e.value IS NOT NULL;

-- The state of a delivery changes with each of its steps, and nearly all of them are delivered in the end. Lists by
-- state only need indexes of those that wait and of those that were given up.
DROP INDEX deliveries_by_state;
CREATE INDEX deliveries_waiting ON deliveries (hook_id, seq) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_given_up ON deliveries (hook_id, state, seq) WHERE state IN ('dead', 'dropped');

-- A node of an earlier version, which may still run beside, writes hooks without their subscriptions.
CREATE FUNCTION subscribe_hook() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM hook_subscriptions WHERE hook_id = NEW.id;
    INSERT INTO hook_subscriptions (pattern, hook_id)
    SELECT DISTINCT e.value, NEW.id FROM jsonb_array_elements_text(
        CASE WHEN jsonb_typeof(NEW.events) = 'array' THEN NEW.events ELSE '[]'::jsonb END
    ) AS e (value)
    WHERE e.value IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER hooks_subscribed AFTER INSERT OR UPDATE OF events ON hooks
    FOR EACH ROW EXECUTE FUNCTION subscribe_hook();
