//! Submission of an interaction: everything is checked again, then staged data are written and a session started, in
//! one transaction with the events.

use super::administrators::{administers, check_company};
use super::asked_fields::AskedFields;
use super::captcha;
use super::current::CurrentInteraction;
use super::factors::holder::{FactorHolder, choose};
use super::federated::stage::{check_linked, followed, identities, renew};
use super::join::join;
use super::profile::check_mandatory;
use super::proof::{refuse_company, standing};
use super::refusal::InteractionRefusal;
use super::session::begin;
use super::step::InteractionStep;
use super::user_check::check_user;
use super::{adaptive_mfa, forgotten_password, known_browser, password_expiration, sign_in_places, trusted_device};
use crate::accounts::{self, Completion, PasswordDigest, user_fields};
use claimsmith_domain::authorization::acr::takes_second_factor;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::event::EventType;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::id::{TrustedDeviceId, UserId};
use claimsmith_domain::interaction::{InteractionEvent, Method, Progress, StagedProfile};
use claimsmith_domain::sign_in_experience::username_check;
use claimsmith_domain::staged_factors::StagedMfa;
use claimsmith_services::activity::ActivityKind;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::sessions::SessionDetails;
use claimsmith_storage::users::{self, User};
use serde_json::{Value, json};
use std::time::Duration;

/// A submitted interaction.
pub struct Submitted {
    /// The new cookies; `None` if it was submitted before, or no user signed in.
    pub cookies: Option<NewCookies>,
    /// The redirect URL; `None` after a password reset, when the user still has to sign in.
    pub redirect_to: Option<String>,
}

/// The new cookies after a sign-in.
pub struct NewCookies {
    /// The session cookie.
    pub session: String,
    /// The cookie of a known browser.
    pub known: String,
    /// The cookie of a trusted device, if the browser is newly trusted.
    pub trusted: Option<String>,
}

/// Signs the user in. If repeated, only returns the redirect URL again.
pub async fn submit(mut current: CurrentInteraction) -> Result<Submitted, InteractionRefusal> {
    if let Some(submitted) = submitted_before(&current) {
        return Ok(submitted);
    }
    let settings = current.settings().await?;
    let checked = captcha::check(&current, &settings).await;
    current.note(InteractionStep::Submit, checked)?;
    if current.progress.event == Some(InteractionEvent::ForgotPassword) {
        let outcome = forgotten_password::submit(&mut current).await;
        return current.note(InteractionStep::Submit, outcome).map(|()| Submitted { cookies: None, redirect_to: None });
    }
    match sign_in(&mut current).await {
        // A concurrent request may have submitted it.
        Err(InteractionRefusal::Superseded) => {
            let now = CurrentInteraction::load(&current.app, current.browser.clone()).await?;
            let submitted = submitted_before(&now).ok_or(InteractionRefusal::Superseded);
            current.note(InteractionStep::Submit, submitted)
        }
        Err(refusal @ InteractionRefusal::FactorRequired(..)) => {
            // A report that is refused, as by a concurrent step, changes nothing.
            let outcome = match adaptive_mfa::report(&current).await {
                Err(failure @ InteractionRefusal::Failed(_)) => Err(failure),
                _ => Err(refusal),
            };
            current.note(InteractionStep::Submit, outcome)
        }
        outcome => current.note(InteractionStep::Submit, outcome),
    }
}

fn submitted_before(current: &CurrentInteraction) -> Option<Submitted> {
    let is_submitted = current.progress.authenticated && current.progress.session_id.is_some();
    is_submitted.then(|| Submitted { cookies: None, redirect_to: Some(current.resume_url()) })
}

