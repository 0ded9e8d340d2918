//! A form that waits until the operator has confirmed their identity, and what the server says to it ([`crate::Api`]).

use crate::operator::Operator;
use axum::http::{HeaderValue, StatusCode};

/// A form that waits for a confirmation.
#[derive(Clone)]
pub struct PendingForm {
    /// The path and query that it was sent to.
    pub path: String,
    /// Its fields, without the CSRF token.
    pub fields: Vec<(String, String)>,
}

/// What the operator is asked.
pub struct ConfirmationQuestion {
    /// Whether they can confirm with their password.
    pub password: bool,
    /// Whether a code is needed beside the password: of an authenticator app, or a backup code.
    pub code: bool,
    /// The options of the browser's API for their passkeys, JSON; `None` if they have none.
    pub passkey: Option<String>,
    /// The sealed form; `None` if it is too large to be kept.
    pub sealed: Option<String>,
}

/// What the operator entered.
pub struct ConfirmationInput {
    /// The path and query of the request.
    pub path: String,
    /// The sealed form.
    pub sealed: String,
    /// Whether the request has the CSRF token of the operator's session.
    pub is_from_session: bool,
    /// The password; empty if not entered.
    pub password: String,
    /// The code; empty if not entered.
    pub code: String,
    /// The response of a passkey, JSON; empty if none was used.
    pub passkey: String,
}

/// The decision about a sealed form.
pub enum Confirmation {
    /// It is carried out.
    Confirmed {
        /// The form.
        form: PendingForm,
        /// The operator, who signed in recently.
        operator: Operator,
        /// The cookie of the renewed session, for the browser.
        cookie: Option<HeaderValue>,
    },
    /// The operator is asked again.
    Asked(PendingForm, ConfirmationProblem),
    /// It was sealed in another session, or too long ago: the operator decides whether to send it.
    Outdated(PendingForm),
    /// It is not carried out, for this reason.
    Refused(&'static str),
}

/// What was wrong.
pub struct ConfirmationProblem {
    /// The status of the response.
    pub status: StatusCode,
    /// One sentence.
    pub text: String,
}
