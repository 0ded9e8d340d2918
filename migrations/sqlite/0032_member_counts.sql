-- How many members an organization has, without counting them: the sum of its rows. One writer at a time changes one row.

CREATE TABLE member_counts (
    seq             INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL UNIQUE,
    value           BIGINT NOT NULL,
    is_sum          BOOLEAN NOT NULL DEFAULT TRUE
);
INSERT INTO member_counts (organization_id, value)
    SELECT organization_id, COUNT(*) FROM organization_users GROUP BY organization_id;

CREATE TRIGGER members_added AFTER INSERT ON organization_users BEGIN
    INSERT INTO member_counts (organization_id, value) VALUES (NEW.organization_id, 1)
        ON CONFLICT (organization_id) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER members_removed AFTER DELETE ON organization_users BEGIN
    UPDATE member_counts SET value = value - 1 WHERE organization_id = OLD.organization_id;
    DELETE FROM member_counts WHERE organization_id = OLD.organization_id AND value = 0;
END;

-- Those who have a role in an organization, in the order of pages.
DROP INDEX organization_user_roles_by_role;
CREATE INDEX organization_user_roles_by_role
    ON organization_user_roles (organization_role_id, organization_id, user_id);
