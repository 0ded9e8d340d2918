//! Proof of the identity of an interaction's user: a verification, as long as the settings accept its method and the
//! user still has what was verified.

use super::administrators;
use super::current::CurrentInteraction;
use super::federated::{domains, owner, stage};
use super::find_user::find;
use super::refusal::InteractionRefusal;
use super::user_check::check_user;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::interaction::{InteractionEvent, Method, Progress};
use claimsmith_storage::Tx;
use claimsmith_storage::users::{self, User};

/// The user of a verification, if accepted, and the hash of the password hash if it was a password.
pub(super) async fn identified(
    current: &CurrentInteraction,
    settings: &SignInExperience,
    method: &Method,
) -> Result<(User, Option<String>), InteractionRefusal> {
    check_taken(settings, current.event()?, method)?;
    // Not at the server's own applications: administrators have a password, also with an address of an enterprise
    // domain.
    let is_of_own_client = current.is_of_own_client();
    // Nor a username that is written like such an address.
    if let Some(Identifier { value, .. }) = method.identifier().filter(|identifier| identifier.value.contains('@'))
        && !is_of_own_client
    {
        domains::refuse_owned(&current.app, &mut current.app.db.read().await?, settings, value).await?;
    }
    let (user, credential) = match method {
        Method::Password { user_id, credential, .. } => {
            let user = users::find(&mut current.app.db.read().await?, user_id)
                .await?
                .ok_or(InteractionRefusal::UnknownUser)?;
            (user, Some(credential.clone()))
        }
        Method::SignInPasskey { user_id: Some(user_id), .. } => {
            let mut tx = current.app.db.read().await?;
            if !is_of_own_client {
                refuse_company(&mut tx, settings, user_id).await?;
            }
            (users::find(&mut tx, user_id).await?.ok_or(InteractionRefusal::UnknownUser)?, None)
        }
        Method::Social(federated) => (owner::find(current, ConnectorKind::Social, federated).await?, None),
        Method::EnterpriseSso(federated) => (owner::find(current, ConnectorKind::Enterprise, federated).await?, None),
        _ => {
            let identifier = method.identifier().ok_or(InteractionRefusal::NotVerified)?;
            let (user, _) = find(current, identifier).await?;
            (user.ok_or_else(|| InteractionRefusal::UnknownIdentifier(identifier.clone()))?, None)
        }
    };
    check_user(&user, credential.as_deref())?;
    let mut tx = current.app.db.read().await?;
    administrators::check(&current.app, &mut tx, &user.id, current.event()?, method).await?;
    Ok((user, credential))
}

/// Refuses a passkey of a user with an account at an enterprise connector: the company decides who may sign in, and
/// how.
pub(super) async fn refuse_company(
    tx: &mut Tx,
    settings: &SignInExperience,
    user_id: &UserId,
) -> Result<(), InteractionRefusal> {
    let is_company = settings.single_sign_on_enabled && !users::sso_identities::of_user(tx, user_id).await?.is_empty();
    if is_company { Err(InteractionRefusal::SsoUser) } else { Ok(()) }
}

/// A proof that is still valid.
pub(super) struct StandingProof<'p> {
    /// The authentication method (RFC 8176); `None` if only an upstream knows it.
    pub amr: Option<&'static str>,
    /// The verification.
    pub method: &'p Method,
}

/// The proof that is valid for this user by their current data and the current settings. `administers`: the user is an
/// administrator.
pub(super) fn standing<'p>(
    progress: &'p Progress,
    settings: &SignInExperience,
    event: InteractionEvent,
    (user, administers): (&User, bool),
) -> Result<StandingProof<'p>, InteractionRefusal> {
    let mut refusal = InteractionRefusal::NotVerified;
    for kept in progress.verifications.iter().filter(|kept| is_of(&kept.method, user)) {
        if administers && !administrators::may_prove(&kept.method) {
            refusal = administrators::refusal(event);
            continue;
        }
        match check_taken(settings, event, &kept.method) {
            Ok(()) => return Ok(StandingProof { amr: amr(&kept.method), method: &kept.method }),
            Err(refused) => refusal = refused,
        }
    }
    Err(refusal)
}

