//! The table of the decision, operation by operation, beside the scope that a machine needs for the same: who may use it
//! and how recently they have to have signed in follow from that scope, but for what is named here.

use super::guarded_groups::{GROUPS, GuardedGroup};
use claimsmith_domain::console::ConsoleRole::{self, Admin, Developer, Read, Support};
use claimsmith_domain::console::SignInAge::{self, Any, Recent, RecentIfAsked};
use claimsmith_domain::console::{ConsoleRoles, Operation};
use claimsmith_management as management;
use std::collections::BTreeSet;

/// How support helps users.
const HELP: [&str; 7] = [
    "POST /api/sentinel-activities/delete",
    "DELETE /api/users/{userId}/grants/{grantId}",
    "PATCH /api/users/{userId}/is-suspended",
    "DELETE /api/users/{userId}/sessions/{sessionId}",
    "DELETE /api/users/{userId}/trusted-devices/{trustedDeviceId}",
    "POST /api/verification-codes",
    "POST /api/verification-codes/verify",
];
/// How a user is created and changed, but for what lets somebody in.
const CHANGES_OF_USERS: [&str; 6] = [
    "POST /api/users",
    "POST /api/users/import",
    "PATCH /api/users/{userId}",
    "PATCH /api/users/{userId}/custom-data",
    "PATCH /api/users/{userId}/logto-configs",
    "PATCH /api/users/{userId}/profile",
];
/// What the request itself decides.
const IF_ASKED: [&str; 9] = [
    "POST /api/applications",
    "PATCH /api/applications/{id}",
    "PATCH /api/organization-roles/{id}",
    "PATCH /api/organization-scopes/{id}",
    "PATCH /api/plugins/{name}",
    "PUT /api/plugins/{name}",
    "PATCH /api/resources/{resourceId}/scopes/{scopeId}",
    "POST /api/roles",
    "PATCH /api/roles/{id}",
];

/// Who may use an operation with this scope.
fn roles(name: &str, scope: &str) -> &'static [ConsoleRole] {
    match (scope, name) {
        (_, "GET /api/plugins/{name}/logs") => &[Developer, Admin],
        (_, "GET /api/users/export") => &[Admin],
        ("plugins:write", secret) if secret.contains("/secrets/") => &[Admin],
        // In the name of a user.
        ("applications:write", consent) if consent.contains("/consent-organizations") => &[Admin],
        ("applications:write" | "resources:write" | "hooks:write" | "plugins:recordings" | "plugins:write", _) => {
            &[Developer, Admin]
        }
        ("subject-tokens:write", _) => &[Support, Admin],
        ("users:write", help) if HELP.contains(&help) => &[Support, Admin],
        (read, _) if read.ends_with(":read") && read != "configs:read" => &ConsoleRole::ALL,
        _ => &[Admin],
    }
}

/// How recently they have to have signed in.
fn sign_in(name: &str, scope: &str) -> SignInAge {
    let (method, path) = name.split_once(' ').unwrap();
    let is_marked = match scope {
        "all" | "subject-tokens:write" | "plugins:recordings" | "plugins:grant" | "configs:write" => true,
        "users:write" => !HELP.contains(&name) && !CHANGES_OF_USERS.contains(&name),
        // Whoever gets a role; not what it carries.
        "roles:write" => path.contains("/users") || path.contains("/applications"),
        "organizations:write" => path.contains("-invitations") || path.contains("/roles"),
        "applications:write" | "resources:write" | "hooks:write" | "plugins:write" => {
            let is_script = path.contains("/jwt-customizer/{") && method != "DELETE";
            let marked = [
                "/secrets",
                "/signing-key",
                "/sign-in-experience",
                "/activate",
                "/rollout",
                "/breaker/close",
                "/access-control",
                "/user-consent-scopes",
                "/consent-organizations",
            ];
            is_script || marked.iter().any(|part| path.contains(part))
        }
        _ => name == "GET /api/users/export",
    };
    if IF_ASKED.contains(&name) {
        RecentIfAsked
    } else if is_marked {
        Recent
    } else {
        Any
    }
}

#[test]
fn each_operation_is_in_the_line_of_its_scope() {
    let document = serde_json::to_value(management::description()).unwrap();
    for (name, found) in management::operations() {
        let (method, path) = name.split_once(' ').unwrap();
        let operation = &document["paths"][path][method.to_lowercase()];
        // Where no narrower scope does, it is `all`.
        let scopes = operation["security"][0]["oauth2"].as_array().unwrap_or_else(|| panic!("{name} has no scope"));
        let scope = scopes.last().and_then(|scope| scope.as_str()).unwrap();
        let expected = Operation { roles: ConsoleRoles::of(roles(name, scope)), sign_in: sign_in(name, scope) };
        assert_eq!(found, expected, "{name} {scope}");
    }
}

#[test]
fn operations_that_write_the_same_need_the_same_scope() {
    let document = serde_json::to_value(management::description()).unwrap();
    let scope = |name: &str| {
        let (method, path) = name.split_once(' ').unwrap();
        let operation = &document["paths"][path][method.to_lowercase()];
        // Where no narrower scope does, it is `all`.
        let scopes = operation["security"][0]["oauth2"].as_array().unwrap_or_else(|| panic!("{name} has no scope"));
        scopes.last().and_then(|scope| scope.as_str()).unwrap().to_owned()
    };
    for GuardedGroup { what, operations, .. } in GROUPS {
        let scopes: BTreeSet<String> = operations.iter().map(|name| scope(name)).collect();
        assert_eq!(scopes.len(), 1, "{what}: {scopes:?}");
    }
}

