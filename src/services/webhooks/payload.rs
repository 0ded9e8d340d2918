//! The payload of an event: who changed what, by which request, and the new data.

use super::interaction::Interaction;
use claimsmith_domain::clock::iso8601;
use claimsmith_domain::event::EventType;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_storage::hooks;
use serde::Serialize;
use serde_json::{Map, Value};
use std::net::IpAddr;

/// The most ids that an event lists.
const MAX_IDS: usize = 5000;
/// The largest body, with room for the id of the hook.
const MAX_PAYLOAD_BYTES: usize = super::delivery::MAX_BODY_BYTES - 256;

/// Something that happened.
#[derive(Debug)]
pub struct Event {
    kind: EventType,
    /// Status of the answer to the request that did it.
    status: u16,
    details: Map<String, Value>,
    data: Option<Value>,
    interaction: Option<Interaction>,
}

/// The body in the order of its members; those without a value are not there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'e> {
    event: EventType,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_agent: Option<&'e str>,
    #[serde(flatten)]
    interaction: Option<InteractionRef<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ip: Option<IpAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    application: Option<&'e Value>,
    #[serde(flatten)]
    route: Option<AnsweredRoute<'e>>,
    #[serde(flatten)]
    details: &'e Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'e Value>,
    /// Set if the data are too large for the payload.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    data_omitted: bool,
}

/// The sign-in during which something changed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InteractionRef<'e> {
    interaction_event: InteractionEvent,
    #[serde(skip_serializing_if = "Option::is_none")]
    application_id: Option<&'e Value>,
    session_id: &'e str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnsweredRoute<'e> {
    path: &'e str,
    method: &'e str,
    status: u16,
    params: &'e Map<String, Value>,
    matched_route: &'e str,
}

impl Event {
    /// An event of a request that is answered with this status.
    #[must_use]
    pub fn new(kind: EventType, status: impl Into<u16>) -> Self {
        Self { kind, status: status.into(), details: Map::new(), data: None, interaction: None }
    }