/// Refuses methods that the settings disable, and incomplete verifications.
fn check_taken(
    settings: &SignInExperience,
    event: InteractionEvent,
    method: &Method,
) -> Result<(), InteractionRefusal> {
    let is_reset = event == InteractionEvent::ForgotPassword;
    match method {
        Method::Password { identifier, .. } if !is_reset => {
            let is_taken = settings.sign_in.takes_password_of(identifier.kind);
            if is_taken { Ok(()) } else { Err(InteractionRefusal::MethodDisabled) }
        }
        Method::Social(federated) if !is_reset => stage::check_allowed(settings, ConnectorKind::Social, federated),
        Method::EnterpriseSso(federated) if !is_reset => {
            stage::check_allowed(settings, ConnectorKind::Enterprise, federated)
        }
        // An operator made it for this user, whatever ways to reset a password are offered to all.
        Method::OneTimeToken { context, .. } if context.is_for(event) => {
            let is_factor = is_reset && settings.proves_factor(Channel::Email);
            if is_factor { Err(InteractionRefusal::WayBackDisabled) } else { Ok(()) }
        }
        Method::SignInPasskey { proved: Some(_), .. } if !is_reset => {
            let is_on = settings.passkey_sign_in.enabled == Some(true);
            if is_on { Ok(()) } else { Err(InteractionRefusal::MethodDisabled) }
        }
        Method::EmailVerificationCode(sent) | Method::PhoneVerificationCode(sent) => {
            if !sent.proves(event) {
                return Err(InteractionRefusal::NotVerified);
            }
            match sent.identifier.kind.channel() {
                Some(channel) if is_reset => check_resets(settings, channel),
                _ if settings.sign_in.takes_code_of(sent.identifier.kind) => Ok(()),
                _ => Err(InteractionRefusal::MethodDisabled),
            }
        }
        _ if is_reset => Err(InteractionRefusal::WayBackDisabled),
        _ => Err(InteractionRefusal::NotVerified),
    }
}

/// Refuses codes over a channel that cannot reset passwords.
pub(super) fn check_resets(settings: &SignInExperience, channel: Channel) -> Result<(), InteractionRefusal> {
    if settings.resets_by(channel) { Ok(()) } else { Err(InteractionRefusal::WayBackDisabled) }
}

/// Whether the verification identified this user, who still has what was verified.
fn is_of(method: &Method, user: &User) -> bool {
    match method {
        // A password that has been changed since proves nothing.
        Method::Password { user_id, credential, .. } => {
            *user_id == user.id && check_user(user, Some(credential)).is_ok()
        }
        Method::SignInPasskey { user_id, proved, .. } => proved.is_some() && user_id.as_ref() == Some(&user.id),
        Method::OneTimeToken { identifier, user_id, .. } => user_id.as_ref() == Some(&user.id) && has(user, identifier),
        Method::EmailVerificationCode(sent) | Method::PhoneVerificationCode(sent) => {
            sent.user_id.as_ref() == Some(&user.id) && has(user, &sent.identifier)
        }
        // The submission checks whether the account is still linked.
        Method::Social(federated) | Method::EnterpriseSso(federated) => federated.user_id.as_ref() == Some(&user.id),
        _ => false,
    }
}

fn has(user: &User, identifier: &Identifier) -> bool {
    let own = match identifier.kind {
        IdentifierType::Username => &user.username,
        IdentifierType::Email => &user.primary_email,
        IdentifierType::Phone => &user.primary_phone,
    };
    let of_user = |value: &String| Identifier { kind: identifier.kind, value: value.clone() };
    own.as_ref().is_some_and(|value| of_user(value).is_same(identifier))
}

fn amr(method: &Method) -> Option<&'static str> {
    match method {
        Method::Password { .. } => Some("pwd"),
        Method::SignInPasskey { proved: Some(proved), .. } => Some(proved.amr()),
        Method::PhoneVerificationCode(_) => Some("sms"),
        Method::Social(_) | Method::EnterpriseSso(_) => None,
        _ => Some("otp"),
    }
}
