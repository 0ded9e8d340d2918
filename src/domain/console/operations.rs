//! What an administrator needs for an operation of the Management API: a role, and for some a recent sign-in.

use super::operation_rule::{OperationRule, SignInAge};
use super::roles::ConsoleRoles;
use super::table::TABLE;
use std::collections::HashMap;
use std::sync::LazyLock;

/// How long a sign-in counts as recent, in milliseconds: ten minutes.
pub const RECENT_MS: i64 = 10 * 60_000;

/// What an operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// One of these roles.
    pub roles: ConsoleRoles,
    /// The required age of the sign-in.
    pub sign_in: SignInAge,
}

impl Operation {
    /// What this operation needs, by method and route as in the OpenAPI description. `None`: no administrator may use
    /// it.
    #[must_use]
    pub fn find(method: &str, route: &str) -> Option<Self> {
        OPERATIONS.get(&(method, route)).copied()
    }
}

static OPERATIONS: LazyLock<HashMap<(&str, &str), Operation>> = LazyLock::new(|| {
    let of_rule = |line: &'static OperationRule| {
        let operation = Operation { roles: ConsoleRoles::of(line.roles), sign_in: line.sign_in };
        line.operations.iter().filter_map(move |text| Some((text.split_once(' ')?, operation)))
    };
    TABLE.iter().flat_map(of_rule).collect()
});

/// Every operation of the table, as `METHOD route`, with what it needs.
pub fn all() -> impl Iterator<Item = (&'static str, Operation)> {
    TABLE.iter().flat_map(|line| {
        let operation = Operation { roles: ConsoleRoles::of(line.roles), sign_in: line.sign_in };
        line.operations.iter().map(move |text| (*text, operation))
    })
}

#[cfg(test)]
mod tests {
    use super::super::roles::ConsoleRole;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_operation_is_there_once_and_found() {
        let names: Vec<&str> = all().map(|(name, _)| name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "each once");
        for (name, operation) in all() {
            let (method, route) = name.split_once(' ').unwrap_or_default();
            assert_eq!(Operation::find(method, route), Some(operation), "{name}");
            assert!(route.starts_with("/api/"), "{name}");
        }
        assert_eq!(Operation::find("GET", "/api/unheard-of"), None);
        assert_eq!(Operation::find("DELETE", "/api/users"), None, "another method is another operation");
    }

    #[test]
    fn administrators_may_use_everything_and_readers_change_nothing() {
        for (name, operation) in all() {
            assert!(operation.roles.has(ConsoleRole::Admin), "{name}");
            if operation.roles.has(ConsoleRole::Read) {
                assert!(name.starts_with("GET ") && operation.sign_in == SignInAge::Any, "{name}");
            }
            // The export of all users needs more than a read role.
            let is_mere_read = name.starts_with("GET ") && name != "GET /api/users/export";
            assert!(!is_mere_read || operation.sign_in == SignInAge::Any, "{name} only reads");
        }
    }

    #[test]
    fn each_line_of_the_decision_is_kept() {
        use ConsoleRole::{Admin, Developer, Support};
        use SignInAge::{Any, Recent, RecentIfAsked};
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
            ("GET /api/plugins/{name}/logs", make, Any),
            ("POST /api/plugins/test", make, Any),
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
            let (method, route) = name.split_once(' ').unwrap_or_default();
            let expected = Operation { roles: ConsoleRoles::of(roles), sign_in };
            assert_eq!(Operation::find(method, route), Some(expected), "{name}");
        }
    }
}