async fn sign_in(current: &mut CurrentInteraction) -> Result<Submitted, InteractionRefusal> {
    current.event()?;
    let user_id = current.progress.user_id.clone().ok_or(InteractionRefusal::NotIdentified)?;
    let mut work = current.begin().await?;
    let CheckedInteraction { event, amr, trust, trusted, is_rated } = check(current, &mut work, &user_id).await?;
    if let Some(id) = &trusted {
        trusted_device::used(current, &mut work, id).await?;
    }
    let user = write(current, &mut work, &user_id, event).await?;
    if !current.progress.registered {
        join(current, &mut work, &user).await?;
    }
    let kind = if event == InteractionEvent::Register { EventType::PostRegister } else { EventType::PostSignIn };
    let shown = serde_json::to_value(user_fields(user))?;
    work.emit(&Event::during(kind, current.happening(event, &user_id, shown))).await?;
    let new_trust = match trust {
        Some(days) => Some(trusted_device::remember(current, &mut work, &user_id, event, days).await?),
        None => None,
    };
    let origin = &current.browser.origin;
    let details = SessionDetails {
        amr: amr.iter().map(ToString::to_string).collect(),
        ip: origin.ip.map(|ip| ip.to_string()),
        user_agent: origin.user_agent.clone(),
        interaction: Some(current.progress.submitted(event, &user_id)),
        client_id: current.request.application_id().cloned(),
        trusted_device_id: new_trust.as_ref().map(|new| new.id.clone()).or(trusted.clone()),
        own_client: current.is_of_own_client(),
    };
    let app = current.app.clone();
    let browser = current.browser.session_hash.clone();
    let begun = begin(&mut work, &app.random, &app.config.sessions, browser.as_deref(), &user_id, details).await?;
    let known =
        known_browser::remember(&mut work, &app.random, current.browser.known_hash.as_deref(), &user_id).await?;
    if is_rated {
        sign_in_places::remember(current, &mut work, &user_id).await?;
    }
    let mut about = json!({ "sessionId": begun.id });
    if let Some(id) = trusted {
        about["trustedDeviceId"] = json!(id);
    }
    current.progress.session_id = Some(begun.id);
    current.progress.authenticated = true;
    (current.progress.profile, current.progress.mfa) = (StagedProfile::default(), StagedMfa::default());
    current.progress.verifications = Vec::new();
    current.save(&mut work, InteractionStep::Submit, about).await?;
    work.commit().await?;
    let counted = if event == InteractionEvent::Register { ActivityKind::Registration } else { ActivityKind::SignIn };
    current.app.activity.count(counted, false, Duration::ZERO);
    let cookies = NewCookies { session: begun.cookie, known, trusted: new_trust.map(|new| new.cookie) };
    let cookies = Some(cookies);
    Ok(Submitted { cookies, redirect_to: Some(current.resume_url()) })
}

/// The result of the checks.
struct CheckedInteraction {
    event: InteractionEvent,
    /// The authentication methods (RFC 8176). A backup code counts as a one-time password.
    amr: Vec<&'static str>,
    /// The number of days to trust the browser, if the user chose so.
    trust: Option<u32>,
    /// The trusted device that replaced a second factor; not part of `amr`, since no factor was proved now.
    trusted: Option<TrustedDeviceId>,
    /// Whether second factors are asked for by risk, so that the place is remembered.
    is_rated: bool,
}

/// A user who may sign in.
pub(super) struct Admission {
    event: InteractionEvent,
    /// The authentication methods without second factors.
    amr: Vec<&'static str>,
    holder: FactorHolder,
    /// Whether second factors are up to the user's company.
    is_enterprise: bool,
}

/// Checks again that the user may sign in: everything but what is left to provide and to set up.
pub(super) async fn admit(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    user_id: &UserId,
) -> Result<Admission, InteractionRefusal> {
    let settings = current.settings_in(work).await?;
    let event = if current.progress.registered { InteractionEvent::Register } else { InteractionEvent::SignIn };
    let user = users::find_to_change(work, user_id).await?.ok_or(InteractionRefusal::UnknownUser)?;
    check_user(&user, current.progress.credential.as_deref())?;
    check_linked(work, current, user_id).await?;
    let administers = administers(&current.app, work, user_id).await?;
    let (amr, is_let_in) = proved(current, &settings, (&user, administers))?;
    if amr.contains(&"pwd") && !current.progress.registered {
        password_expiration::check(current, work, &settings, &user).await?;
    }
    let company = current.progress.federated_of(ConnectorKind::Enterprise, user_id);
    if let Some(company) = company.filter(|_| administers) {
        check_company(work, user_id, company).await?;
    }
    if !is_let_in && !event.is_open(settings.sign_in_mode) {
        return Err(InteractionRefusal::Closed);
    }
    let holder = FactorHolder::load(current, work, user, settings).await?;
    // The passkey may have been removed since.
    let is_passkey = has_used_passkey(&current.progress, user_id);
    if is_passkey {
        holder.sign_in_passkey(&current.progress).ok_or(InteractionRefusal::NotVerified)?;
        if !current.is_of_own_client() {
            refuse_company(work, &holder.settings, user_id).await?;
        }
    }
    // Second factors of enterprise users are up to their company, unless the application requests one or the user is an
    // administrator.
    let is_enterprise = company.is_some() && !administers;
    if !is_enterprise || takes_second_factor(&current.request.acr_values) {
        holder.check_proved(&current.progress)?;
    }
    Ok(Admission { event, amr, holder, is_enterprise })
}

