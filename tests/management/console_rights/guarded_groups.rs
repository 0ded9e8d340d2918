//! Groups of operations that write the same thing: create and change, PUT and PATCH, one and many, from either side.
//! All operations of a group need the same, so that none bypasses another; exceptions have a reason.

/// Operations that write the same thing.
pub(super) struct GuardedGroup {
    /// The thing that they write.
    pub(super) what: &'static str,
    /// Operations with the same requirements: roles, age of the sign-in and scope.
    pub(super) operations: &'static [&'static str],
    /// Operations with other requirements, each with the reason.
    pub(super) others: &'static [(&'static str, &'static str)],
}

const fn group(what: &'static str, operations: &'static [&'static str]) -> GuardedGroup {
    GuardedGroup { what, operations, others: &[] }
}

/// The reason for deletions.
const TAKES: &str = "it takes rights and gives none";
/// The reason for creating.
const NEW: &str = "nobody has what is new; adding it to a role needs the right to change roles";
/// The reason for a read that is a POST because of its parameters.
const READS: &str = "it changes nothing";

/// Every operation that writes, in the group of what it writes.
pub(super) const GROUPS: &[GuardedGroup] = &[
    GuardedGroup {
        what: "applications: what they may do, and where people are sent",
        operations: &["POST /api/applications", "PATCH /api/applications/{id}"],
        others: &[
            ("DELETE /api/applications/{id}", TAKES),
            ("PUT /api/applications/{id}/sign-in-experience", "it has no part that a stale sign-in may write"),
            ("PATCH /api/applications/{id}/custom-data", "the integrator's own data gives no rights"),
            ("POST /api/applications/{id}/token-preview", READS),
        ],
    },
    group("who may sign in to an application", &["PUT /api/applications/{id}/access-control"]),
    group(
        "what a third party may ask for",
        &[
            "POST /api/applications/{id}/user-consent-scopes",
            "DELETE /api/applications/{id}/user-consent-scopes/{scopeType}/{scopeId}",
        ],
    ),
    group(
        "where a third party acts for a user",
        &[
            "POST /api/applications/{id}/users/{userId}/consent-organizations",
            "PUT /api/applications/{id}/users/{userId}/consent-organizations",
            "DELETE /api/applications/{id}/users/{userId}/consent-organizations/{organizationId}",
        ],
    ),
    group(
        "secrets of applications",
        &[
            "POST /api/applications/{id}/secrets",
            "PATCH /api/applications/{id}/secrets/{name}",
            "DELETE /api/applications/{id}/secrets/{name}",
        ],
    ),
    group(
        "roles of users and applications",
        &[
            "POST /api/applications/{id}/roles",
            "PUT /api/applications/{id}/roles",
            "DELETE /api/applications/{id}/roles/{roleId}",
            "POST /api/roles/{id}/applications",
            "DELETE /api/roles/{id}/applications/{applicationId}",
            "POST /api/roles/{id}/users",
            "DELETE /api/roles/{id}/users/{userId}",
            "POST /api/users/{userId}/roles",
            "PUT /api/users/{userId}/roles",
            "DELETE /api/users/{userId}/roles/{roleId}",
        ],
    ),
    GuardedGroup {
        what: "who administers, by an invitation",
        operations: &[
            "POST /api/administrator-invitations",
            "POST /api/administrator-invitations/{id}/confirm",
            "DELETE /api/administrator-invitations/{id}",
        ],
        others: &[],
    },
    GuardedGroup {
        what: "roles",
        operations: &["POST /api/roles", "PATCH /api/roles/{id}"],
        others: &[("DELETE /api/roles/{id}", TAKES)],
    },
    group("scopes of roles", &["POST /api/roles/{id}/scopes", "DELETE /api/roles/{id}/scopes/{scopeId}"]),
    group(
        "resources",
        &[
            "POST /api/resources",
            "PATCH /api/resources/{id}",
            "PATCH /api/resources/{id}/is-default",
            "DELETE /api/resources/{id}",
        ],
    ),
    GuardedGroup {
        what: "scopes of resources",
        operations: &["PATCH /api/resources/{resourceId}/scopes/{scopeId}"],
        others: &[
            ("POST /api/resources/{resourceId}/scopes", NEW),
            ("DELETE /api/resources/{resourceId}/scopes/{scopeId}", TAKES),
        ],
    },
    GuardedGroup {
        what: "organization scopes",
        operations: &["PATCH /api/organization-scopes/{id}"],
        others: &[("POST /api/organization-scopes", NEW), ("DELETE /api/organization-scopes/{id}", TAKES)],
    },
    GuardedGroup {
        what: "organization roles",
        operations: &["PATCH /api/organization-roles/{id}"],
        others: &[
            ("POST /api/organization-roles", "nobody holds what is new"),
            ("DELETE /api/organization-roles/{id}", TAKES),
        ],
    },
    group(
        "scopes of organization roles",
        &[
            "POST /api/organization-roles/{id}/scopes",
            "PUT /api/organization-roles/{id}/scopes",
            "DELETE /api/organization-roles/{id}/scopes/{organizationScopeId}",
            "POST /api/organization-roles/{id}/resource-scopes",
            "PUT /api/organization-roles/{id}/resource-scopes",
            "DELETE /api/organization-roles/{id}/resource-scopes/{scopeId}",
        ],
    ),
    group(
        "organizations, and who and what is in them",
        &[
            "POST /api/organizations",
            "PATCH /api/organizations/{id}",
            "DELETE /api/organizations/{id}",
            "POST /api/organizations/{id}/users",
            "PUT /api/organizations/{id}/users",
            "DELETE /api/organizations/{id}/users/{userId}",
            "POST /api/organizations/{id}/applications",
            "PUT /api/organizations/{id}/applications",
            "DELETE /api/organizations/{id}/applications/{applicationId}",
            "POST /api/organizations/{id}/jit/email-domains",
            "PUT /api/organizations/{id}/jit/email-domains",
            "DELETE /api/organizations/{id}/jit/email-domains/{emailDomain}",
            "POST /api/organizations/{id}/jit/sso-connectors",
            "PUT /api/organizations/{id}/jit/sso-connectors",
            "DELETE /api/organizations/{id}/jit/sso-connectors/{ssoConnectorId}",
        ],
    ),
    group(
        "organization roles of members, applications, invitations and those who join",
        &[
            "POST /api/organizations/{id}/users/roles",
            "POST /api/organizations/{id}/users/{userId}/roles",
            "PUT /api/organizations/{id}/users/{userId}/roles",
            "DELETE /api/organizations/{id}/users/{userId}/roles/{organizationRoleId}",
            "POST /api/organizations/{id}/applications/roles",
            "POST /api/organizations/{id}/applications/{applicationId}/roles",
            "PUT /api/organizations/{id}/applications/{applicationId}/roles",
            "DELETE /api/organizations/{id}/applications/{applicationId}/roles/{organizationRoleId}",
            "POST /api/organizations/{id}/jit/roles",
            "PUT /api/organizations/{id}/jit/roles",
            "DELETE /api/organizations/{id}/jit/roles/{organizationRoleId}",
            "POST /api/organization-invitations",
            "POST /api/organization-invitations/{id}/message",
            "PUT /api/organization-invitations/{id}/status",
            "DELETE /api/organization-invitations/{id}",
        ],
    ),
    GuardedGroup {
        what: "users",
        operations: &[
            "POST /api/users",
            "POST /api/users/import",
            "PATCH /api/users/{userId}",
            "PATCH /api/users/{userId}/custom-data",
            "PATCH /api/users/{userId}/profile",
            "PATCH /api/users/{userId}/logto-configs",
        ],
        others: &[
            ("DELETE /api/users/{userId}", "it cannot be undone"),
            ("PATCH /api/users/{userId}/is-suspended", "support may do it"),
            ("POST /api/sentinel-activities/delete", "support may do it"),
        ],
    },
    group(
        "what lets an existing user in",
        &[
            "PATCH /api/users/{userId}/password",
            "PATCH /api/users/{userId}/password/expiration",
            "POST /api/users/{userId}/password/verify",
            "POST /api/users/{userId}/identities",
            "PUT /api/users/{userId}/identities/{target}",
            "DELETE /api/users/{userId}/identities/{target}",
            "POST /api/users/{userId}/mfa-verifications",
            "DELETE /api/users/{userId}/mfa-verifications/{verificationId}",
            "POST /api/users/{userId}/personal-access-tokens",
            "PATCH /api/users/{userId}/personal-access-tokens",
            "PATCH /api/users/{userId}/personal-access-tokens/{name}",
            "DELETE /api/users/{userId}/personal-access-tokens/{name}",
            "POST /api/users/{userId}/personal-access-tokens/delete",
            "POST /api/one-time-tokens",
            "POST /api/one-time-tokens/verify",
            "PUT /api/one-time-tokens/{id}/status",
            "DELETE /api/one-time-tokens/{id}",
        ],
    ),
    group(
        "sessions of users, and codes to verify a caller",
        &[
            "DELETE /api/users/{userId}/grants/{grantId}",
            "DELETE /api/users/{userId}/sessions/{sessionId}",
            "DELETE /api/users/{userId}/trusted-devices/{trustedDeviceId}",
            "POST /api/verification-codes",
            "POST /api/verification-codes/verify",
        ],
    ),
    group(
        "impersonations",
        &["POST /api/subject-tokens", "DELETE /api/subject-tokens/{id}", "DELETE /api/impersonations/{id}"],
    ),
    GuardedGroup {
        what: "hooks",
        operations: &[
            "POST /api/hooks",
            "PATCH /api/hooks/{id}",
            "DELETE /api/hooks/{id}",
            "POST /api/hooks/{id}/test",
            "POST /api/hooks/{id}/deliveries/replay",
            "POST /api/hooks/{id}/deliveries/{deliveryId}/replay",
            "POST /api/hook-receivers",
            "PATCH /api/hook-receivers/{id}",
            "DELETE /api/hook-receivers/{id}",
        ],
        others: &[(
            "PATCH /api/hooks/{id}/signing-key",
            "it is the secret of a receiver that trusts it; a new hook's is nobody's",
        )],
    },
    GuardedGroup {
        what: "plugins: settings, and what serves",
        operations: &["PUT /api/plugins/{name}", "PATCH /api/plugins/{name}"],
        others: &[
            ("POST /api/plugins/{name}/versions/{id}/activate", "it does nothing else"),
            ("POST /api/plugins/{name}/breaker/close", "it does nothing else"),
            ("POST /api/plugins/{name}/rollout", "as activating"),
            ("PATCH /api/plugins/{name}/rollout", "as activating"),
            ("POST /api/plugins/{name}/rollout/promote", "as activating"),
            ("POST /api/plugins/{name}/rollout/abort", "as activating"),
            ("DELETE /api/plugins/{name}", "as switching it off"),
            ("DELETE /api/plugins/{name}/versions/{id}", "the active version cannot be deleted"),
            ("POST /api/plugins/{name}/test", READS),
            ("POST /api/plugins/test", READS),
            ("POST /api/plugin-checks", READS),
        ],
    },
    GuardedGroup {
        what: "token scripts",
        operations: &[
            "PUT /api/configs/jwt-customizer/{tokenTypePath}",
            "PATCH /api/configs/jwt-customizer/{tokenTypePath}",
        ],
        others: &[
            ("DELETE /api/configs/jwt-customizer/{tokenTypePath}", "as switching a plugin off"),
            ("POST /api/configs/jwt-customizer/test", READS),
        ],
    },
    group(
        "secrets of plugins",
        &["PUT /api/plugins/{name}/secrets/{secret}", "DELETE /api/plugins/{name}/secrets/{secret}"],
    ),
    group(
        "recordings of plugins",
        &[
            "POST /api/plugins/{name}/recordings",
            "POST /api/plugins/{name}/recordings/{id}/stop",
            "DELETE /api/plugins/{name}/recordings/{id}",
        ],
    ),
    group(
        "runs of plugins over all users",
        &[
            "POST /api/plugins/{name}/population-runs",
            "POST /api/plugins/{name}/population-runs/{id}/cancel",
            "DELETE /api/plugins/{name}/population-runs/{id}",
        ],
    ),
    group(
        "grants of plugins",
        &[
            "PUT /api/plugins/{name}/grants/http",
            "DELETE /api/plugins/{name}/grants/http",
            "PUT /api/plugins/{name}/grants/cache",
            "DELETE /api/plugins/{name}/grants/cache",
        ],
    ),
    GuardedGroup {
        what: "how people sign in",
        operations: &[
            "PUT /api/captcha-provider",
            "DELETE /api/captcha-provider",
            "POST /api/connectors",
            "PATCH /api/connectors/{id}",
            "DELETE /api/connectors/{id}",
            "POST /api/connectors/{factoryId}/test",
            "PUT /api/email-templates",
            "PATCH /api/email-templates/{id}/details",
            "DELETE /api/email-templates",
            "DELETE /api/email-templates/{id}",
            "PATCH /api/sign-in-exp",
            "POST /api/sso-connectors",
            "PATCH /api/sso-connectors/{id}",
            "DELETE /api/sso-connectors/{id}",
        ],
        others: &[
            ("POST /api/connectors/{id}/authorization-uri", READS),
            ("POST /api/sign-in-exp/preview", READS),
            ("POST /api/sign-in-exp/default/check-password", READS),
        ],
    },
    // `configs:write` is enough: `docs/decisions/people-who-administer.md` does not restrict this to `all`.
    group(
        "what people are asked and told, and what they change of their own account",
        &[
            "PATCH /api/account-center",
            "PUT /api/custom-phrases/{languageTag}",
            "DELETE /api/custom-phrases/{languageTag}",
            "POST /api/custom-profile-fields",
            "POST /api/custom-profile-fields/batch",
            "POST /api/custom-profile-fields/properties/sie-order",
            "PUT /api/custom-profile-fields/{name}",
            "DELETE /api/custom-profile-fields/{name}",
        ],
    ),
    group(
        "signing keys, id tokens and sessions",
        &[
            "PUT /api/configs/id-token",
            "PATCH /api/configs/oidc/session",
            "POST /api/configs/oidc/{keyType}/rotate",
            "DELETE /api/configs/oidc/{keyType}/{keyId}",
        ],
    ),
];
