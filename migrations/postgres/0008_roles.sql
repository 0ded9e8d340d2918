-- Who holds a role, in the order in which they are listed.
DROP INDEX user_roles_by_role;
CREATE INDEX user_roles_by_role ON user_roles (role_id, user_id);

-- One resource at most is the default.
CREATE UNIQUE INDEX resources_default ON resources (is_default) WHERE is_default;
