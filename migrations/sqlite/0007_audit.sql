-- What the audit is asked for: entries by key, user and application, who acted for whom, and who was active when.

-- Of the payload, for those who look for one user or application.
ALTER TABLE logs ADD COLUMN user_id TEXT;
ALTER TABLE logs ADD COLUMN application_id TEXT;
UPDATE logs SET user_id = json_extract(payload, '$.userId'), application_id = json_extract(payload, '$.applicationId');

-- Deliveries of webhooks have a list of their own: the audit log does not read past them.
DROP INDEX logs_by_creation;
CREATE INDEX logs_by_creation ON logs (created_at) WHERE substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX logs_by_key ON logs (key, created_at);
CREATE INDEX logs_by_user ON logs (user_id, created_at)
    WHERE user_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';
CREATE INDEX logs_by_application ON logs (application_id, created_at)
    WHERE application_id IS NOT NULL AND substr(key, 1, 12) <> 'TriggerHook.';

-- The context of the subject token, which is swept before the token that came of it has expired.
ALTER TABLE issuances ADD COLUMN context JSONB;
UPDATE issuances SET context = (SELECT s.context FROM subject_tokens s WHERE s.id = issuances.subject_token_id)
    WHERE exchanged = TRUE;
CREATE INDEX impersonations_by_creation ON issuances (created_at, application_id) WHERE exchanged = TRUE;
CREATE INDEX impersonations_by_actor ON issuances (actor_id, created_at) WHERE actor_id IS NOT NULL;
CREATE INDEX issuances_by_use ON issuances (created_at, user_id) WHERE user_id IS NOT NULL;

CREATE INDEX subject_tokens_by_creation ON subject_tokens (created_at);

-- Days since 1970-01-01 (UTC) on which a user got a token, kept when the records of those tokens are swept.
CREATE TABLE active_days (
    day     BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (day, user_id)
) WITHOUT ROWID;
