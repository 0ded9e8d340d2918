-- How many members an organization has, without counting them: the sum of its rows. Each change adds a row, so that two
-- who add members never wait for each other; retention adds them up.

CREATE TABLE member_counts (
    seq             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organization_id TEXT NOT NULL,
    value           BIGINT NOT NULL,
    is_sum          BOOLEAN NOT NULL DEFAULT FALSE
);
INSERT INTO member_counts (organization_id, value, is_sum)
    SELECT organization_id, COUNT(*), TRUE FROM organization_users GROUP BY organization_id;
CREATE INDEX member_counts_by_organization ON member_counts (organization_id) INCLUDE (value);
CREATE INDEX member_counts_to_add_up ON member_counts (organization_id) WHERE NOT is_sum;

CREATE FUNCTION count_members() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    difference BIGINT := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    INSERT INTO member_counts (organization_id, value)
        SELECT organization_id, difference * COUNT(*) FROM changed GROUP BY organization_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER members_added AFTER INSERT ON organization_users REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE TRIGGER members_removed AFTER DELETE ON organization_users REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_members();

-- Those who have a role in an organization, in the order of pages.
DROP INDEX organization_user_roles_by_role;
CREATE INDEX organization_user_roles_by_role
    ON organization_user_roles (organization_role_id, organization_id, user_id);
