//! Sign-in through connectors: the buttons of social connectors, and `/callback/…`, the redirect URI.

use super::credentials;
use super::leave::{leave, other};
use super::messages::field_error;
use super::visitor::{InteractionPost, Visitor, arrive, finish};
use crate::form::FieldError;
use crate::frame::Frame;
use crate::{callback, paths};
use axum::Extension;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::interaction::{InteractionEvent, Method};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_identity::interaction::current::{CurrentInteraction, WhichInteraction};
use claimsmith_identity::interaction::federated::verify::verify;
use claimsmith_identity::interaction::identify::identify;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::interaction::start::switch;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_web::extract::form::Form;
use claimsmith_web::extract::ids::Id;

/// Begins a sign-in at a social connector.
pub(super) async fn sign_in_by(Id(id): Id, InteractionPost(visitor, form): InteractionPost) -> Response {
    leave_by_button(visitor, &form, &id, InteractionEvent::SignIn).await
}

/// Begins a registration at a social connector.
pub(super) async fn register_by(Id(id): Id, InteractionPost(visitor, form): InteractionPost) -> Response {
    leave_by_button(visitor, &form, &id, InteractionEvent::Register).await
}

async fn leave_by_button(mut visitor: Visitor, form: &Form, id: &str, wanted: InteractionEvent) -> Response {
    if !visitor.has_agreed(form, wanted == InteractionEvent::Register) {
        let error = FieldError::at("agree", visitor.frame.t.errors.agreement_required.clone());
        return credentials::show_again(&visitor, "", Some(error));
    }
    match leave(&mut visitor, ConnectorKind::Social, id, wanted, None).await {
        Ok(away) => away,
        Err(refusal) => fail(&visitor, &refusal),
    }
}

/// Callback as a form post.
pub(super) async fn forward(State(app): State<App>, Id(id): Id, headers: HeaderMap, body: Body) -> Response {
    callback::forward(&app, paths::CALLBACK, &id, &headers, body).await
}

/// Callback of a connector. The other server does not know the interaction: the state identifies it.
pub(super) async fn come_back(
    State(app): State<App>,
    Extension(origin): Extension<RequestOrigin>,
    Id(id): Id,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let callback = callback::read(query.as_deref());
    let state_hash = tokens::hash(callback.state.as_deref().unwrap_or_default());
    let which = WhichInteraction::Awaiting { connector_id: id.clone(), state_hash };
    let mut visitor = match arrive(&app, &headers, origin, which).await {
        Ok(visitor) => visitor,
        Err(response) => return response,
    };
    let kind = visitor.current.progress.awaited_kind(&id);
    let current = &mut visitor.current;
    let steps = async {
        let verification_id = verify(current, kind.unwrap_or(ConnectorKind::Social), &id, &callback, None).await?;
        enter(&visitor.frame, current, &verification_id).await
    };
    match steps.await {
        Ok(true) => finish(visitor).await,
        Ok(false) => visitor.at(paths::REGISTER_ELSEWHERE),
        // The connector's values are kept, and the missing ones are requested.
        Err(InteractionRefusal::MissingProfile(_)) => visitor.at(paths::PROFILE),
        Err(refusal) => fail(&visitor, &refusal),
    }
}

/// Signs the user of the connector in, or registers a new one where registration is open. `false`: a new user, who has
/// to agree to the terms first.
async fn enter(
    frame: &Frame,
    current: &mut CurrentInteraction,
    verification_id: &str,
) -> Result<bool, InteractionRefusal> {
    let event = current.event()?;
    let kept = current.progress.verification(verification_id);
    let is_company = kept.is_some_and(|kept| matches!(kept.method, Method::EnterpriseSso(_)));
    // Buttons of registration require the ticked box, and those of sign-in if its page has one.
    let has_ticked = !is_company && (event == InteractionEvent::Register || frame.asks_to_agree(false));
    let is_to_agree = frame.may_register() && frame.asks_to_agree(true) && !has_ticked;
    if is_to_agree && event == InteractionEvent::Register {
        return Ok(false);
    }
    let first = identify(current, Some(verification_id)).await;
    let is_new = match &first {
        Err(InteractionRefusal::UnknownIdentity(_) | InteractionRefusal::UnknownSsoIdentity) => true,
        Err(InteractionRefusal::IdentityTaken) => false,
        _ => return first.map(|_| true),
    };
    if is_new != (event == InteractionEvent::SignIn) {
        return first.map(|_| true);
    }
    if is_new && is_to_agree {
        return Ok(false);
    }
    switch(current, other(event)).await?;
    identify(current, Some(verification_id)).await.map(|_| true)
}

/// The error, on the page where the user can choose another way.
pub(super) fn fail(visitor: &Visitor, refusal: &InteractionRefusal) -> Response {
    match field_error(&visitor.frame, refusal) {
        Some(error) => credentials::show_again(visitor, "", Some(error)),
        None => visitor.next(refusal),
    }
}
