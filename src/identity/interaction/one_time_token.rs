//! Links by email (one-time tokens): the recipient signs in, registers, or resets a forgotten password, with the address
//! of the link. Opening it has no effect; it is used up when the recipient confirms.

use super::attempts::{self, SignInAttempt};
use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use claimsmith_domain::documents::one_time_token::{Context, Status, TokenEvent};
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{InteractionEvent, Method, Verification};
use claimsmith_domain::one_time_token::TokenRefusal;
use claimsmith_services::tokens;
use claimsmith_storage::verification::one_time_tokens::{self, OneTimeToken};
use serde_json::json;

/// The event for which a token was made, by its hash: sign-in if it names none, or if there is no such token.
pub async fn event_of(current: &CurrentInteraction, hash: &str) -> Result<InteractionEvent, InteractionRefusal> {
    let found = one_time_tokens::find_by_hash(&mut current.app.db.read().await?, hash).await?;
    Ok(match found.and_then(|row| row.context.0).and_then(|context| context.interaction_event) {
        None | Some(TokenEvent::SignIn) => InteractionEvent::SignIn,
        Some(TokenEvent::Register) => InteractionEvent::Register,
        Some(TokenEvent::ForgotPassword) => InteractionEvent::ForgotPassword,
    })
}

/// Uses a token for this email address; returns the id of the verification.
pub async fn verify(
    current: &mut CurrentInteraction,
    identifier: Identifier,
    token: &str,
) -> Result<String, InteractionRefusal> {
    verify_hashed(current, identifier, &tokens::hash(token)).await
}

/// Like `verify`, by the hash of the token.
pub async fn verify_hashed(
    current: &mut CurrentInteraction,
    identifier: Identifier,
    hash: &str,
) -> Result<String, InteractionRefusal> {
    let outcome = consume(current, identifier, hash).await;
    current.note(InteractionStep::OneTimeToken, outcome)
}

async fn consume(
    current: &mut CurrentInteraction,
    identifier: Identifier,
    hash: &str,
) -> Result<String, InteractionRefusal> {
    let event = current.event()?;
    if current.progress.authenticated {
        return Err(InteractionRefusal::WrongEvent);
    }
    // The server's own applications accept no links.
    if current.is_of_own_client() {
        return Err(InteractionRefusal::MethodDisabled);
    }
    let identifier = identifier.stored().ok_or(InteractionRefusal::OneTimeToken(TokenRefusal::OtherEmail))?;
    let app = current.app.clone();
    let settings = current.settings().await?;
    // Guesses count for the IP address only, so that they lock no user out.
    let attempt = attempts::count(&app, &settings.sentinel_policy, None, current.browser.origin.ip).await?;
    let now = app.clock.now_ms();
    let found = one_time_tokens::find_by_hash(&mut app.db.read().await?, hash).await?;
    let checked = match found {
        None => Err(TokenRefusal::NotFound),
        Some(row) if row.email != identifier.key() => Err(TokenRefusal::OtherEmail),
        Some(row) => match (TokenRefusal::of(row.status.at(now, row.expires_at)), row.context.0.clone()) {
            (Some(refusal), _) => Err(refusal),
            (None, None) => Err(TokenRefusal::Revoked),
            (None, Some(context)) if !context.is_for(event) => Err(TokenRefusal::OtherEvent),
            (None, Some(context)) => Ok((row, context)),
        },
    };
    let (row, context) = match checked {
        Ok(checked) => checked,
        Err(refusal) => {
            attempt.failed(&app).await?;
            return Err(InteractionRefusal::OneTimeToken(refusal));
        }
    };
    let outcome = keep(current, &attempt, identifier.kind, row, context).await;
    attempt.kept(&app, outcome).await
}

/// Uses the token.
async fn keep(
    current: &mut CurrentInteraction,
    attempt: &SignInAttempt,
    kind: IdentifierType,
    row: OneTimeToken,
    context: Context,
) -> Result<String, InteractionRefusal> {
    let id = current.app.random.id(21)?;
    let mut work = current.begin().await?;
    let now = work.now();
    // Of concurrent requests, only one uses it up.
    if !one_time_tokens::settle(&mut work, &row.id, Status::Consumed, now).await? {
        return Err(InteractionRefusal::OneTimeToken(TokenRefusal::Consumed));
    }
    attempt.succeeded(&mut work).await?;
    let method = Method::OneTimeToken {
        // The address as stored with the token: another spelling may be another mailbox.
        identifier: Identifier { kind, value: row.email },
        token_id: row.id.clone(),
        context,
        user_id: None,
    };
    current.progress.keep(Verification { id: id.clone(), method });
    let details = json!({ "verificationId": id, "oneTimeTokenId": row.id });
    current.save(&mut work, InteractionStep::OneTimeToken, details).await?;
    work.commit().await?;
    Ok(id)
}
