//! Identifies the user by a verification: an existing user who signs in or forgot their password, or a new user who
//! registers.

use super::address::check_addresses;
use super::asked_fields::AskedFields;
use super::captcha;
use super::current::CurrentInteraction;
use super::federated::{domains, stage as federated};
use super::join::join;
use super::profile::{check_mandatory, check_username};
use super::proof::identified;
use super::refusal::InteractionRefusal;
use super::rows::{self, RowCaller};
use super::step::InteractionStep;
use crate::accounts::{self, NewUser, PasswordDigest, own_bytes};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::id::UserId;
use claimsmith_domain::interaction::{InteractionEvent, Method};
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_services::tokens;
use claimsmith_services::unit_of_work::UnitOfWork;
use serde_json::{Value, json};

/// Identifies the user by a verification. Returns whether a user was created.
pub async fn identify(
    current: &mut CurrentInteraction,
    verification_id: Option<&str>,
) -> Result<bool, InteractionRefusal> {
    let outcome = match current.event() {
        Ok(InteractionEvent::Register) => register(current, verification_id).await.map(|()| true),
        Ok(_) => find(current, verification_id).await.map(|()| false),
        Err(refusal) => Err(refusal),
    };
    current.note(InteractionStep::Identify, outcome)
}

/// Identifies a user who signs in or forgot their password.
async fn find(current: &mut CurrentInteraction, verification_id: Option<&str>) -> Result<(), InteractionRefusal> {
    let id = verification_id.ok_or(InteractionRefusal::VerificationRequired)?;
    let method = current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method.clone();
    let settings = current.settings().await?;
    let is_open = current.event()?.is_open(settings.sign_in_mode);
    // A link admits its recipient in every sign-in mode.
    if !is_open && !matches!(method, Method::OneTimeToken { .. }) {
        return Err(InteractionRefusal::Closed);
    }
    let (user, credential) = identified(current, &settings, &method).await?;
    if current.progress.user_id.as_ref().is_some_and(|known| *known != user.id) {
        return Err(InteractionRefusal::OtherUser);
    }
    federated::for_found(current, &method, &user).await?;
    let mut work = current.begin().await?;
    current.progress.attribute(id, &user.id);
    (current.progress.user_id, current.progress.credential) = (Some(user.id), credential);
    current.save(&mut work, InteractionStep::Identify, json!({})).await?;
    Ok(work.commit().await?)
}

/// Registers a user. Without a verification, only previously staged data are used.
async fn register(current: &mut CurrentInteraction, verification_id: Option<&str>) -> Result<(), InteractionRefusal> {
    if current.progress.user_id.is_some() {
        return Err(InteractionRefusal::OtherUser);
    }
    let settings = current.settings().await?;
    if let Some(id) = verification_id {
        stage(current, &settings, id).await?;
    }
    // A link admits its recipient in every sign-in mode.
    let address = current.progress.profile.primary_email.as_ref();
    let is_its_address = |method: &Method| address.is_some() && method.identifier().map(|one| &one.value) == address;
    let mut methods = current.progress.verifications.iter().map(|kept| &kept.method);
    let has_link = methods.any(|method| registers_by_link(method) && is_its_address(method));
    let staged = current.progress.profile.clone();
    if let Some(username) = &staged.username {
        check_username(current, &settings, username).await?;
    }
    check_addresses(current, &staged).await?;
    let is_given = |email: &str| staged.enterprise.as_ref().is_some_and(|account| account.gives(email));
    if let Some(email) = staged.primary_email.as_ref().filter(|email| !is_given(email)) {
        domains::refuse_owned(&current.app, &mut current.app.db.read().await?, &settings, email).await?;
    }
    if !has_link {
        check_open(&settings)?;
    }
    captcha::check(current, &settings).await?;
    let asked = AskedFields::load(&mut current.app.db.read().await?, current, &settings).await?;
    let checked = check_mandatory(&settings, (None, false), &staged, &asked);
    let mut work = current.begin().await?;
    if checked.is_err() {
        // Staged data are saved, so that the missing data can follow.
        current.save(&mut work, InteractionStep::Profile, json!({})).await?;
        work.commit().await?;
        return checked;
    }
    if !has_link {
        // Checked again within the transaction, as the settings may have changed.
        check_open(&current.settings_in(&mut work).await?)?;
    }
    let caller = RowCaller { client_id: Some(&current.request.client_id), ..RowCaller::default() };
    let bytes = own_bytes(&Value::Object(staged.profile.clone()), &Value::Object(staged.custom_data.clone()));
    rows::take(&current.app, RowKind::Registrations, &current.browser.origin, caller, bytes)?;
    create(current, &mut work).await?;
    current.save(&mut work, InteractionStep::Identify, json!({})).await?;
    Ok(work.commit().await?)
}

