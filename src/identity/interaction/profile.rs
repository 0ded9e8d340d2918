//! Profile data that users enter: username, password, and verified email addresses and phone numbers, checked against
//! the policies, and staged until the interaction is submitted. Also the check for mandatory data.

use super::address;
use super::administrators::is_administrator;
use super::asked_fields::AskedFields;
use super::captcha;
use super::current::CurrentInteraction;
use super::factors::holder::of_interaction;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use crate::accounts::{self, NewPassword};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{InteractionEvent, StagedProfile};
use claimsmith_domain::password_policy::UserInfo;
use claimsmith_domain::sign_in_experience::mandatory::{self, Had, Missing};
use claimsmith_domain::sign_in_experience::username_check;
use claimsmith_services::passwords::HashTicket;
use claimsmith_storage::users::{self, User};
use serde_json::json;

/// Stages a username.
pub async fn add_username(current: &mut CurrentInteraction, username: &str) -> Result<(), InteractionRefusal> {
    let outcome = stage_username(current, username).await;
    current.note(InteractionStep::Profile, outcome)
}

/// Stages a password; only its hash is stored.
pub async fn add_password(current: &mut CurrentInteraction, password: &str) -> Result<(), InteractionRefusal> {
    let outcome = stage_password(current, password).await;
    current.note(InteractionStep::Profile, outcome)
}

/// Stages the email address or phone number of this verification.
pub async fn add_verified(
    current: &mut CurrentInteraction,
    kind: IdentifierType,
    verification_id: &str,
) -> Result<(), InteractionRefusal> {
    let outcome = stage_verified(current, kind, verification_id).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn stage_verified(
    current: &mut CurrentInteraction,
    kind: IdentifierType,
    verification_id: &str,
) -> Result<(), InteractionRefusal> {
    let user = user_to_complete(current).await?;
    address::stage(current, user.as_ref(), kind, verification_id).await
}

async fn stage_username(current: &mut CurrentInteraction, username: &str) -> Result<(), InteractionRefusal> {
    let user = user_to_complete(current).await?;
    if user.is_some_and(|user| user.username.is_some()) {
        return Err(InteractionRefusal::HasUsername);
    }
    check_username(current, &current.settings().await?, username).await?;
    let mut work = current.begin().await?;
    current.progress.profile.username = Some(username.to_owned());
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "username" })).await?;
    Ok(work.commit().await?)
}

async fn stage_password(current: &mut CurrentInteraction, password: &str) -> Result<(), InteractionRefusal> {
    let user = user_to_complete(current).await?;
    if user.as_ref().is_some_and(|user| user.password_digest.is_some()) {
        return Err(InteractionRefusal::HasPassword);
    }
    let known = user.as_ref();
    let info = UserInfo {
        name: known.and_then(|user| user.name.as_deref()),
        username: known.and_then(|user| user.username.as_deref()).or(current.progress.profile.username.as_deref()),
        email: known.and_then(|user| user.primary_email.as_deref()).or(current
            .progress
            .profile
            .primary_email
            .as_deref()),
        phone: known.and_then(|user| user.primary_phone.as_deref()).or(current
            .progress
            .profile
            .primary_phone
            .as_deref()),
    };
    let digest = new_digest(current, &current.settings().await?, password, &info).await?;
    let mut work = current.begin().await?;
    current.progress.profile.password_digest = Some(digest);
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "password" })).await?;
    Ok(work.commit().await?)
}

/// Like `user`, for a step that changes the profile: a user with a second factor has to prove it first.
pub(super) async fn user_to_complete(current: &CurrentInteraction) -> Result<Option<User>, InteractionRefusal> {
    let user = user(current).await?;
    if user.is_some() {
        of_interaction(current).await?.check_proved(&current.progress)?;
    }
    Ok(user)
}

/// The user of the profile; `None` during registration.
async fn user(current: &CurrentInteraction) -> Result<Option<User>, InteractionRefusal> {
    let event = current.event()?;
    if event == InteractionEvent::ForgotPassword {
        return Err(InteractionRefusal::ForgotPassword);
    }
    match &current.progress.user_id {
        // Submitted data are already written.
        Some(_) if current.progress.authenticated => Err(InteractionRefusal::WrongEvent),
        Some(id) => {
            let user =
                users::find(&mut current.app.db.read().await?, id).await?.ok_or(InteractionRefusal::UnknownUser)?;
            if user.is_suspended { Err(InteractionRefusal::Suspended) } else { Ok(Some(user)) }
        }
        None if event == InteractionEvent::Register => Ok(None),
        None => Err(InteractionRefusal::NotIdentified),
    }
}

