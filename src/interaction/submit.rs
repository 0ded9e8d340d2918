//! The end of an interaction: everything is checked again, then what was staged is written and a session begun, in one
//! transaction with the events.

use super::current::Current;
use super::factors::holder::{Holder, choose};
use super::known_browser;
use super::profile::check_mandatory;
use super::refusal::Refusal;
use super::session::begin;
use super::step::Step;
use super::user_check::check_user;
use crate::accounts::{self, Completion, PasswordDigest, UserFields};
use crate::domain::event::EventType;
use crate::domain::id::UserId;
use crate::domain::interaction::{IdentifierType, InteractionEvent, Method, StagedProfile};
use crate::domain::mfa::FactorType;
use crate::domain::sign_in_experience::username_check;
use crate::domain::staged_factors::StagedMfa;
use crate::domain::user::PasswordAlgorithm;
use crate::storage::sessions::SessionDetails;
use crate::storage::sign_in::experience;
use crate::storage::users::{self, User};
use crate::unit_of_work::UnitOfWork;
use crate::webhooks::Event;
use serde_json::{Value, json};

/// An interaction that was submitted.
pub(crate) struct Submitted {
    /// None when it was submitted before.
    pub cookies: Option<NewCookies>,
    /// Where the browser goes.
    pub redirect_to: String,
}

/// The new cookies of the browser in which somebody signed in.
pub(crate) struct NewCookies {
    /// Of the sessions.
    pub session: String,
    /// By which the browser is known.
    pub known: String,
}

/// Signs the user in. Once more, it only says again where the browser goes.
pub(crate) async fn submit(mut current: Current) -> Result<Submitted, Refusal> {
    if let Some(submitted) = submitted_before(&current) {
        return Ok(submitted);
    }
    match sign_in(&mut current).await {
        // Another request may have submitted it meanwhile.
        Err(Refusal::Superseded) => {
            let now = Current::load(&current.app, current.browser.clone()).await?;
            let submitted = submitted_before(&now).ok_or(Refusal::Superseded);
            current.note(Step::Submit, submitted)
        }
        outcome => current.note(Step::Submit, outcome),
    }
}

fn submitted_before(current: &Current) -> Option<Submitted> {
    let is_submitted = current.progress.authenticated && current.progress.session_id.is_some();
    is_submitted.then(|| Submitted { cookies: None, redirect_to: current.resume_url() })
}

async fn sign_in(current: &mut Current) -> Result<Submitted, Refusal> {
    current.event()?;
    let user_id = current.progress.user_id.clone().ok_or(Refusal::NotIdentified)?;
    let mut work = current.begin().await?;
    let Checked { event, amr } = check(current, &mut work, &user_id).await?;
    let user = write(current, &mut work, &user_id, event).await?;
    let kind = if event == InteractionEvent::Register { EventType::PostRegister } else { EventType::PostSignIn };
    let shown = serde_json::to_value(UserFields::from(user))?;
    work.emit(&Event::during(kind, current.happening(event, &user_id, shown))).await?;
    let origin = &current.browser.origin;
    let details = SessionDetails {
        amr: amr.iter().map(ToString::to_string).collect(),
        ip: origin.ip.map(|ip| ip.to_string()),
        user_agent: origin.user_agent.clone(),
        interaction: Some(current.progress.submitted(event, &user_id)),
    };
    let app = current.app.clone();
    let browser = current.browser.session_hash.clone();
    let begun = begin(&mut work, &app.random, &app.config.sessions, browser.as_deref(), &user_id, details).await?;
    let known =
        known_browser::remember(&mut work, &app.random, current.browser.known_hash.as_deref(), &user_id).await?;
    let about = json!({ "sessionId": begun.id });
    current.progress.session_id = Some(begun.id);
    current.progress.authenticated = true;
    (current.progress.profile, current.progress.mfa) = (StagedProfile::default(), StagedMfa::default());
    current.progress.verifications = Vec::new();
    current.save(&mut work, Step::Submit, about).await?;
    work.commit().await?;
    let cookies = Some(NewCookies { session: begun.cookie, known });
    Ok(Submitted { cookies, redirect_to: current.resume_url() })
}

