//! Signing in for the account page: the redirect to the sign-in pages, and the return from them.

use super::visitor::{AccountPost, at, to_sign_in};
use crate::failure::PageError;
use crate::frame::{Frame, PageContext};
use crate::paths;
use crate::sign_in::visitor::failed;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::id::InteractionId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::interaction::account_page::{First, arrive as arrive_from};
use claimsmith_identity::interaction::current::WhichInteraction;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_services::app::App;
use claimsmith_web::extract::interaction::browser_of;
use claimsmith_web::redirect::see_other;

/// The return of the browser from the pages of its interaction.
pub(super) async fn arrive(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let request_id = origin.request_id.clone();
    let id = InteractionId::from(id);
    let browser = browser_of(&app, &headers, origin, WhichInteraction::Named(id.clone()));
    Ok(match arrive_from(&app, browser).await {
        Err(InteractionRefusal::NotIdentified) => see_other(&at(&app, &paths::of_interaction(paths::SIGN_IN, &id))),
        // Reloading this URL without a session leads to the account page, which redirects to sign-in.
        Ok(()) | Err(InteractionRefusal::NoInteraction | InteractionRefusal::Over(_)) => {
            see_other(&at(&app, paths::ACCOUNT))
        }
        Err(refusal) => {
            let frame = Frame::load(&app, &mut app.db.read().await?, &PageContext::by(&headers)).await?;
            failed(&frame, &refusal, request_id.as_deref())
        }
    })
}

/// Sends a signed-in user to sign in again, or with another account.
pub(super) async fn sign_in(headers: HeaderMap, AccountPost(person, form): AccountPost) -> Response {
    let first = match form.all("account").next() {
        Some("another") => First::ChooseAccount,
        _ => First::SignInAgain,
    };
    to_sign_in(&person.owner.app, &person.frame, &headers, &person.owner.origin, first).await
}
