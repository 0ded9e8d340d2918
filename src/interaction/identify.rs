//! From a verification to a user: the one who signs in, or the one who is created by registering.

use super::current::Current;
use super::profile::{check_mandatory, check_username};
use super::refusal::Refusal;
use super::step::Step;
use super::user_check::check_user;
use crate::accounts::{self, NewUser, PasswordDigest};
use crate::domain::id::UserId;
use crate::domain::interaction::{InteractionEvent, Method};
use crate::domain::sign_in_experience::SignInExperience;
use crate::domain::user::PasswordAlgorithm;
use crate::storage::sign_in::experience;
use crate::storage::users;
use crate::tokens;
use serde_json::{Value, json};

/// Identifies the user by a verification. Whether a user was created.
pub(crate) async fn identify(current: &mut Current, verification_id: Option<&str>) -> Result<bool, Refusal> {
    let outcome = match current.event() {
        Ok(InteractionEvent::Register) => register(current, verification_id).await.map(|()| true),
        Ok(_) => sign_in(current, verification_id).await.map(|()| false),
        Err(refusal) => Err(refusal),
    };
    current.note(Step::Identify, outcome)
}

async fn sign_in(current: &mut Current, verification_id: Option<&str>) -> Result<(), Refusal> {
    let id = verification_id.ok_or(Refusal::VerificationRequired)?;
    let method = &current.progress.verification(id).ok_or(Refusal::UnknownVerification)?.method;
    let settings = current.settings().await?;
    if !InteractionEvent::SignIn.is_open(settings.sign_in_mode) {
        return Err(Refusal::Closed);
    }
    let Method::Password { identifier, user_id, credential } = method else { return Err(Refusal::NotVerified) };
    if !settings.sign_in.takes_password_of(identifier.kind) {
        return Err(Refusal::MethodDisabled);
    }
    let (user_id, credential) = (user_id.clone(), credential.clone());
    let user = users::find(&mut current.app.db.read().await?, &user_id).await?.ok_or(Refusal::UnknownUser)?;
    check_user(&user, Some(&credential))?;
    if current.progress.user_id.as_ref().is_some_and(|known| *known != user_id) {
        return Err(Refusal::OtherUser);
    }
    let mut work = current.begin().await?;
    (current.progress.user_id, current.progress.credential) = (Some(user_id), Some(credential));
    current.save(&mut work, Step::Identify, json!({})).await?;
    Ok(work.commit().await?)
}

/// Without a verification, what was staged before is all there is.
async fn register(current: &mut Current, verification_id: Option<&str>) -> Result<(), Refusal> {
    if current.progress.user_id.is_some() {
        return Err(Refusal::OtherUser);
    }
    let settings = current.settings().await?;
    if let Some(id) = verification_id {
        let method = &current.progress.verification(id).ok_or(Refusal::UnknownVerification)?.method;
        let Method::NewPasswordIdentity { identifier, digest: Some(digest) } = method else {
            return Err(Refusal::NotVerified);
        };
        let (username, digest) = (identifier.value.clone(), digest.clone());
        let staged = &mut current.progress.profile;
        (staged.username, staged.password_digest) = (Some(username), Some(digest));
    }
    if let Some(username) = &current.progress.profile.username {
        check_username(current, &settings, username).await?;
    }
    check_open(&settings)?;
    let checked = check_mandatory(&settings, None, &current.progress.profile);
    let mut work = current.begin().await?;
    if checked.is_err() {
        // What was given is kept: the rest of it may follow.
        current.save(&mut work, Step::Profile, json!({})).await?;
        work.commit().await?;
        return checked;
    }
    // As the settings are now that nobody can come between.
    check_open(&experience::find(&mut work).await?)?;
    let staged = std::mem::take(&mut current.progress.profile);
    let credential = staged.password_digest.as_deref().map(tokens::hash);
    let algorithm = PasswordAlgorithm::Argon2id;
    let new = NewUser {
        username: staged.username,
        password: staged.password_digest.map(|digest| PasswordDigest { digest, algorithm }),
        profile: json!({}),
        application_id: Some(current.request.client_id.clone()),
        ..NewUser::default()
    };
    let during = |id: &UserId| current.happening(InteractionEvent::Register, id, Value::Null);
    let user = accounts::register(&mut work, new, during).await?;
    (current.progress.user_id, current.progress.credential) = (Some(user.id), credential);
    current.progress.registered = true;
    current.progress.forget_digests();
    current.save(&mut work, Step::Identify, json!({})).await?;
    Ok(work.commit().await?)
}

fn check_open(settings: &SignInExperience) -> Result<(), Refusal> {
    if InteractionEvent::Register.is_open(settings.sign_in_mode) { Ok(()) } else { Err(Refusal::Closed) }
}
