-- Enterprise connectors: the sign-in of a company, chosen by the domain of an address, and who signs in by it.

CREATE TABLE sso_connectors (
    id                   TEXT PRIMARY KEY,
    -- 'OIDC', 'AzureAdOidc', 'GoogleWorkspace' or 'Okta'.
    provider_name        TEXT NOT NULL,
    connector_name       TEXT NOT NULL,
    -- The name in lower case and composed form, as the server folds it.
    name_key             TEXT NOT NULL UNIQUE,
    -- The configuration, which holds a secret: encrypted, base64.
    config               TEXT NOT NULL,
    branding             TEXT NOT NULL DEFAULT '{}',
    sync_profile         BOOLEAN NOT NULL DEFAULT FALSE,
    enable_token_storage BOOLEAN NOT NULL DEFAULT FALSE,
    created_at           BIGINT NOT NULL
);

-- The domains of addresses that a connector owns, in lower case.
CREATE TABLE sso_connector_domains (
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    domain           TEXT NOT NULL,
    PRIMARY KEY (sso_connector_id, domain)
);
CREATE INDEX sso_connector_domains_by_domain ON sso_connector_domains (domain);

-- Accounts at enterprise connectors, each of one user; a user has one at each connector.
CREATE TABLE sso_identities (
    id               TEXT PRIMARY KEY,
    user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    sso_connector_id TEXT NOT NULL REFERENCES sso_connectors (id) ON DELETE CASCADE,
    -- The issuer that the connector had, and the id there.
    issuer           TEXT NOT NULL,
    identity_id      TEXT NOT NULL,
    -- What is known of them there.
    detail           TEXT NOT NULL DEFAULT '{}',
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    UNIQUE (sso_connector_id, issuer, identity_id),
    UNIQUE (user_id, sso_connector_id)
);
