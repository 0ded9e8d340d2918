-- What users chose about their second factors and passkeys.

ALTER TABLE users ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
