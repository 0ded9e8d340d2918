-- A pushed request is used up by its response, which may come after an interaction: its row is kept until then, though it
-- cannot be visited any longer.
ALTER TABLE pushed_requests ADD COLUMN kept_until BIGINT NOT NULL DEFAULT 0;
