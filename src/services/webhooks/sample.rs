//! Sample events, for the event catalogue and for test deliveries.

use super::interaction::Interaction;
use super::payload::Event;
use claimsmith_domain::event::EventType;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_domain::origin::{RequestOrigin, Route};
use serde_json::{Map, Value, json};

/// The payload of a trial, JSON text without the id of the hook.
pub fn trial(event: EventType, now: i64) -> Result<String, serde_json::Error> {
    let fake = match event.family() {
        None if event == EventType::PostSignInAdaptiveMfaTriggered => {
            let rule = json!({ "rule": "new_device", "details": { "windowDays": 180 } });
            let result = json!({ "requiresMfa": true, "triggeredRules": [rule] });
            Event::during(event, fake_interaction(event)).with("adaptiveMfaResult", result)
        }
        None => Event::during(event, fake_interaction(event)),
        Some(_) => Event::new(event, 200_u16).data(&json!({ "result": "success" }))?,
    };
    let route = Route {
        path: "/fake-path/fake-id".to_owned(),
        method: "POST".to_owned(),
        params: Map::from_iter([("id".to_owned(), json!("fake-id"))]),
        matched_route: "/fake-path/:id".to_owned(),
    };
    let route = event.family().map(|_| route);
    let origin = RequestOrigin { user_agent: Some("fake-user-agent".to_owned()), route, ..RequestOrigin::default() };
    Ok(fake.row("fake-id".to_owned(), &origin, now)?.payload)
}

fn fake_interaction(event: EventType) -> Interaction {
    Interaction {
        event: match event {
            EventType::PostRegister => InteractionEvent::Register,
            EventType::PostResetPassword => InteractionEvent::ForgotPassword,
            _ => InteractionEvent::SignIn,
        },
        session_id: "fake-session-id".to_owned(),
        user_id: "fake-id".into(),
        user: json!({
            "id": "fake-id", "username": "fake-user", "primaryEmail": "fake-user@example.com",
            "primaryPhone": null, "name": "Fake User", "avatar": null, "customData": {}, "identities": {},
            "profile": {}, "applicationId": "fake-spa-application-id", "isSuspended": false,
            "lastSignInAt": 1_760_000_000_000_i64, "createdAt": 1_760_000_000_000_i64,
            "updatedAt": 1_760_000_000_000_i64
        }),
        application: Some(json!({
            "id": "fake-spa-application-id", "type": "SPA", "name": "Fake SPA", "description": null
        })),
    }
}

/// An example of an event, as a hook would get it.
pub fn example(event: EventType) -> Result<Value, serde_json::Error> {
    let at = 1_795_257_406_123;
    let payload = match shape(event) {
        None => trial(event, at)?,
        Some(shape) => shape.event(event)?.row("example".to_owned(), &shape.origin(), at)?.payload,
    };
    let mut body: Value = claimsmith_runtime::json::read(&payload, claimsmith_runtime::json::STORED)?;
    if let Some(members) = body.as_object_mut() {
        members.insert("hookId".to_owned(), json!("y5u0i3o8p1l6k9j4h7g2f"));
    }
    Ok(body)
}

/// A request that makes an event.
struct SampleRequest {
    method: &'static str,
    /// Such as `/users/:userId`.
    route: &'static str,
    status: u16,
    /// What the event names beside its data.
    details: &'static [(&'static str, &'static str)],
    /// Lists of ids that it carries.
    ids: &'static [&'static str],
    data: Option<Value>,
}

const ID: &str = "p4x8k2m6t0a9";

impl SampleRequest {
    fn event(&self, event: EventType) -> Result<Event, serde_json::Error> {
        let mut made = Event::new(event, self.status);
        for (name, id) in self.details {
            made = made.of(name, id);
        }
        for name in self.ids {
            made = made.ids(name, &["u7s2e5r8i1d4"]);
        }
        match &self.data {
            Some(data) => made.data(data),
            None => Ok(made),
        }
    }

    fn origin(&self) -> RequestOrigin {
        let names = self.route.split('/').filter_map(|part| part.strip_prefix(':'));
        let path = self.route.split('/').map(|part| if part.starts_with(':') { ID } else { part });
        let route = Route {
            path: path.collect::<Vec<_>>().join("/"),
            method: self.method.to_owned(),
            params: names.map(|name| (name.to_owned(), json!(ID))).collect(),
            matched_route: self.route.to_owned(),
        };
        RequestOrigin { user_agent: Some("node".to_owned()), route: Some(route), ..RequestOrigin::default() }
    }
}