#[test]
fn administrators_may_use_everything_and_readers_change_nothing() {
    for (name, operation) in management::operations() {
        assert!(operation.roles.has(Admin), "{name}");
        if operation.roles.has(Read) {
            assert!(name.starts_with("GET ") && operation.sign_in == Any, "{name}");
        }
        // The export of all users, and samples of calls, need more than a read role.
        let more = [
            "GET /api/users/export",
            "GET /api/plugins/{name}/recordings/{id}/samples",
            "GET /api/plugins/{name}/population-runs/{id}/differences",
            "GET /api/plugins/{name}/rollout/samples",
        ];
        let is_mere_read = name.starts_with("GET ") && !more.contains(&name);
        assert!(!is_mere_read || operation.sign_in == Any, "{name} only reads");
    }
}

#[test]
fn each_line_of_the_decision_is_kept() {
    let (all, help, make, rule): (&[_], &[_], &[_], &[_]) =
        (&ConsoleRole::ALL, &[Support, Admin], &[Developer, Admin], &[Admin]);
    for (name, roles, sign_in) in [
        ("GET /api/users/{userId}", all, Any),
        ("GET /api/plugins/{name}", all, Any),
        ("GET /api/logs", all, Any),
        ("GET /api/sign-in-exp", rule, Any),
        ("POST /api/sentinel-activities/delete", help, Any),
        ("PATCH /api/users/{userId}/is-suspended", help, Any),
        ("DELETE /api/users/{userId}/sessions/{sessionId}", help, Any),
        ("POST /api/verification-codes", help, Any),
        ("POST /api/verification-codes/verify", help, Any),
        ("POST /api/users", rule, Any),
        ("PATCH /api/users/{userId}", rule, Any),
        ("DELETE /api/users/{userId}", rule, Recent),
        ("PATCH /api/users/{userId}/password", rule, Recent),
        ("POST /api/users/{userId}/mfa-verifications", rule, Recent),
        ("POST /api/subject-tokens", help, Recent),
        ("DELETE /api/impersonations/{id}", help, Recent),
        ("PATCH /api/applications/{id}", make, RecentIfAsked),
        ("POST /api/applications/{id}/secrets", make, Recent),
        ("POST /api/resources", make, Any),
        ("PATCH /api/hooks/{id}", make, Any),
        ("PUT /api/plugins/{name}", make, RecentIfAsked),
        ("POST /api/plugins/{name}/versions/{id}/activate", make, Recent),
        ("POST /api/plugins/{name}/breaker/close", make, Recent),
        ("POST /api/plugins/{name}/rollout", make, Recent),
        ("PATCH /api/plugins/{name}/rollout", make, Recent),
        ("GET /api/plugins/{name}/rollout/samples", make, Recent),
        ("GET /api/plugins/{name}/logs", make, Any),
        ("POST /api/plugins/test", make, Any),
        ("POST /api/plugins/{name}/recordings", make, Recent),
        ("GET /api/plugins/{name}/recordings/{id}/samples", make, Recent),
        ("GET /api/plugins/{name}/recordings", all, Any),
        ("POST /api/plugins/{name}/population-runs", make, Recent),
        ("GET /api/plugins/{name}/population-runs/{id}/differences", make, Recent),
        ("GET /api/plugins/{name}/population-runs/{id}", all, Any),
        ("PUT /api/plugins/{name}/secrets/{secret}", rule, Recent),
        ("PUT /api/plugins/{name}/grants/http", rule, Recent),
        ("PATCH /api/roles/{id}", rule, RecentIfAsked),
        ("PATCH /api/resources/{resourceId}/scopes/{scopeId}", make, RecentIfAsked),
        ("PATCH /api/organizations/{id}", rule, Any),
        ("PUT /api/users/{userId}/roles", rule, Recent),
        ("POST /api/organization-invitations", rule, Recent),
        ("PATCH /api/sign-in-exp", rule, Recent),
        ("POST /api/connectors", rule, Recent),
        ("DELETE /api/sso-connectors/{id}", rule, Recent),
        ("POST /api/configs/oidc/{keyType}/rotate", rule, Recent),
    ] {
        let (method, route) = name.split_once(' ').unwrap();
        let expected = Operation { roles: ConsoleRoles::of(roles), sign_in };
        assert_eq!(management::operation(method, route), Some(expected), "{name}");
    }
}

/// What an operation of a group needs.
fn needs(name: &str) -> Operation {
    let (method, route) = name.split_once(' ').unwrap();
    management::operation(method, route).unwrap_or_else(|| panic!("there is no {name}"))
}

#[test]
fn operations_that_write_the_same_need_the_same() {
    for GuardedGroup { what, operations, others } in GROUPS {
        let expected = needs(operations[0]);
        for name in *operations {
            assert_eq!(needs(name), expected, "{what}: {name} is a way around {}", operations[0]);
        }
        for (name, why) in *others {
            assert_ne!(needs(name), expected, "{name} needs the same: {why}");
        }
    }
}

#[test]
fn every_operation_that_writes_is_in_one_group() {
    let names = |group: &GuardedGroup| -> Vec<&str> {
        group.operations.iter().copied().chain(group.others.iter().map(|(name, _)| *name)).collect()
    };
    let grouped: Vec<&str> = GROUPS.iter().flat_map(names).collect();
    let set: BTreeSet<&str> = grouped.iter().copied().collect();
    assert_eq!(set.len(), grouped.len(), "each once");
    let writes: BTreeSet<&str> =
        management::operations().map(|(name, _)| name).filter(|name| !name.starts_with("GET ")).collect();
    let (missing, stale) = (writes.difference(&set), set.difference(&writes));
    assert_eq!((missing.collect::<Vec<_>>(), stale.collect::<Vec<_>>()), (vec![], vec![]), "missing, stale");
}
