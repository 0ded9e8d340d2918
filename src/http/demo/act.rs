//! Impersonates the demo's customer: requests a subject token with a context, as the integrator's backend would, and
//! exchanges it with the user's own access token as the actor token (RFC 8693), as its application would.

use super::PAGE;
use super::endpoints;
use super::guest::{DemoGuest, PostedBy};
use super::memory::DemoUser;
use super::show::EnteredReason;
use crate::http::own_client;
use axum::response::{IntoResponse, Response};
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::ACCESS_TOKEN_TYPE;
use claimsmith_management::subject_tokens;
use claimsmith_pages::failure::PageError;
use claimsmith_pages::form::FieldError;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::tokens::NewSubjectToken;
use claimsmith_web::error::ApiError;
use claimsmith_web::redirect::see_other;
use serde_json::{Map, Value, json};

/// Maximum characters of a reason and of a ticket number.
const MAX_CHARS: usize = 200;
/// The requested scopes of the demo's API.
const SCOPE: &str = "resource:read resource:write";

/// Impersonates the customer, for a reason and a ticket.
pub(super) async fn act(PostedBy(guest, person, form): PostedBy) -> Result<Response, PageError> {
    let text = |name: &str| form.all(name).next().unwrap_or_default().trim();
    let (reason, ticket) = (text("reason"), text("ticket"));
    let entered = |error| EnteredReason { reason, ticket, error: Some(error) };
    for (field, value) in [("reason", reason), ("ticket", ticket)] {
        if value.is_empty() {
            return entered(FieldError::at(field, "Please fill in this field.")).show(&guest).await;
        }
        if value.chars().count() > MAX_CHARS {
            return entered(FieldError::at(field, format!("At most {MAX_CHARS} characters."))).show(&guest).await;
        }
    }
    if !guest.may_act(&person) {
        return entered(FieldError::of_form("Casey cannot act as Casey. Sign in as somebody else.")).show(&guest).await;
    }
    let subject_token = match request_subject_token(&guest, &person, reason, ticket).await {
        Ok(token) => token,
        Err(error) => return Ok(error.into_response()),
    };
    match exchange(&guest, &person, &subject_token).await {
        Ok(acted) => Ok(show_acted(&guest, acted)),
        Err(message) => entered(FieldError::of_form(message)).show(&guest).await,
    }
}

/// Exchanges a subject token from the console.
pub(super) async fn act_with(guest: &DemoGuest, person: &DemoUser, subject_token: &str) -> Result<Response, PageError> {
    match exchange(guest, person, subject_token).await {
        Ok(acted) => Ok(show_acted(guest, acted)),
        Err(message) => EnteredReason::alert(&message).show(guest).await,
    }
}

/// Exchanges a subject token, with the user's own access token as the actor token; returns the claims of the new token.
async fn exchange(
    guest: &DemoGuest,
    person: &DemoUser,
    subject_token: &str,
) -> Result<Option<Map<String, Value>>, String> {
    let parameters = [
        ("grant_type", GrantType::TokenExchange.as_str()),
        ("subject_token", subject_token),
        ("subject_token_type", ACCESS_TOKEN_TYPE),
        ("actor_token", &person.access_token),
        ("actor_token_type", ACCESS_TOKEN_TYPE),
        ("resource", &guest.demo.resource),
        ("scope", SCOPE),
    ];
    Ok(own_client::claims(&endpoints::token(guest, &parameters).await?.access))
}

fn show_acted(guest: &DemoGuest, acted: Option<Map<String, Value>>) -> Response {
    guest.keep(|visit| {
        if let Some(person) = &mut visit.person {
            person.acted = acted;
        }
    });
    see_other(&guest.at(&format!("{PAGE}#acted")))
}

/// Requests a subject token from the Management API, as the integrator's backend would.
async fn request_subject_token(
    guest: &DemoGuest,
    person: &DemoUser,
    reason: &str,
    ticket: &str,
) -> Result<String, ApiError> {
    let context = [("ticketId", ticket), ("reason", reason), ("supportEngineerId", &person.id)];
    let context: Map<_, _> = context.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    let (app, backend) = (&guest.app, guest.demo.backend_id.clone());
    let (token, stored) = subject_tokens::make(app, &backend, guest.demo.customer_id.clone(), context)?;
    let actor = Actor::Application { id: backend };
    let entry = Entry::success(subject_tokens::CREATED, subject_tokens::details_of(&stored));
    let log = entry.by(&actor).from(&guest.origin).at(stored.created_at)?;
    subject_tokens::write(app, NewSubjectToken { token: stored, log, checked: None }).await?;
    Ok(token)
}
