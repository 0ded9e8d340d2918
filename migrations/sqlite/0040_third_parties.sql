-- What third-party applications may ask for, who may sign in to an application, and the enterprise connectors through
-- which users join an organization.

-- Whether only users that a rule of the tables below names may sign in to an application.
ALTER TABLE applications ADD COLUMN app_level_access_control_enabled BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE application_access_users (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, user_id)
);
CREATE INDEX application_access_users_by_user ON application_access_users (user_id);

CREATE TABLE application_access_roles (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    role_id        TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, role_id)
);
CREATE INDEX application_access_roles_by_role ON application_access_roles (role_id);

CREATE TABLE application_access_organizations (
    application_id  TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, organization_id)
);
CREATE INDEX application_access_organizations_by_organization ON application_access_organizations (organization_id);

CREATE TABLE application_access_organization_roles (
    application_id       TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    organization_id      TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, organization_id, organization_role_id)
);
CREATE INDEX application_access_organization_roles_by_organization
    ON application_access_organization_roles (organization_id);
CREATE INDEX application_access_organization_roles_by_role
    ON application_access_organization_roles (organization_role_id);

-- Third-party applications that may ask for the scopes of the next four tables alone. Applications from before are not
-- in it: they may ask for everything, until an operator enables a scope for them.
CREATE TABLE application_consent_limits (
    application_id TEXT PRIMARY KEY REFERENCES applications (id) ON DELETE CASCADE
);

CREATE TABLE application_consent_user_scopes (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_scope     TEXT NOT NULL,
    PRIMARY KEY (application_id, user_scope)
);

CREATE TABLE application_consent_resource_scopes (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    scope_id       TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, scope_id)
);
CREATE INDEX application_consent_resource_scopes_by_scope ON application_consent_resource_scopes (scope_id);

-- Scopes of resources that users have in an organization.
CREATE TABLE application_consent_organization_resource_scopes (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    scope_id       TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, scope_id)
);
CREATE INDEX application_consent_organization_resource_scopes_by_scope
    ON application_consent_organization_resource_scopes (scope_id);

CREATE TABLE application_consent_organization_scopes (
    application_id        TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    organization_scope_id TEXT NOT NULL REFERENCES organization_scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, organization_scope_id)
);
CREATE INDEX application_consent_organization_scopes_by_scope
    ON application_consent_organization_scopes (organization_scope_id);

-- The organizations in which a user lets a third-party application act. Who leaves the organization takes it back.
CREATE TABLE consent_organizations (
    application_id  TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    organization_id TEXT NOT NULL,
    PRIMARY KEY (application_id, user_id, organization_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_users (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX consent_organizations_by_member ON consent_organizations (organization_id, user_id);
CREATE INDEX consent_organizations_by_user ON consent_organizations (user_id);

-- Users who sign in through these enterprise connectors join the organization.
CREATE TABLE organization_jit_sso_connectors (
    organization_id  TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, sso_connector_id)
);
CREATE INDEX organization_jit_sso_connectors_by_connector ON organization_jit_sso_connectors (sso_connector_id);

-- What users chose before stands in their grants.
INSERT OR IGNORE INTO consent_organizations (application_id, user_id, organization_id)
    SELECT g.application_id, g.user_id, o.organization_id
    FROM grants g
    JOIN applications a ON a.id = g.application_id AND a.is_third_party
    JOIN json_each(CASE WHEN json_valid(g.scopes) THEN g.scopes ELSE '{}' END, '$.organizations') chosen
    JOIN organization_users o ON o.user_id = g.user_id AND o.organization_id = chosen.value;
