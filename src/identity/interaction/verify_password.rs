//! Verifies the password of an existing user. Neither the response nor its time reveals whether the user exists or how
//! the password is hashed: every wrong password takes one place in the queue, and is answered at one deadline.

use super::attempts::{self, SignInAttempt};
use super::captcha;
use super::current::CurrentInteraction;
use super::find_user::{FoundByPassword, find_by_password};
use super::lockout::tell_lockout;
use super::password_expiration;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use crate::accounts;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::interaction::{InteractionEvent, Method, Verification};
use claimsmith_services::tokens;
use claimsmith_storage::users::User;
use serde_json::json;

/// Verifies a password; returns the id of the verification.
pub async fn verify_password(
    current: &mut CurrentInteraction,
    identifier: Identifier,
    password: &str,
) -> Result<String, InteractionRefusal> {
    let mut about = None;
    let outcome = verify(current, identifier, password, &mut about).await;
    current.note_about(InteractionStep::Password, about.as_ref(), outcome)
}

/// Verifies a password; `about` becomes the user whom the identifier names, for the audit log.
async fn verify(
    current: &mut CurrentInteraction,
    identifier: Identifier,
    password: &str,
    about: &mut Option<UserId>,
) -> Result<String, InteractionRefusal> {
    current.event()?;
    let app = current.app.clone();
    let settings = current.settings().await?;
    if !InteractionEvent::SignIn.is_open(settings.sign_in_mode) {
        return Err(InteractionRefusal::Closed);
    }
    if !settings.sign_in.takes_password_of(identifier.kind) {
        return Err(InteractionRefusal::MethodDisabled);
    }
    captcha::check(current, &settings).await?;
    let FoundByPassword { identifier, user, is_known_here } = find_by_password(current, &settings, identifier).await?;
    *about = user.as_ref().map(|user| user.id.clone());
    let ip = current.browser.origin.ip;
    let counted = Some(&identifier).filter(|_| !is_known_here);
    let attempt = attempts::count(&app, &settings.sentinel_policy, counted, ip).await?;
    let verified = accounts::verify_password(&app.db, &app.passwords, &attempt.ticket(), user.as_ref(), password).await;
    let (user, digest) = match (verified.map_err(InteractionRefusal::from), user) {
        (Ok(digest), Some(user)) => (user, digest),
        (Err(InteractionRefusal::InvalidCredentials) | Ok(_), _) => {
            attempt.failed(&app).await?;
            tell_lockout(current, &attempt, &identifier, about.as_ref()).await?;
            attempt.wait_for_deadline(&app).await?;
            return Err(attempt.refusal(InteractionRefusal::InvalidCredentials));
        }
        (Err(other), _) => {
            attempt.undo_failure(&app).await?;
            return Err(other);
        }
    };
    if !user.is_suspended {
        let checked = password_expiration::check(current, &mut app.db.read().await?, &settings, &user).await;
        attempt.kept(&app, checked).await?;
    }
    let outcome = keep(current, &attempt, user, identifier, &digest).await;
    attempt.kept(&app, outcome).await?.ok_or(InteractionRefusal::Suspended)
}

/// Stores the successful verification; returns its id, or `None` if the user is suspended.
async fn keep(
    current: &mut CurrentInteraction,
    attempt: &SignInAttempt,
    user: User,
    identifier: Identifier,
    digest: &str,
) -> Result<Option<String>, InteractionRefusal> {
    let mut work = current.begin().await?;
    attempt.succeeded(&mut work).await?;
    if user.is_suspended {
        work.commit().await?;
        return Ok(None);
    }
    let id = current.app.random.id(21)?;
    let (credential, details) = (tokens::hash(digest), json!({ "verificationId": id, "userId": user.id }));
    let method = Method::Password { identifier, user_id: user.id, credential };
    current.progress.keep(Verification { id: id.clone(), method });
    current.save(&mut work, InteractionStep::Password, details).await?;
    work.commit().await?;
    Ok(Some(id))
}
