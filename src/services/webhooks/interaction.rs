//! Webhook payloads of a sign-in: `PostRegister`, `PostSignIn`, `PostResetPassword` and `PostSignInAdaptiveMfaTriggered`,
//! and of changes during a sign-in.

use claimsmith_domain::clock::iso8601;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::interaction::InteractionEvent;
use claimsmith_domain::origin::RequestOrigin;
use serde::Serialize;
use serde_json::{Map, Value};
use std::net::IpAddr;

/// One sign-in.
#[derive(Clone, Debug)]
pub struct Interaction {
    /// What the person set out to do.
    pub event: InteractionEvent,
    /// Its id.
    pub session_id: String,
    /// Who it turned out to be.
    pub user_id: UserId,
    /// The user, as webhooks show users.
    pub user: Value,
    /// The application that asked: id, type, name and description; none for one of the server's own.
    pub application: Option<Value>,
}

/// The body in the order of its members; those without a value are not there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'e> {
    event: EventType,
    interaction_event: InteractionEvent,
    created_at: String,
    session_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_agent: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_ip: Option<IpAddr>,
    user_id: &'e str,
    user: &'e Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    application: Option<&'e Value>,
    #[serde(flatten)]
    details: &'e Map<String, Value>,
}

impl Interaction {
    /// The body of an event that is about the sign-in itself.
    pub(super) fn payload(
        &self,
        event: EventType,
        origin: &RequestOrigin,
        now: i64,
        details: &Map<String, Value>,
    ) -> Result<String, serde_json::Error> {
        serde_json::to_string(&Body {
            event,
            interaction_event: self.event,
            created_at: iso8601(now),
            session_id: &self.session_id,
            user_agent: origin.user_agent.as_deref(),
            user_ip: origin.ip,
            user_id: &self.user_id,
            user: &self.user,
            application: self.application.as_ref(),
            details,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhooks::Event;
    use serde_json::json;

    fn interaction(event: InteractionEvent) -> Interaction {
        Interaction {
            event,
            session_id: "s1".to_owned(),
            user_id: "u1".into(),
            user: json!({ "id": "u1", "username": "ada" }),
            application: Some(json!({ "id": "a1", "type": "SPA", "name": "Shop" })),
        }
    }

    fn origin() -> RequestOrigin {
        RequestOrigin {
            user_agent: Some("Firefox".to_owned()),
            ip: "192.0.2.7".parse().ok(),
            ..RequestOrigin::default()
        }
    }

    fn told(event: &Event) -> Result<String, serde_json::Error> {
        Ok(event.row("e1".to_owned(), &origin(), 1_795_257_406_123)?.payload)
    }

    #[test]
    fn each_event_of_a_sign_in_says_who_it_was_and_where() -> Result<(), serde_json::Error> {
        for (kind, event, expected) in [
            (EventType::PostRegister, InteractionEvent::Register, r#""PostRegister","interactionEvent":"Register""#),
            (EventType::PostSignIn, InteractionEvent::SignIn, r#""PostSignIn","interactionEvent":"SignIn""#),
            (
                EventType::PostResetPassword,
                InteractionEvent::ForgotPassword,
                r#""PostResetPassword","interactionEvent":"ForgotPassword""#,
            ),
        ] {
            let event = Event::during(kind, interaction(event));
            assert_eq!(event.entity(&origin()).as_deref(), Some("user:u1"));
            let rest = r#""createdAt":"2026-11-21T10:36:46.123Z","sessionId":"s1","userAgent":"Firefox","userIp":"192.0.2.7","userId":"u1","user":{"id":"u1","username":"ada"},"application":{"id":"a1","type":"SPA","name":"Shop"}}"#;
            assert_eq!(told(&event)?, format!(r#"{{"event":{expected},{rest}"#));
        }
        Ok(())
    }

    #[test]
    fn a_change_during_a_sign_in_names_it() -> Result<(), serde_json::Error> {
        let event = Event::during(EventType::UserCreated, interaction(InteractionEvent::Register));
        let event = event.data(&json!({ "id": "u1" }))?;
        assert_eq!(
            told(&event)?,
            r#"{"event":"User.Created","createdAt":"2026-11-21T10:36:46.123Z","userAgent":"Firefox","interactionEvent":"Register","applicationId":"a1","sessionId":"s1","ip":"192.0.2.7","application":{"id":"a1","type":"SPA","name":"Shop"},"data":{"id":"u1"}}"#
        );
        Ok(())
    }
}