/// What the interaction turned out to be.
struct Checked {
    event: InteractionEvent,
    /// How the user proved who they are (RFC 8176). A backup code is a one-time password as well.
    amr: &'static [&'static str],
}

/// Looks again at all that may have changed since the user was identified.
async fn check(current: &Current, work: &mut UnitOfWork, user_id: &UserId) -> Result<Checked, Refusal> {
    let settings = experience::find(work).await?;
    let event = if current.progress.registered { InteractionEvent::Register } else { InteractionEvent::SignIn };
    if !event.is_open(settings.sign_in_mode) {
        return Err(Refusal::Closed);
    }
    let user = users::find_to_change(work, user_id).await?.ok_or(Refusal::UnknownUser)?;
    check_user(&user, current.progress.credential.as_deref())?;
    if !current.progress.registered {
        let identifier = verified_identifier(current, user_id).ok_or(Refusal::NotVerified)?;
        if !settings.sign_in.takes_password_of(identifier) {
            return Err(Refusal::MethodDisabled);
        }
    }
    let holder = Holder::load(&current.app, work, user, settings, &current.progress).await?;
    holder.check_proved(&current.progress)?;
    let (user, settings) = (&holder.user, &holder.settings);
    let staged = &current.progress.profile;
    if let Some(username) = &staged.username {
        if user.username.is_some() {
            return Err(Refusal::HasUsername);
        }
        username_check::check(&settings.username_policy, username).map_err(Refusal::Username)?;
    }
    if staged.password_digest.is_some() && user.password_digest.is_some() {
        return Err(Refusal::HasPassword);
    }
    check_mandatory(settings, Some(user), staged)?;
    holder.check_staged(&current.progress)?;
    holder.check_set_up(&current.progress)?;
    let amr: &[&str] = if holder.has_proved(&current.progress) { &["pwd", "otp", "mfa"] } else { &["pwd"] };
    Ok(Checked { event, amr })
}

/// The kind of identifier with which the user's password was verified.
fn verified_identifier(current: &Current, user: &UserId) -> Option<IdentifierType> {
    current.progress.verifications.iter().find_map(|kept| match &kept.method {
        Method::Password { identifier, user_id, .. } if user_id == user => Some(identifier.kind),
        _ => None,
    })
}

/// Writes what was staged, and that the user signed in.
async fn write(
    current: &Current,
    work: &mut UnitOfWork,
    user_id: &UserId,
    event: InteractionEvent,
) -> Result<User, Refusal> {
    let now = work.now();
    let user = users::signed_in(work, user_id, now).await?.ok_or(Refusal::UnknownUser)?;
    let (staged, mfa) = (current.progress.profile.clone(), current.progress.mfa.clone());
    if !mfa.is_empty() {
        let mut settings = users::settings::find(work, user_id).await?.unwrap_or_default();
        choose(&mut settings.mfa, &mfa);
        users::settings::put(work, user_id, &settings, now).await?;
    }
    let factors = [(FactorType::Totp, mfa.totp), (FactorType::BackupCode, mfa.backup_codes)];
    let factors: Vec<_> = factors.into_iter().filter_map(|(kind, staged)| Some((kind, staged?))).collect();
    if staged.is_empty() && factors.is_empty() {
        return Ok(user);
    }
    let algorithm = PasswordAlgorithm::Argon2id;
    let password = staged.password_digest.map(|digest| PasswordDigest { digest, algorithm });
    let given = Completion { username: staged.username, password, factors };
    let during = current.happening(event, user_id, Value::Null);
    Ok(accounts::complete(work, &current.app.cipher, user_id, given, during).await?)
}
