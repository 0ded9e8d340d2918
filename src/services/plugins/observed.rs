//! Observers of finished calls for tokens and deliveries; previews, tests and trials are not observed. An observer never
//! waits, and nothing waits for it.

use super::{
    ids::is_id,
    recordings::{FinishedCall, Recorder, SeenInput},
    registry::{RegistryEntry, ServingVersion},
    tape::Tape,
};
use claimsmith_runtime::{CallError, ClaimsRequest, HttpAccess, TransformRequest};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// One finished call.
pub(super) struct Observed<'a> {
    /// The plugin.
    pub(super) entry: &'a RegistryEntry,
    /// The version that was called.
    pub(super) version: &'a ServingVersion,
    /// The user's id, if there is one.
    pub(super) user: Option<&'a str>,
    /// The client id, if there is one.
    pub(super) application: Option<&'a str>,
    /// What it was given.
    pub(super) input: ObservedInput<'a>,
    /// What it answered: the claims; of a delivery `body`, `headers` and `path`, or `drop`.
    pub(super) result: Result<Value, &'a CallError>,
    /// Wall-clock time.
    pub(super) duration: Duration,
    /// Where the host counts them.
    pub(super) instructions: Option<u64>,
    /// What other servers answered, if an observer wanted it.
    pub(super) http: Option<&'a Tape>,
}

/// What a plugin was given.
pub(super) enum ObservedInput<'a> {
    /// A token.
    Claims(&'a ClaimsRequest),
    /// A delivery.
    Transform(&'a TransformRequest),
}

/// All observers.
#[derive(Default)]
pub(super) struct Observers {
    pub(super) recorder: Recorder,
}

/// That a call is observed, and what of it.
pub(super) struct Watch {
    /// Where the answers of other servers are kept.
    pub(super) http: Option<Arc<Tape>>,
}

impl Observers {
    /// Whether anybody observes calls of this plugin: otherwise nothing is kept of them.
    pub(super) fn watch(&self, plugin: &str) -> Option<Watch> {
        let keeps_http = self.recorder.watches(plugin)?;
        Some(Watch { http: keeps_http.then(Arc::default) })
    }

    /// Takes note of a call.
    pub(super) fn see(&self, observed: &Observed<'_>) {
        let Observed { entry, version, .. } = observed;
        let mask = |text: &str| version.secrets.mask(text).into_owned();
        let (outcome, message) = match &observed.result {
            Ok(_) => ("ok", None),
            Err(CallError::Denied(text)) => ("denied", Some(mask(text))),
            Err(error) => (error.outcome(), Some(mask(&error.to_string()))),
        };
        self.recorder.see(&FinishedCall {
            plugin: &entry.name,
            version: version.number,
            digest: &version.digest,
            user: observed.user,
            application: observed.application,
            input: match observed.input {
                ObservedInput::Claims(request) => SeenInput::of_token(request),
                ObservedInput::Transform(request) => SeenInput::of_delivery(request),
            },
            outcome,
            answer: observed.result.as_ref().ok(),
            message,
            duration: observed.duration,
            instructions: observed.instructions,
            http: observed.http,
        });
    }
}

impl Watch {
    /// The access to other servers, of which it keeps the answers if an observer wants them.
    pub(super) fn of_http(&self, access: Option<HttpAccess>) -> Option<HttpAccess> {
        let access = access?;
        Some(match &self.http {
            Some(tape) => tape.over(access),
            None => access,
        })
    }
}

/// Whom an event is about: `userId`, the user of a `User.*` event or of one that shows them.
pub(super) fn user_of(event: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Payload {
        #[serde(default)]
        event: Option<String>,
        #[serde(default)]
        user_id: Option<String>,
        #[serde(default)]
        user: Option<Entity>,
        #[serde(default)]
        params: Option<Params>,
        #[serde(default)]
        data: Option<Value>,
    }
    #[derive(Deserialize)]
    struct Entity {
        #[serde(default)]
        id: Option<String>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Params {
        #[serde(default)]
        user_id: Option<String>,
    }
    let event: Payload = claimsmith_runtime::json::read(event, claimsmith_runtime::json::STORED).ok()?;
    let is_of_user = event.event.as_deref().is_some_and(|name| name.starts_with("User."));
    let of_data = || event.data.as_ref()?.get("id")?.as_str().filter(|_| is_of_user).map(str::to_owned);
    let shown = || event.user.as_ref()?.id.clone();
    let of_route = || event.params.as_ref()?.user_id.clone();
    event.user_id.clone().or_else(of_data).or_else(shown).or_else(of_route).filter(|id| is_id(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_says_whom_it_is_about() {
        for (event, user) in [
            (r#"{"event":"User.Created","data":{"id":"u1"}}"#, Some("u1")),
            (r#"{"event":"PostSignIn","userId":"u2","data":{"id":"x"}}"#, Some("u2")),
            (r#"{"event":"PostSignIn","user":{"id":"u3"}}"#, Some("u3")),
            (r#"{"event":"User.Deleted","params":{"userId":"u4"},"data":null}"#, Some("u4")),
            (r#"{"event":"Role.Created","data":{"id":"r1"}}"#, None),
            (r#""a text""#, None),
            (r#"{"event":7}"#, None),
            (r#"{"event":"User.Created","data":{"id":"u\u00005"}}"#, None),
        ] {
            assert_eq!(user_of(event).as_deref(), user, "{event}");
        }
    }
}