/// Checks again everything that may have changed since the user was identified.
async fn check(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    user_id: &UserId,
) -> Result<CheckedInteraction, InteractionRefusal> {
    let Admission { event, mut amr, holder, is_enterprise } = admit(current, work, user_id).await?;
    let (user, settings) = (&holder.user, &holder.settings);
    let staged = &current.progress.profile;
    if staged.primary_email.is_some() && user.primary_email.is_some() {
        return Err(InteractionRefusal::HasEmail);
    }
    if staged.primary_phone.is_some() && user.primary_phone.is_some() {
        return Err(InteractionRefusal::HasPhone);
    }
    if let Some(username) = &staged.username {
        if user.username.is_some() {
            return Err(InteractionRefusal::HasUsername);
        }
        username_check::check(&settings.username_policy, username).map_err(InteractionRefusal::Username)?;
    }
    if staged.password_digest.is_some() && user.password_digest.is_some() {
        return Err(InteractionRefusal::HasPassword);
    }
    holder.check_staged(&current.progress)?;
    if !is_enterprise && !current.is_of_own_client() {
        let asked = AskedFields::load(work, current, settings).await?.answered();
        check_mandatory(settings, (Some(user), holder.administers), staged, &asked)?;
        holder.check_set_up(&current.progress)?;
    }
    if let Some(factor) = holder.proved(&current.progress) {
        amr.extend([factor, "mfa"]);
        amr.dedup();
    } else if let Some(passkey) = holder.sign_in_passkey(&current.progress) {
        if !amr.contains(&passkey.amr()) {
            amr.push(passkey.amr());
        }
        // Unlocking the passkey is the second factor.
        amr.extend(["user", "mfa"]);
    }
    let trust = holder.trusted_days(&current.progress).filter(|_| current.progress.trust_device);
    let trusted = holder.trusted_device(&current.progress).filter(|_| !is_enterprise).cloned();
    let is_rated = settings.adaptive_mfa.is_on() && !holder.administers;
    Ok(CheckedInteraction { event, amr, trust, trusted, is_rated })
}

/// Whether the user signed in with a passkey, whatever other verifications there are.
fn has_used_passkey(progress: &Progress, user_id: &UserId) -> bool {
    let mut methods = progress.verifications.iter().map(|kept| &kept.method);
    methods.any(
        |method| matches!(method, Method::SignInPasskey { user_id: Some(of), proved: Some(_), .. } if of == user_id),
    )
}

/// The authentication methods of the user, and whether a link admits them in every sign-in mode. New users have
/// authenticated by the data that they registered with.
fn proved(
    current: &CurrentInteraction,
    settings: &SignInExperience,
    user: (&User, bool),
) -> Result<(Vec<&'static str>, bool), InteractionRefusal> {
    let verifications = &current.progress.verifications;
    let has_link = verifications.iter().any(|kept| matches!(kept.method, Method::OneTimeToken { .. }));
    if !current.progress.registered {
        let proof = standing(&current.progress, settings, InteractionEvent::SignIn, user)?;
        return Ok((Vec::from_iter(proof.amr), matches!(proof.method, Method::OneTimeToken { .. })));
    }
    let mut amr = Vec::new();
    if current.progress.credential.is_some() {
        amr.push("pwd");
    }
    for kept in verifications.iter().filter(|kept| kept.method.is_verified()) {
        match &kept.method {
            Method::EmailVerificationCode(_) | Method::OneTimeToken { .. } => amr.push("otp"),
            Method::PhoneVerificationCode(_) => amr.push("sms"),
            _ => {}
        }
    }
    Ok((amr, has_link))
}

/// Writes the staged data and the sign-in of the user.
async fn write(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    user_id: &UserId,
    event: InteractionEvent,
) -> Result<User, InteractionRefusal> {
    let now = work.now();
    let user = users::signed_in(work, user_id, now).await?.ok_or(InteractionRefusal::UnknownUser)?;
    let (staged, mfa) = (current.progress.profile.clone(), current.progress.mfa.clone());
    let passkeys: Vec<_> = mfa.passkeys.iter().filter(|passkey| !passkey.is_stored).cloned().collect();
    if !mfa.is_empty() {
        accounts::change_settings(work, user_id, |settings| {
            choose(&mut settings.mfa, &mfa);
            settings.passkey_sign_in.skipped |= mfa.passkey_skipped;
        })
        .await?;
    }
    let factors = [(FactorType::Totp, mfa.totp), (FactorType::BackupCode, mfa.backup_codes)];
    let factors: Vec<_> = factors.into_iter().filter_map(|(kind, staged)| Some((kind, staged?))).collect();
    renew(work, &current.progress, user_id, now).await?;
    let (name, avatar) = followed(&current.progress, &user);
    let (name, avatar) = (staged.name.clone().or(name), staged.avatar.clone().or(avatar));
    if staged.is_empty() && factors.is_empty() && passkeys.is_empty() && name.is_none() && avatar.is_none() {
        return Ok(user);
    }
    let identities = identities(&staged);
    let algorithm = PasswordAlgorithm::Argon2id;
    let password = staged.password_digest.map(|digest| PasswordDigest { digest, algorithm });
    let (primary_email, primary_phone) = (staged.primary_email, staged.primary_phone);
    let given = Completion {
        username: staged.username,
        password,
        primary_email,
        primary_phone,
        name,
        avatar,
        profile: staged.profile,
        custom_data: staged.custom_data,
        identities,
        passkeys,
        factors,
    };
    let during = current.happening(event, user_id, Value::Null);
    Ok(accounts::complete(work, &current.app.cipher, user_id, given, during).await?)
}
