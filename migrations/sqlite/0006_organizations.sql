-- Organizations, whole: their looks, their scopes, members that are machines, whom an email domain lets in, invitations.

ALTER TABLE organizations ADD COLUMN color TEXT NOT NULL DEFAULT '{}';
ALTER TABLE organizations ADD COLUMN branding TEXT NOT NULL DEFAULT '{}';
ALTER TABLE organizations ADD COLUMN custom_css TEXT;
-- What a search looks at, in lower case: no database folds every alphabet.
ALTER TABLE organizations ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
UPDATE organizations SET search_key = LOWER(id || ' ' || name);
CREATE INDEX organizations_by_creation ON organizations (created_at DESC, id);

ALTER TABLE organization_roles ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
UPDATE organization_roles SET search_key = LOWER(id || ' ' || name || ' ' || COALESCE(description, ''));

CREATE TABLE organization_scopes (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT,
    search_key  TEXT NOT NULL
);

CREATE TABLE organization_role_scopes (
    organization_role_id  TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    organization_scope_id TEXT NOT NULL REFERENCES organization_scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_role_id, organization_scope_id)
);
CREATE INDEX organization_role_scopes_by_scope ON organization_role_scopes (organization_scope_id);

CREATE TABLE organization_applications (
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    application_id  TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, application_id)
);
CREATE INDEX organization_applications_by_application ON organization_applications (application_id);

CREATE TABLE organization_application_roles (
    organization_id      TEXT NOT NULL,
    application_id       TEXT NOT NULL,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, application_id, organization_role_id),
    FOREIGN KEY (organization_id, application_id)
        REFERENCES organization_applications (organization_id, application_id) ON DELETE CASCADE
);
CREATE INDEX organization_application_roles_by_role ON organization_application_roles (organization_role_id);

-- Whoever has an address of such a domain becomes a member, with these roles.
CREATE TABLE organization_jit_email_domains (
    organization_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    email_domain    TEXT NOT NULL,
    PRIMARY KEY (organization_id, email_domain)
);
CREATE INDEX organization_jit_email_domains_by_domain ON organization_jit_email_domains (email_domain);

CREATE TABLE organization_jit_roles (
    organization_id      TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (organization_id, organization_role_id)
);
CREATE INDEX organization_jit_roles_by_role ON organization_jit_roles (organization_role_id);

CREATE TABLE organization_invitations (
    id               TEXT PRIMARY KEY,
    organization_id  TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    inviter_id       TEXT REFERENCES users (id) ON DELETE SET NULL,
    -- An email address in lower case.
    invitee          TEXT NOT NULL,
    accepted_user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
    -- A pending one whose time is over counts as expired, whatever stands here.
    status           TEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL
);
CREATE UNIQUE INDEX organization_invitations_pending ON organization_invitations (organization_id, invitee)
    WHERE status = 'Pending';
CREATE INDEX organization_invitations_by_organization ON organization_invitations (organization_id);
CREATE INDEX organization_invitations_by_inviter ON organization_invitations (inviter_id);
CREATE INDEX organization_invitations_by_invitee ON organization_invitations (invitee);
CREATE INDEX organization_invitations_by_accepted_user ON organization_invitations (accepted_user_id);

CREATE TABLE organization_invitation_roles (
    invitation_id        TEXT NOT NULL REFERENCES organization_invitations (id) ON DELETE CASCADE,
    organization_role_id TEXT NOT NULL REFERENCES organization_roles (id) ON DELETE CASCADE,
    PRIMARY KEY (invitation_id, organization_role_id)
);
CREATE INDEX organization_invitation_roles_by_role ON organization_invitation_roles (organization_role_id);
