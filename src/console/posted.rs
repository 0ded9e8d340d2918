//! Submitted forms: read within limits, and refused without the session's CSRF token.

use crate::Console;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};
use subtle::ConstantTimeEq;

/// Name of the field with the CSRF token.
pub(crate) const CSRF: &str = "csrf";
/// Maximum size of a form in bytes: fits a plugin's source and cases, percent-encoded.
pub(crate) const MAX_FORM_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of fields in a form.
const MAX_FIELDS: usize = 2000;

/// A form with the CSRF token of the operator's session.
pub(crate) struct Posted {
    pub(crate) caller: Caller,
    pub(crate) form: Form,
}

impl FromRequest<Console> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, console: &Console) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, console).await.map_err(IntoResponse::into_response)?;
        let Ok(body) = Limited::new(body, MAX_FORM_BYTES).collect().await else {
            return Err(Failure::page(&caller, StatusCode::PAYLOAD_TOO_LARGE, "The form is too long.").into_response());
        };
        let fields = form_urlencoded::parse(&body.to_bytes()).into_owned().take(MAX_FIELDS + 1).collect::<Vec<_>>();
        if fields.len() > MAX_FIELDS {
            let failure = Failure::page(&caller, StatusCode::PAYLOAD_TOO_LARGE, "The form has too many fields.");
            return Err(failure.into_response());
        }
        let (token, fields): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(name, _)| name == CSRF);
        let form = Form::of(fields);
        let caller = caller.with_form(form.clone());
        let is_ours = token.first().is_some_and(|(_, token)| is_token(&caller, token));
        if is_ours { Ok(Self { caller, form }) } else { Err(Failure::outdated_form(&caller).into_response()) }
    }
}

/// Whether a text is the CSRF token of the operator's session.
pub(crate) fn is_token(caller: &Caller, token: &str) -> bool {
    let operator = caller.operator();
    let is = |known: &str| bool::from(token.as_bytes().ct_eq(known.as_bytes()));
    is(&operator.csrf) || operator.earlier_csrf.iter().any(|earlier| is(earlier))
}