/// Refuses a username that violates the policy or is taken.
pub(super) async fn check_username(
    current: &CurrentInteraction,
    settings: &SignInExperience,
    username: &str,
) -> Result<(), InteractionRefusal> {
    username_check::check(&settings.username_policy, username).map_err(InteractionRefusal::Username)?;
    let identifier = Identifier { kind: IdentifierType::Username, value: username.to_owned() };
    address::check_free(current, identifier, InteractionRefusal::UsernameTaken).await
}

/// Hashes a password that complies with the policy, if hashing is admitted.
pub(super) async fn new_digest(
    current: &CurrentInteraction,
    settings: &SignInExperience,
    password: &str,
    info: &UserInfo<'_>,
) -> Result<String, InteractionRefusal> {
    let ticket = admit_new(current, settings, password, info).await?;
    hash(current, &ticket, password).await
}

/// Admits the hashing of a new password, which counts: it must comply with the policy, and the captcha must be solved.
pub(super) async fn admit_new(
    current: &CurrentInteraction,
    settings: &SignInExperience,
    password: &str,
    info: &UserInfo<'_>,
) -> Result<HashTicket, InteractionRefusal> {
    captcha::check(current, settings).await?;
    let app = &current.app;
    let issues = app.passwords.issues(&settings.password_policy, password, Some(info));
    if !issues.is_empty() {
        return Err(InteractionRefusal::Password(issues));
    }
    Ok(accounts::admit_new_password(&app.passwords, current.browser.origin.ip, app.clock.now_ms())?)
}

/// Hashes a new password.
pub(super) async fn hash(
    current: &CurrentInteraction,
    ticket: &HashTicket,
    password: &str,
) -> Result<String, InteractionRefusal> {
    let given = NewPassword::Plain(password.to_owned());
    Ok(accounts::digest(&current.app.passwords, ticket, given).await?.digest)
}

/// The mandatory data that are missing.
pub async fn missing(current: &CurrentInteraction) -> Result<Vec<Missing>, InteractionRefusal> {
    let (user, settings) = (user(current).await?, current.settings().await?);
    let mut tx = current.app.db.read().await?;
    let administers = is_administrator(&current.app, &mut tx, user.as_ref()).await?;
    let asked = AskedFields::load(&mut tx, current, &settings).await?;
    match check_mandatory(&settings, (user.as_ref(), administers), &current.progress.profile, &asked) {
        Err(InteractionRefusal::MissingProfile(missing)) => Ok(missing),
        other => other.map(|()| Vec::new()),
    }
}

/// Refuses a user who lacks mandatory data, counting staged data. `user`: an existing one, and whether they administer.
pub(super) fn check_mandatory(
    settings: &SignInExperience,
    (user, administers): (Option<&User>, bool),
    staged: &StagedProfile,
    asked: &AskedFields,
) -> Result<(), InteractionRefusal> {
    if staged.enterprise.is_some() {
        return Ok(());
    }
    let has_account = |user: &User| user.identities.as_object().is_some_and(|identities| !identities.is_empty());
    let is_social = staged.social.is_some() || user.is_some_and(has_account);
    if is_social && settings.social_sign_in.skip_required_identifiers == Some(true) {
        return Ok(());
    }
    let had = Had {
        username: staged.username.is_some() || user.is_some_and(|user| user.username.is_some()),
        email: staged.primary_email.is_some() || user.is_some_and(|user| user.primary_email.is_some()),
        phone: staged.primary_phone.is_some() || user.is_some_and(|user| user.primary_phone.is_some()),
        password: is_social
            || staged.password_digest.is_some()
            || user.is_some_and(|user| user.password_digest.is_some()),
    };
    let mut missing = if administers {
        mandatory::missing_of_administrator(&settings.sign_up, &settings.sign_in, had)
    } else {
        mandatory::missing(&settings.sign_up, had)
    };
    if missing.is_empty() && asked.is_missing(user, staged) {
        missing.push(Missing::ExtraProfile);
    }
    if missing.is_empty() { Ok(()) } else { Err(InteractionRefusal::MissingProfile(missing)) }
}
