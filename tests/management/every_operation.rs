//! Every operation of the Management API as the description has it, with ids that nothing has, the scope that opens it,
//! and a body that it takes.

use claimsmith_management as management;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Method, path and the narrow scope that opens it; `all` where none does.
pub(crate) static OPERATIONS: LazyLock<Vec<(String, String, String)>> = LazyLock::new(|| {
    let document = serde_json::to_value(management::description()).unwrap();
    let of = |(name, _): (&str, _)| {
        let (method, route) = name.split_once(' ').unwrap();
        let scopes = &document["paths"][route][method.to_lowercase()]["security"][0]["oauth2"];
        let scopes = scopes.as_array().unwrap_or_else(|| panic!("{name} has no scope"));
        let scope = scopes.last().unwrap().as_str().unwrap();
        let path: Vec<&str> = route.split('/').map(|part| argument(route, part)).collect();
        (method.to_owned(), path.join("/"), scope.to_owned())
    };
    management::operations().map(of).collect()
});

/// A value for a parameter of a path; other parts stay.
fn argument<'a>(route: &str, part: &'a str) -> &'a str {
    match part {
        "{target}" => "github",
        "{secret}" => "KEY",
        "{tokenTypePath}" => "access-token",
        "{keyType}" => "private-keys",
        "{emailDomain}" => "example.com",
        "{scopeType}" => "user-scopes",
        "{id}" if route.contains("/versions/") => "1",
        part if part.starts_with('{') => "nobody",
        part => part,
    }
}

/// A body that the operation takes; scripts and sources in it are none.
pub(crate) fn body(path: &str) -> Value {
    if path.ends_with("/grants/http") {
        return json!({ "hosts": ["api.example.com"] });
    }
    if path.ends_with("/grants/cache") {
        return json!({ "entries": 10 });
    }
    if path == "/api/plugins/nobody" {
        return json!({});
    }
    if path.ends_with("/population-runs") {
        return json!({ "version": "1", "application": "nobody" });
    }
    if path.ends_with("/recordings") {
        return json!({ "count": 1 });
    }
    if path.starts_with("/api/plugin") || path.starts_with("/api/configs") {
        return json!({
            "value": "secret", "language": "javascript", "source": "(", "script": "(", "tokenType": "access-token",
            "token": {}, "context": {},
        });
    }
    if path == "/api/captcha-provider" {
        return json!({ "config": { "type": "ProofOfWork" } });
    }
    if path.ends_with("/check-password") {
        return json!({ "password": "p" });
    }
    if path.ends_with("/mfa-verifications") {
        return json!({ "type": "Totp" });
    }
    json!({
        "customData": {}, "profile": {}, "password": "p", "userId": "x",
        "name": "name", "description": "description", "type": "MachineToMachine", "indicator": "https://orders.test",
        "isSuspended": true, "isExpired": true, "isDefault": true, "roleIds": ["x"], "scopeIds": ["x"], "userIds": ["x"], "applicationIds": ["x"],
        "events": ["User.Created"], "config": { "url": "https://receiver.test" },
        "userId": "nobody",
        "organizationScopeIds": ["x"], "organizationRoleIds": ["x"], "emailDomain": "example.com",
        "emailDomains": ["example.com"], "invitee": "ada@example.com", "organizationId": "x",
        "expiresAt": 9_000_000_000_000_i64, "status": "Revoked", "ssoConnectorIds": ["x"],
        "organizationIds": ["x"], "userRoleIds": ["x"], "organizationRoleRules": [],
    })
}
