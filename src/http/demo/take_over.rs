//! Impersonates with a subject token that the console hands over (`impersonationUri`).

use super::act::act_with;
use super::guest::DemoGuest;
use super::sign_in;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_pages::failure::PageError;
use claimsmith_web::extract::form::Form;
use claimsmith_web::same_origin;

/// Impersonates the user. The visitor has to sign in first: the actor token of the exchange is their own access token.
pub(super) async fn take_over(guest: DemoGuest, request: Request) -> Result<Response, PageError> {
    // The console has this origin. Another site could otherwise make a visitor impersonate a user unknowingly. The form
    // has no CSRF token, so the browser must state its origin, as every browser does.
    if same_origin::check(&guest.app, &guest.headers).is_err() || !same_origin::is_told(&guest.headers) {
        return Ok(guest.refuse(StatusCode::FORBIDDEN, "cross_site_request").await);
    }
    let form = match Form::read(&guest.headers, request.into_body()).await {
        Ok(form) => form,
        Err(error) => return Ok(guest.refuse(StatusCode::BAD_REQUEST, error.error).await),
    };
    let Some(subject_token) = form.all("subject_token").next().map(str::to_owned) else {
        return Ok(guest.refuse(StatusCode::BAD_REQUEST, "invalid_request").await);
    };
    match guest.visit.as_ref().and_then(|visit| visit.person.clone()) {
        Some(person) => act_with(&guest, &person, &subject_token).await,
        None => sign_in::begin_with(guest, subject_token).await,
    }
}
