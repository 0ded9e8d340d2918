//! Forgotten passwords: a user who proved ownership of the account's email address or phone number chooses a new
//! password. All their sessions end, and they sign in with the new password afterwards.

use super::administrators::administers;
use super::current::CurrentInteraction;
use super::profile::{admit_new, hash};
use super::proof::standing;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use super::user_check::check_user;
use crate::accounts::{self, PasswordDigest, user_fields};
use claimsmith_domain::documents::message;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::interaction::{InteractionEvent, Progress};
use claimsmith_domain::password_policy::UserInfo;
use claimsmith_services::messages;
use claimsmith_services::passwords::HashTicket;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, Tx};
use serde_json::{Value, json};

/// The channels over which codes can be sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeChannels {
    /// Email.
    pub email: bool,
    /// Text messages.
    pub phone: bool,
}

impl CodeChannels {
    /// Loads the channels for a sign-in at this application.
    pub async fn load(tx: &mut Tx, client_id: Option<&ApplicationId>) -> storage::Result<Self> {
        let client_id = client_id.map(ApplicationId::as_str);
        Ok(Self {
            email: messages::reaches_from(tx, message::MessageChannel::Email, client_id).await?,
            phone: messages::reaches_from(tx, message::MessageChannel::Sms, client_id).await?,
        })
    }

    /// Whether codes can be sent over this channel.
    #[must_use]
    pub fn has(self, channel: Channel) -> bool {
        match channel {
            Channel::Email => self.email,
            Channel::Phone => self.phone,
        }
    }

    /// The channels whose codes can reset passwords.
    #[must_use]
    pub fn resets(self, settings: &SignInExperience) -> Vec<Channel> {
        let ways = [Channel::Email, Channel::Phone].into_iter();
        ways.filter(|channel| self.has(*channel) && settings.resets_by(*channel)).collect()
    }
}

/// Stages a new password; only its hash is stored.
pub async fn choose(current: &mut CurrentInteraction, password: &str) -> Result<(), InteractionRefusal> {
    let outcome = stage(current, password).await;
    current.note(InteractionStep::Profile, outcome)
}

async fn stage(current: &mut CurrentInteraction, password: &str) -> Result<(), InteractionRefusal> {
    if current.event()? != InteractionEvent::ForgotPassword {
        return Err(InteractionRefusal::WrongEvent);
    }
    let user = user(current).await?;
    let settings = current.settings().await?;
    let administers = administers(&current.app, &mut current.app.db.read().await?, &user.id).await?;
    standing(&current.progress, &settings, InteractionEvent::ForgotPassword, (&user, administers))?;
    let info = UserInfo {
        name: user.name.as_deref(),
        username: user.username.as_deref(),
        email: user.primary_email.as_deref(),
        phone: user.primary_phone.as_deref(),
    };
    let ticket = admit_new(current, &settings, password, &info).await?;
    if is_same(current, &ticket, &user, password).await? {
        return Err(InteractionRefusal::SamePassword);
    }
    let digest = hash(current, &ticket, password).await?;
    let mut work = current.begin().await?;
    current.progress.profile.password_digest = Some(digest);
    current.save(&mut work, InteractionStep::Profile, json!({ "type": "password" })).await?;
    Ok(work.commit().await?)
}

/// The identified user who forgot their password.
async fn user(current: &CurrentInteraction) -> Result<User, InteractionRefusal> {
    let id = current.progress.user_id.as_ref().ok_or(InteractionRefusal::NotIdentified)?;
    let user = users::find(&mut current.app.db.read().await?, id).await?.ok_or(InteractionRefusal::UnknownUser)?;
    check_user(&user, None)?;
    Ok(user)
}

/// Whether this is the user's current password. A hash that is too expensive to verify counts as different.
async fn is_same(
    current: &CurrentInteraction,
    ticket: &HashTicket,
    user: &User,
    password: &str,
) -> Result<bool, InteractionRefusal> {
    let app = &current.app;
    match accounts::verify_password(&app.db, &app.passwords, ticket, Some(user), password).await {
        Ok(_) => Ok(true),
        Err(accounts::AccountRefusal::WrongPassword | accounts::AccountRefusal::UnverifiablePassword(_)) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

/// Writes the new password: `PostResetPassword` and `User.Data.Updated`. Resets the interaction to its beginning.
pub(super) async fn submit(current: &mut CurrentInteraction) -> Result<(), InteractionRefusal> {
    let user_id = current.progress.user_id.clone().ok_or(InteractionRefusal::NotIdentified)?;
    let digest = current.progress.profile.password_digest.clone().ok_or(InteractionRefusal::NewPasswordRequired)?;
    let event = InteractionEvent::ForgotPassword;
    let mut work = current.begin().await?;
    let settings = current.settings_in(&mut work).await?;
    if !event.is_open(settings.sign_in_mode) {
        return Err(InteractionRefusal::Closed);
    }
    let user = users::find_to_change(&mut work, &user_id).await?.ok_or(InteractionRefusal::UnknownUser)?;
    check_user(&user, None)?;
    let administers = administers(&current.app, &mut work, &user_id).await?;
    standing(&current.progress, &settings, event, (&user, administers))?;
    let password = PasswordDigest { digest, algorithm: PasswordAlgorithm::Argon2id };
    let during = current.happening(event, &user_id, Value::Null);
    let user = accounts::reset_password(&mut work, &user_id, password, during).await?;
    let shown = serde_json::to_value(user_fields(user))?;
    let about = current.happening(event, &user_id, shown);
    work.emit(&Event::during(EventType::PostResetPassword, about)).await?;
    let details = json!({ "userId": user_id });
    // A captcha answer is single-use, and stays used.
    let captcha = current.progress.captcha.unanswered();
    current.progress = Progress { event: Some(event), captcha, ..Progress::default() };
    current.save(&mut work, InteractionStep::Submit, details).await?;
    Ok(work.commit().await?)
}
