-- What users chose about their second factors and passkeys.

ALTER TABLE users ADD COLUMN settings JSONB NOT NULL DEFAULT '{}';