/// The request of the Management API that makes this event; none for events of a sign-in, and those that no request
/// makes.
fn shape(event: EventType) -> Option<SampleRequest> {
    let user = || {
        json!({
            "id": ID, "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": null,
            "name": "Ada Lovelace", "avatar": null, "customData": { "plan": "gold" }, "identities": {},
            "profile": {}, "applicationId": null, "isSuspended": event == EventType::UserSuspensionStatusUpdated,
            "lastSignInAt": null, "createdAt": 1_795_257_000_000_i64, "updatedAt": 1_795_257_406_000_i64
        })
    };
    let named = || json!({ "tenantId": "default", "id": ID, "name": "readers", "description": "May read" });
    let role = || {
        json!({ "tenantId": "default", "id": ID, "name": "readers", "description": "May read",
                          "type": "User", "isDefault": false })
    };
    let scope = || {
        json!({ "tenantId": "default", "id": ID, "resourceId": "r3e6s9o2u5r8", "name": "read:invoices",
                           "description": "Read invoices", "createdAt": 1_795_257_000_000_i64 })
    };
    let organization = || {
        json!({ "tenantId": "default", "id": ID, "name": "Example Ltd", "description": null,
                                  "customData": {}, "isMfaRequired": false, "createdAt": 1_795_257_000_000_i64 })
    };
    let of = |method, route, status, data| SampleRequest { method, route, status, details: &[], ids: &[], data };
    Some(match event {
        EventType::UserCreated => of("POST", "/users", 200, Some(user())),
        EventType::UserDeleted => of("DELETE", "/users/:userId", 204, Some(user())),
        EventType::UserDataUpdated => of("PATCH", "/users/:userId", 200, Some(user())),
        EventType::UserSuspensionStatusUpdated => of("PATCH", "/users/:userId/is-suspended", 200, Some(user())),
        EventType::UserRolesUpdated => SampleRequest {
            details: &[("userId", ID)],
            ids: &["addedRoleIds"],
            ..of("POST", "/users/:userId/roles", 201, None)
        },
        EventType::RoleCreated => of("POST", "/roles", 200, Some(role())),
        EventType::RoleDeleted => of("DELETE", "/roles/:id", 204, None),
        EventType::RoleDataUpdated => of("PATCH", "/roles/:id", 200, Some(role())),
        EventType::RoleScopesUpdated => of("POST", "/roles/:id/scopes", 201, Some(json!([scope()]))),
        EventType::ScopeCreated => of("POST", "/resources/:resourceId/scopes", 201, Some(scope())),
        EventType::ScopeDeleted => of("DELETE", "/resources/:resourceId/scopes/:scopeId", 204, None),
        EventType::ScopeDataUpdated => of("PATCH", "/resources/:resourceId/scopes/:scopeId", 200, Some(scope())),
        EventType::OrganizationCreated => of("POST", "/organizations", 201, Some(organization())),
        EventType::OrganizationDeleted => of("DELETE", "/organizations/:id", 204, None),
        EventType::OrganizationDataUpdated => of("PATCH", "/organizations/:id", 200, Some(organization())),
        EventType::OrganizationMembershipUpdated => SampleRequest {
            details: &[("organizationId", ID)],
            ids: &["addedUserIds"],
            ..of("POST", "/organizations/:id/users", 201, None)
        },
        EventType::OrganizationMembershipRolesUpdated => SampleRequest {
            details: &[("organizationId", ID), ("userId", "u7s2e5r8i1d4")],
            ids: &["addedOrganizationRoleIds"],
            ..of("POST", "/organizations/:id/users/:userId/roles", 201, None)
        },
        EventType::OrganizationRoleCreated => of("POST", "/organization-roles", 201, Some(named())),
        EventType::OrganizationRoleDeleted => of("DELETE", "/organization-roles/:id", 204, None),
        EventType::OrganizationRoleDataUpdated => of("PATCH", "/organization-roles/:id", 200, Some(named())),
        EventType::OrganizationRoleScopesUpdated => of("POST", "/organization-roles/:id/scopes", 201, None),
        EventType::OrganizationScopeCreated => of("POST", "/organization-scopes", 201, Some(named())),
        EventType::OrganizationScopeDeleted => of("DELETE", "/organization-scopes/:id", 204, None),
        EventType::OrganizationScopeDataUpdated => of("PATCH", "/organization-scopes/:id", 200, Some(named())),
        EventType::PostRegister
        | EventType::PostSignIn
        | EventType::PostResetPassword
        | EventType::PostSignInAdaptiveMfaTriggered
        | EventType::TrustedDeviceCreated
        | EventType::TrustedDeviceDeleted
        | EventType::IdentifierLockout
        | EventType::MessageRateLimited
        | EventType::GrantLimitExceeded
        | EventType::PluginBreakerOpened
        | EventType::PluginBreakerClosed => return None,
    })
}