    /// An event during a sign-in, which no request of the Management API asked for.
    #[must_use]
    pub fn during(kind: EventType, interaction: Interaction) -> Self {
        Self { interaction: Some(interaction), ..Self::new(kind, 200_u16) }
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> EventType {
        self.kind
    }

    /// What there is now.
    pub fn data(mut self, data: &impl Serialize) -> Result<Self, serde_json::Error> {
        self.data = Some(serde_json::to_value(data)?);
        Ok(self)
    }

    /// The entity that it is about, where the event names it, such as `organizationId`.
    #[must_use]
    pub fn of(mut self, name: &str, id: &str) -> Self {
        self.details.insert(name.to_owned(), Value::from(id));
        self
    }

    /// A count, such as `maxAllowedGrants`.
    #[must_use]
    pub fn count(mut self, name: &str, count: u64) -> Self {
        self.details.insert(name.to_owned(), Value::from(count));
        self
    }

    /// Added or removed ids, such as `addedUserIds`: at most 5000; absent if there are none.
    #[must_use]
    pub fn ids(mut self, name: &str, ids: &[impl AsRef<str>]) -> Self {
        if !ids.is_empty() {
            let ids: Vec<&str> = ids.iter().take(MAX_IDS).map(AsRef::as_ref).collect();
            self.details.insert(name.to_owned(), Value::from(ids));
        }
        self
    }

    /// The entity that it is about, such as `user:ID`, for hooks with ordered delivery.
    pub(super) fn entity(&self, origin: &RequestOrigin) -> Option<String> {
        let (entity, id_name) = match self.kind.family() {
            None | Some("User" | "TrustedDevice" | "Grant") => ("user", "userId"),
            Some("Identifier") => ("identifier", "value"),
            Some("Message") => ("recipient", "recipient"),
            Some("Role") => ("role", "roleId"),
            Some("Scope") => ("scope", "scopeId"),
            Some("Organization") => ("organization", "organizationId"),
            Some("OrganizationRole") => ("organization-role", "organizationRoleId"),
            Some(_) => ("organization-scope", "organizationScopeId"),
        };
        let of_route = |name: &str| origin.route.as_ref()?.params.get(name);
        let of_interaction = || self.interaction.as_ref().map(|interaction| interaction.user_id.as_str());
        let id = self.details.get(id_name).or_else(|| of_route(id_name)).or_else(|| of_route("id"));
        let of_data = || self.data.as_ref()?.get("id")?.as_str();
        let id = id.and_then(Value::as_str).or_else(of_interaction).or_else(of_data)?;
        Some(format!("{entity}:{id}"))
    }

    /// As it is stored.
    pub(super) fn row(
        &self,
        id: String,
        origin: &RequestOrigin,
        now: i64,
    ) -> Result<hooks::outbox::OutboxEvent, serde_json::Error> {
        let payload = match &self.interaction {
            Some(interaction) if self.kind.family().is_none() => interaction.payload(self.kind, origin, now)?,
            _ => {
                let whole = serde_json::to_string(&self.body(origin, now, self.data.as_ref()))?;
                if whole.len() > MAX_PAYLOAD_BYTES {
                    serde_json::to_string(&self.body(origin, now, None))?
                } else {
                    whole
                }
            }
        };
        Ok(hooks::outbox::OutboxEvent { id, kind: self.kind.as_str().to_owned(), payload, created_at: now })
    }

    fn body<'e>(&'e self, origin: &'e RequestOrigin, now: i64, data: Option<&'e Value>) -> Body<'e> {
        let interaction = self.interaction.as_ref();
        Body {
            event: self.kind,
            created_at: iso8601(now),
            user_agent: origin.user_agent.as_deref(),
            interaction: interaction.map(|interaction| InteractionRef {
                interaction_event: interaction.event,
                application_id: interaction.application.as_ref().and_then(|application| application.get("id")),
                session_id: &interaction.session_id,
            }),
            ip: origin.ip,
            application: interaction.and_then(|interaction| interaction.application.as_ref()),
            route: origin.route.as_ref().map(|route| AnsweredRoute {
                path: &route.path,
                method: &route.method,
                status: self.status,
                params: &route.params,
                matched_route: &route.matched_route,
            }),
            details: &self.details,
            data,
            data_omitted: self.data.is_some() && data.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_domain::origin::Route;
    use serde_json::json;

    #[test]
    fn members_stand_in_their_order_and_empty_ones_are_left_out() -> Result<(), serde_json::Error> {
        let route = Route {
            path: "/organizations/o1/users".to_owned(),
            method: "POST".to_owned(),
            params: Map::from_iter([("id".to_owned(), json!("o1"))]),
            matched_route: "/organizations/:id/users".to_owned(),
        };
        let origin =
            RequestOrigin { request_id: None, user_agent: Some("curl".to_owned()), ip: None, route: Some(route) };
        let event = Event::new(EventType::OrganizationMembershipUpdated, 201_u16)
            .of("organizationId", "o1")
            .ids("addedUserIds", &["u1"])
            .ids("removedUserIds", &[""; 0]);
        assert_eq!(
            event.row("e1".to_owned(), &origin, 1_795_257_406_123)?.payload,
            r#"{"event":"Organization.Membership.Updated","createdAt":"2026-11-21T10:36:46.123Z","userAgent":"curl","path":"/organizations/o1/users","method":"POST","status":201,"params":{"id":"o1"},"matchedRoute":"/organizations/:id/users","organizationId":"o1","addedUserIds":["u1"]}"#
        );
        let long =
            Event::new(EventType::UserDataUpdated, 200_u16).data(&json!({ "bio": "x".repeat(MAX_PAYLOAD_BYTES) }))?;
        assert_eq!(
            long.row("e3".to_owned(), &RequestOrigin::default(), 0)?.payload,
            r#"{"event":"User.Data.Updated","createdAt":"1970-01-01T00:00:00.000Z","dataOmitted":true}"#
        );
        let bare = Event::new(EventType::UserDeleted, 204_u16).data(&json!({ "id": "u1" }))?;
        assert_eq!(
            bare.row("e2".to_owned(), &RequestOrigin::default(), 0)?.payload,
            r#"{"event":"User.Deleted","createdAt":"1970-01-01T00:00:00.000Z","data":{"id":"u1"}}"#
        );
        Ok(())
    }
}