fn registers_by_link(method: &Method) -> bool {
    matches!(method, Method::OneTimeToken { context, .. } if context.is_for(InteractionEvent::Register))
}

/// Stages the data of a verification for a new user.
async fn stage(
    current: &mut CurrentInteraction,
    settings: &SignInExperience,
    id: &str,
) -> Result<(), InteractionRefusal> {
    let method = current.progress.verification(id).ok_or(InteractionRefusal::UnknownVerification)?.method.clone();
    if method.federated().is_some() {
        return federated::for_new(current, settings, &method).await;
    }
    let is_link = registers_by_link(&method);
    let staged = &mut current.progress.profile;
    match method {
        Method::NewPasswordIdentity { identifier, digest: Some(digest) } => {
            (staged.username, staged.password_digest) = (Some(identifier.value), Some(digest));
        }
        Method::EmailVerificationCode(sent) if sent.proves(InteractionEvent::Register) => {
            let disposable = &current.app.disposable_domains;
            settings
                .email_blocklist_policy
                .check(&sent.recipient, disposable)
                .map_err(InteractionRefusal::BlockedEmail)?;
            staged.primary_email = Some(sent.recipient);
        }
        Method::PhoneVerificationCode(sent) if sent.proves(InteractionEvent::Register) => {
            staged.primary_phone = Some(sent.recipient);
        }
        Method::OneTimeToken { identifier, .. } if is_link => staged.primary_email = Some(identifier.value),
        _ => return Err(InteractionRefusal::NotVerified),
    }
    Ok(())
}

/// Creates the staged user, who joins the organizations that provision members by the domain of their email address.
async fn create(current: &mut CurrentInteraction, work: &mut UnitOfWork) -> Result<(), InteractionRefusal> {
    let staged = std::mem::take(&mut current.progress.profile);
    let accounts_elsewhere = [staged.social.clone(), staged.enterprise.clone()];
    let credential = staged.password_digest.as_deref().map(tokens::hash);
    let algorithm = PasswordAlgorithm::Argon2id;
    let (name, avatar) = federated::looks(&staged);
    // Data that the user entered take precedence over data of an upstream.
    let (name, avatar) = (staged.name.clone().or(name), staged.avatar.clone().or(avatar));
    let identities = federated::identities(&staged);
    let new = NewUser {
        username: staged.username,
        primary_email: staged.primary_email,
        primary_phone: staged.primary_phone,
        password: staged.password_digest.map(|digest| PasswordDigest { digest, algorithm }),
        profile: Value::Object(staged.profile),
        custom_data: staged.custom_data,
        application_id: current.request.application_id().cloned(),
        is_suspended: false,
        name,
        avatar,
        identities,
    };
    let during = |id: &UserId| current.happening(InteractionEvent::Register, id, Value::Null);
    let user = accounts::register(work, new, during).await?;
    // Clients of the reference API read whether a registered user enabled two-factor authentication.
    accounts::change_settings(work, &user.id, |settings| settings.mfa.enabled = Some(false)).await?;
    join(current, work, &user).await?;
    for kept in current.progress.verifications.clone() {
        let is_theirs = kept
            .method
            .federated()
            .is_some_and(|(_, federated)| accounts_elsewhere.iter().flatten().any(|staged| staged.is_same(federated)));
        if is_theirs {
            current.progress.attribute(&kept.id, &user.id);
        }
    }
    let own = [user.primary_email.as_ref(), user.primary_phone.as_ref()];
    for kept in current.progress.verifications.clone() {
        let recipient = match &kept.method {
            Method::OneTimeToken { identifier, .. } => Some(&identifier.value),
            method => method.identifying_code().map(|sent| &sent.recipient),
        };
        if recipient.is_some() && own.contains(&recipient) {
            current.progress.attribute(&kept.id, &user.id);
        }
    }
    (current.progress.user_id, current.progress.credential) = (Some(user.id), credential);
    current.progress.registered = true;
    current.progress.forget_digests();
    Ok(())
}

fn check_open(settings: &SignInExperience) -> Result<(), InteractionRefusal> {
    if InteractionEvent::Register.is_open(settings.sign_in_mode) { Ok(()) } else { Err(InteractionRefusal::Closed) }
}
