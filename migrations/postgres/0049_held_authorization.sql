-- Keeps changes of the authorization data out until the end of the transaction, and returns its revision. A statement
-- sees the data as of its beginning, but each statement of a volatile function sees what was committed before it: so the
-- revision is the current one, however long the lock took.
CREATE FUNCTION hold_authorization(lock BIGINT) RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    revision BIGINT;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(lock);
    SELECT value INTO revision FROM revisions WHERE name = 'authorization';
    RETURN revision;
END
$$;
