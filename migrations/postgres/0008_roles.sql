-- Roles, scopes and applications: found by what they are called, and who holds a role.

-- Names and descriptions in lower case and composed form, as the server folds them.
ALTER TABLE roles ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE roles ADD COLUMN description_key TEXT;
UPDATE roles SET name_key = LOWER(name), description_key = LOWER(description);
CREATE INDEX roles_by_name_key ON roles (name_key text_pattern_ops);
ALTER TABLE scopes ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE scopes ADD COLUMN description_key TEXT;
UPDATE scopes SET name_key = LOWER(name), description_key = LOWER(description);
CREATE INDEX scopes_by_name_key ON scopes (name_key text_pattern_ops);
ALTER TABLE applications ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE applications ADD COLUMN description_key TEXT;
UPDATE applications SET name_key = LOWER(name), description_key = LOWER(description);
CREATE INDEX applications_by_name_key ON applications (name_key text_pattern_ops);

-- Who holds a role, in the order in which they are listed.
DROP INDEX user_roles_by_role;
CREATE INDEX user_roles_by_role ON user_roles (role_id, user_id);

-- One resource at most is the default.
CREATE UNIQUE INDEX resources_default ON resources (is_default) WHERE is_default;
