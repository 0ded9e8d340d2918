//! Stages the username and the password of a registering user. Only the hash of the password is stored. A sign-in may
//! become a registration, so the event is checked when the user is identified.

use super::current::CurrentInteraction;
use super::profile::{check_username, new_digest};
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{InteractionEvent, Method, Verification};
use claimsmith_domain::password_policy::UserInfo;
use serde_json::json;

/// Stages a username and a password; returns the id of the verification.
pub async fn new_password_identity(
    current: &mut CurrentInteraction,
    username: String,
    password: &str,
) -> Result<String, InteractionRefusal> {
    let outcome = keep(current, username, password).await;
    current.note(InteractionStep::NewPasswordIdentity, outcome)
}

async fn keep(
    current: &mut CurrentInteraction,
    username: String,
    password: &str,
) -> Result<String, InteractionRefusal> {
    if current.event()? == InteractionEvent::ForgotPassword || current.progress.authenticated {
        return Err(InteractionRefusal::WrongEvent);
    }
    let settings = current.settings().await?;
    if !InteractionEvent::Register.is_open(settings.sign_in_mode) {
        return Err(InteractionRefusal::Closed);
    }
    check_username(current, &settings, &username).await?;
    let info = UserInfo { username: Some(&username), ..UserInfo::default() };
    let digest = new_digest(current, &settings, password, &info).await?;
    let id = current.app.random.id(21)?;
    let identifier = Identifier { kind: IdentifierType::Username, value: username };
    let mut work = current.begin().await?;
    let method = Method::NewPasswordIdentity { identifier, digest: Some(digest) };
    current.progress.keep(Verification { id: id.clone(), method });
    current.save(&mut work, InteractionStep::NewPasswordIdentity, json!({ "verificationId": id })).await?;
    work.commit().await?;
    Ok(id)
}
