//! What came back of a test: the newest refused exchange in the audit log, in plain words. A test ends in a refusal in any
//! case, since its subject token stands for no user.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::list::Paging;
use claimsmith_api::logs::LogView;
use claimsmith_domain::grant::token_exchange::{TEST_PASSED, TEST_WITHOUT_ACTOR};
use serde_json::Value;

/// The refused exchanges, the newest first.
const ENTRIES: &str = "/api/logs?logKey=ExchangeTokenBy.TokenExchange&result=Error";
/// Entries that are looked through: those of other applications may be between.
const LOOKED_AT: u64 = 50;

/// What a test has shown.
pub(super) struct Outcome {
    /// The class of its badge.
    pub(super) class: &'static str,
    pub(super) title: &'static str,
    pub(super) text: String,
    /// The page of its entry, and when it was written (Unix milliseconds); none while nothing has arrived.
    pub(super) entry: Option<(String, i64)>,
}

/// The newest refused exchanges; none if the operator may not read the audit log.
pub(super) async fn entries(caller: &Caller) -> Result<Vec<LogView>, Failure> {
    let found: Option<Vec<LogView>> = caller.get_if_allowed(&Paging::first(LOOKED_AT).of(ENTRIES)).await?;
    Ok(found.unwrap_or_default())
}

impl Outcome {
    /// The outcome for an application, of the entries that are newer than `after`.
    pub(super) fn of(entries: &[LogView], application_id: &str, after: &str) -> Self {
        let newer = || entries.iter().take_while(|entry| entry.id != after);
        let member = |entry: &LogView, name: &str| entry.payload[name].as_str().unwrap_or_default().to_owned();
        let own = newer().find(|entry| member(entry, "applicationId") == application_id);
        // A client that could not authenticate has no name in the log.
        let found = own.or_else(|| newer().find(|entry| entry.payload["applicationId"].is_null()));
        let Some(entry) = found else { return Self::nothing() };
        let error = &entry.payload["error"];
        let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
        let (class, title, text) = explain(text("code"), text("message"));
        let path = format!("/console/logs/{}", segment(&entry.id));
        Self { class, title, text, entry: Some((path, entry.created_at)) }
    }

    fn nothing() -> Self {
        Self {
            class: "warn",
            title: "Nothing arrived",
            text: "The application has not asked for an exchange since the test began. Look at the new tab. An error page \
                   of the browser: the application does not run at this address. 404: another path. 403: its protection \
                   against forged forms (CSRF) is on for this path, or it expects another origin. A sign-in page: sign in, \
                   then look again."
                .to_owned(),
            entry: None,
        }
    }
}

/// The class, the title and the explanation of a refusal.
fn explain(code: &str, message: &str) -> (&'static str, &'static str, String) {
    let (class, title, text) = match (code, message) {
        (_, TEST_PASSED) => (
            "good",
            "It works",
            "The application took the token from the form, signed you in, and asked for an exchange with your own access \
             token as the actor token. Only the test token was refused, as it has to be.",
        ),
        (_, TEST_WITHOUT_ACTOR) => (
            "warn",
            "It works without an actor",
            "The application asked for the exchange without an actor_token. Tokens would not say who acts: send the \
             operator's own access token.",
        ),
        ("invalid_client", _) => (
            "bad",
            "The client was not accepted",
            "A client asked for an exchange and could not authenticate: compare its client ID and client secret, and how \
             it sends them. The log has no name for it; it may be another application.",
        ),
        ("unauthorized_client", _) => {
            ("bad", "Not allowed", "The application may not exchange tokens: tick the box above, and save.")
        }
        ("invalid_target", _) => (
            "bad",
            "Another API",
            "The parameter resource has to be the identifier of one API resource of this server, and not its own API.",
        ),
        (_, "invalid actor token") => (
            "bad",
            "The actor token was not accepted",
            "It has to be a live access token of the operator that this application got at its sign-in, not one of an \
             exchange or of a machine.",
        ),
        (_, "actor token must have openid scope") => (
            "bad",
            "The actor token lacks openid",
            "Request the scope openid, and no resource, when the operator signs in.",
        ),
        (_, "subject token is invalid") => (
            "warn",
            "Another subject token",
            "The application presented a token that is neither the test's nor valid: an older one, or one that was used.",
        ),
        _ => return ("bad", "The request was refused", format!("The server answered {code}: {message}.")),
    };
    (class, title, text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(id: &str, application_id: Option<&str>, code: &str, message: &str) -> LogView {
        let mut payload = json!({ "error": { "code": code, "message": message } });
        if let Some(application_id) = application_id {
            payload["applicationId"] = application_id.into();
        }
        LogView::new(id, "ExchangeTokenBy.TokenExchange", payload, 1)
    }

    #[test]
    fn the_newest_refusal_since_the_test_counts() {
        let entries = [
            entry("5", Some("other"), "invalid_target", "x"),
            entry("4", None, "invalid_client", "x"),
            entry("3", Some("desk"), "invalid_request", TEST_PASSED),
            entry("2", Some("desk"), "invalid_target", "x"),
        ];
        for (after, title) in [
            ("", "It works"),
            ("2", "It works"),
            ("3", "The client was not accepted"),
            ("4", "Nothing arrived"),
            ("5", "Nothing arrived"),
        ] {
            assert_eq!(Outcome::of(&entries, "desk", after).title, title, "{after}");
        }
        assert_eq!(Outcome::of(&[], "desk", "").title, "Nothing arrived");
        assert_eq!(Outcome::of(&entries[3..], "desk", "").title, "Another API");
    }
}
