-- Lists beside a million of everything: entries of the audit log are counted once, and so is who was active when.

-- Entries of the audit log by key, without deliveries of webhooks: of those from before the time in `totals`.
CREATE TABLE log_counts (
    key   TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
-- Unix milliseconds: audit entries, and uses of tokens, from before are counted. Retention moves them on.
INSERT INTO totals (name, slot, value) VALUES ('logs_counted_until', 0, 0), ('uses_counted_until', 0, 0);

-- Users who were active on a day, by the days since they were active before; 1000000 if they never were. Of a range of days,
-- each user is counted on the first of their days: the one that is further from the day before than from the beginning.
CREATE TABLE active_day_counts (
    day   BIGINT NOT NULL,
    gap   BIGINT NOT NULL,
    users BIGINT NOT NULL,
    PRIMARY KEY (day, gap)
);
INSERT INTO active_day_counts (day, gap, users)
    SELECT day, gap, COUNT(*) FROM (
        SELECT day, COALESCE(day - LAG(day) OVER (PARTITION BY user_id ORDER BY day), 1000000) AS gap FROM active_days
    ) AS known GROUP BY day, gap;
CREATE INDEX active_days_by_user ON active_days (user_id, day);

-- Personal access tokens are no impersonations: their records are not read for the list any longer.
DROP INDEX impersonations_by_creation;
CREATE INDEX impersonations_by_creation ON issuances (created_at, application_id)
    WHERE exchanged = TRUE AND subject_token_id IS NOT NULL;
-- The beginning of the ticket, since rows of indexes are limited.
CREATE INDEX impersonations_by_ticket ON issuances (substr(context ->> 'ticketId', 1, 64), created_at)
    WHERE exchanged = TRUE AND subject_token_id IS NOT NULL AND context ->> 'ticketId' IS NOT NULL;
