-- What an operator lets a plugin keep between its calls.
ALTER TABLE plugins ADD COLUMN cache_grant TEXT;
