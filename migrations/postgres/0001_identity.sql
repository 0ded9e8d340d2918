-- Who exists and what they may do: users, roles, resources, applications, organizations.
-- Times are Unix milliseconds. Migrations carry the same numbers and names for both databases.

-- Counters that a transaction bumps when it changes what may be granted; caches and exchanges compare them.
CREATE TABLE revisions (
    name  TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO revisions (name, value) VALUES ('authorization', 1);

-- What the server remembers about this database itself.
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE users (
    id                 TEXT PRIMARY KEY,
    username           TEXT UNIQUE,
    primary_email      TEXT UNIQUE,
    primary_phone      TEXT UNIQUE,
    password_digest    TEXT,
    password_algorithm TEXT,
    name               TEXT,
    avatar             TEXT,
    custom_data        JSONB NOT NULL,
    identities         JSONB NOT NULL,
    profile            JSONB NOT NULL,
    application_id     TEXT,
    is_suspended       BOOLEAN NOT NULL DEFAULT FALSE,
    last_sign_in_at    BIGINT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    -- Bumped by every change to the user, their roles or memberships.
    revision           BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX users_by_creation ON users (created_at DESC, id);

CREATE TABLE roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    type        TEXT NOT NULL,
    is_default  BOOLEAN NOT NULL DEFAULT FALSE,
    created_at  BIGINT NOT NULL
);

CREATE TABLE resources (
    id               TEXT PRIMARY KEY,
    name             TEXT NOT NULL,
    indicator        TEXT NOT NULL UNIQUE,
    is_default       BOOLEAN NOT NULL DEFAULT FALSE,
    access_token_ttl BIGINT NOT NULL,
    created_at       BIGINT NOT NULL
);

CREATE TABLE scopes (
    id          TEXT PRIMARY KEY,
    resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    description TEXT,
    created_at  BIGINT NOT NULL,
    UNIQUE (resource_id, name)
);

CREATE TABLE role_scopes (
    role_id  TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    scope_id TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (role_id, scope_id)
);
CREATE INDEX role_scopes_by_scope ON role_scopes (scope_id);

CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role_id TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, role_id)
);
CREATE INDEX user_roles_by_role ON user_roles (role_id);

CREATE TABLE applications (
    id                     TEXT PRIMARY KEY,
    name                   TEXT NOT NULL,
    description            TEXT,
    type                   TEXT NOT NULL,
    oidc_client_metadata   JSONB NOT NULL,
    custom_client_metadata JSONB NOT NULL,
    custom_data            JSONB NOT NULL,
    is_third_party         BOOLEAN NOT NULL DEFAULT FALSE,
    created_at             BIGINT NOT NULL
);
CREATE INDEX applications_by_creation ON applications (created_at DESC, id);

-- Secrets are random, so a SHA-256 (hex) is the right hash; the value itself is shown once and never stored.
CREATE TABLE application_secrets (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name           TEXT NOT NULL,
    hash           TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    expires_at     BIGINT,
    PRIMARY KEY (application_id, name)
);

CREATE TABLE application_roles (
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    role_id        TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
    PRIMARY KEY (application_id, role_id)
);
CREATE INDEX application_roles_by_role ON application_roles (role_id);

CREATE TABLE organizations (
    id              TEXT PRIMARY KEY,
    name            TEXT NOT NULL,
    description     TEXT,
    custom_data     JSONB NOT NULL,
    is_mfa_required BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL
);

CREATE TABLE organization_users (
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_users_by_user ON organization_users (user_id);

CREATE TABLE organization_roles (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT,
    type        TEXT NOT NULL
);

CREATE TABLE organization_role_resource_scopes (
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    scope_id             TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_role_id, scope_id)
);
CREATE INDEX organization_role_resource_scopes_by_scope ON organization_role_resource_scopes (scope_id);

CREATE TABLE organization_user_roles (
    organization_id      TEXT NOT NULL,
    user_id              TEXT NOT NULL,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, user_id, organization_role_id),
    FOREIGN KEY (organization_id, user_id) REFERENCES organization_users (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX organization_user_roles_by_user ON organization_user_roles (user_id);
CREATE INDEX organization_user_roles_by_role ON organization_user_roles (organization_role_id);
