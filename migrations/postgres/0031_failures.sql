-- What failed is found among very many entries of the audit log.
CREATE INDEX logs_failed ON logs (created_at)
    WHERE substr(key, 1, 12) <> 'TriggerHook.' AND payload ->> 'result' = 'Error';
