//! The layer around all screens: carries out a confirmed form in place of its confirmation, and asks for a confirmation
//! where a screen needs one.

use super::{CODE, FORM, PASSKEY, PASSWORD, page};
use crate::Console;
use crate::caller::Caller;
use crate::failure::{Failure, NeedsConfirmation};
use crate::form::Form;
use crate::pending_form::{Confirmation, ConfirmationInput};
use crate::posted::{CSRF, MAX_FORM_BYTES, is_token};
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};

/// More fields than the page of the confirmation has.
const FIELDS: usize = 8;

pub(crate) async fn layer(State(console): State<Console>, request: Request, next: Next) -> Response {
    let (request, cookie) = match received(&console, request).await {
        Ok(received) => received,
        Err(response) => return response,
    };
    let mut response = next.run(request).await;
    if let Some(NeedsConfirmation(caller)) = response.extensions_mut().remove() {
        response = page::ask(&caller).await;
    }
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// The request, or the form that it confirms, with the cookie of the renewed session. The error is the response.
async fn received(console: &Console, request: Request) -> Result<(Request, Option<HeaderValue>), Response> {
    if *request.method() != Method::POST || !is_form(request.headers()) {
        return Ok((request, None));
    }
    let (mut parts, body) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, console).await.map_err(IntoResponse::into_response)?;
    let Ok(body) = Limited::new(body, MAX_FORM_BYTES).collect().await else {
        return Err(Failure::page(&caller, StatusCode::PAYLOAD_TOO_LARGE, "The form is too long.").into_response());
    };
    let body = body.to_bytes();
    // The page of the confirmation has the sealed form in its first field.
    if !body.strip_prefix(FORM.as_bytes()).is_some_and(|rest| rest.starts_with(b"=")) {
        return Ok((Request::from_parts(parts, Body::from(body)), None));
    }
    let fields = Form::of(form_urlencoded::parse(&body).into_owned().take(FIELDS).collect());
    let input = ConfirmationInput {
        path: caller.here().to_owned(),
        sealed: fields.raw(FORM).to_owned(),
        is_from_session: is_token(&caller, fields.raw(CSRF)),
        password: fields.raw(PASSWORD).to_owned(),
        code: fields.text(CODE).to_owned(),
        passkey: fields.raw(PASSKEY).to_owned(),
    };
    match console.api.confirm(caller.operator(), input).await? {
        Confirmation::Confirmed { form, operator, cookie } => {
            let body = form_urlencoded::Serializer::new(String::new())
                .append_pair(CSRF, &operator.csrf)
                .extend_pairs(form.fields)
                .finish();
            parts.headers.remove(header::CONTENT_LENGTH);
            parts.extensions.insert(operator);
            Ok((Request::from_parts(parts, Body::from(body)), cookie))
        }
        Confirmation::Asked(form, problem) => Err(page::show_form(&caller, form, Some(problem)).await),
        Confirmation::Outdated(form) => {
            let caller = caller.with_form(Form::of(form.fields));
            Err(Failure::outdated_form(&caller).into_response())
        }
        Confirmation::Refused(reason) => Err(Failure::page(&caller, StatusCode::CONFLICT, reason).into_response()),
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/x-www-form-urlencoded")
}
