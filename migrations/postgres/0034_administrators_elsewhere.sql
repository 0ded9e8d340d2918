-- Enterprise connectors that may sign in people who administer, and the identities that their users linked themselves.

ALTER TABLE sso_connectors ADD COLUMN signs_in_administrators BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE sso_identities ADD COLUMN linked_by_owner BOOLEAN NOT NULL DEFAULT FALSE;
