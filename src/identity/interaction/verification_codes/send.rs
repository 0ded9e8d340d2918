//! Sends a code to an email address or phone number to verify its ownership.

use super::requester::{CodePurpose, requester};
use crate::interaction::administrators::is_administrator;
use crate::interaction::attempts;
use crate::interaction::captcha;
use crate::interaction::current::CurrentInteraction;
use crate::interaction::find_user::find;
use crate::interaction::language::of_messages;
use crate::interaction::proof::check_resets;
use crate::interaction::refusal::InteractionRefusal;
use crate::interaction::step::InteractionStep;
use claimsmith_domain::documents::message::{self, TemplateType};
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::interaction::{InteractionEvent, Method, Verification};
use claimsmith_domain::message::{Contents, Message, Recipient};
use claimsmith_domain::sent_code::SentCode;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::messages::{self, Admitted, MessageRequester};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::verification_codes::{self, NewCode, Requester};
use claimsmith_storage::users::User;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

/// Sends a code for the current event; returns the id of the verification. The response does not reveal whether it was
/// sent.
pub async fn send(
    current: &mut CurrentInteraction,
    identifier: Identifier,
    event: InteractionEvent,
) -> Result<String, InteractionRefusal> {
    let step = identifier.kind.channel().map_or(InteractionStep::Update, InteractionStep::NewCode);
    let outcome = decide_and_send(current, identifier, event).await;
    current.note(step, outcome)
}

/// A code to send.
pub(crate) struct CodeRequest {
    /// The identifier that was entered, or the user's own.
    pub identifier: Identifier,
    /// The recipient.
    pub recipient: Recipient,
    /// The template of the message.
    pub template: TemplateType,
    /// Whether the code is actually sent.
    pub is_sent: bool,
    /// Whether the recipient has signed in in this browser before.
    pub is_known: bool,
    /// The user, if the code is a second factor.
    pub user_id: Option<UserId>,
}

async fn decide_and_send(
    current: &mut CurrentInteraction,
    identifier: Identifier,
    event: InteractionEvent,
) -> Result<String, InteractionRefusal> {
    let kind = identifier.kind;
    let channel = kind.channel().ok_or(InteractionRefusal::ImpossibleIdentifier(kind))?;
    let identifier = identifier.stored().ok_or(InteractionRefusal::ImpossibleIdentifier(kind))?;
    let now_event = current.event()?;
    let is_reset = |event| event == InteractionEvent::ForgotPassword;
    if current.progress.authenticated || is_reset(event) != is_reset(now_event) {
        return Err(InteractionRefusal::WrongEvent);
    }
    let settings = current.settings().await?;
    let is_identified = current.progress.user_id.is_some();
    if !event.is_open(settings.sign_in_mode) && !is_identified {
        return Err(InteractionRefusal::Closed);
    }
    check_used(current, &settings, &identifier, event)?;
    if !is_identified {
        captcha::check(current, &settings).await?;
    }
    let (user, is_known) = find(current, &identifier).await?;
    let gives = event == InteractionEvent::Register || is_identified;
    if gives && user.is_none() && !identifier.may_be_given() {
        return Err(InteractionRefusal::ImpossibleIdentifier(kind));
    }
    // Administrators get no code; the response is the same.
    let administers = is_administrator(&current.app, &mut current.app.db.read().await?, user.as_ref()).await?;
    let is_sent = is_identified || is_sent_to(&current.app, &settings, &identifier, event, user.as_ref());
    let is_sent = is_sent && !administers;
    // Sent to the address as stored with the account: another spelling may belong to another person.
    let own = user.as_ref().and_then(|user| match channel {
        Channel::Email => user.primary_email.clone(),
        Channel::Phone => user.primary_phone.clone(),
    });
    let address = own.unwrap_or_else(|| identifier.value.clone());
    let recipient = recipient(channel, &address).ok_or(InteractionRefusal::ImpossibleIdentifier(kind))?;
    let is_bound = is_identified && !settings.sign_up.asks_for(kind) && !is_reset(event);
    let template = if is_bound { TemplateType::BindMfa } else { template_of(event) };
    let request = CodeRequest { identifier, recipient, template, is_sent, is_known, user_id: None };
    deliver(current, &settings, CodePurpose::Identifier, request).await
}

/// Refuses codes that could not be used, before a message is sent. A code for a sign-in that the settings do not accept
/// is refused when it identifies the user, except at the server's own applications, which never send any.
fn check_used(
    current: &CurrentInteraction,
    settings: &SignInExperience,
    identifier: &Identifier,
    event: InteractionEvent,
) -> Result<(), InteractionRefusal> {
    let kind = identifier.kind;
    let channel = kind.channel().ok_or(InteractionRefusal::ImpossibleIdentifier(kind))?;
    let is_used = match event {
        InteractionEvent::ForgotPassword => return check_resets(settings, channel),
        _ if current.progress.user_id.is_some() => true,
        InteractionEvent::Register => settings.sign_up.asks_for(kind),
        InteractionEvent::SignIn => !current.is_of_own_client(),
    };
    if !is_used {
        return Err(InteractionRefusal::MethodDisabled);
    }
    if event == InteractionEvent::Register && channel == Channel::Email {
        settings
            .email_blocklist_policy
            .check(&identifier.value, &current.app.disposable_domains)
            .map_err(InteractionRefusal::BlockedEmail)?;
    }
    Ok(())
}

/// Whether the code is sent: to a user with the address, or for a registration that the settings allow. Other
/// recipients could not use it.
fn is_sent_to(
    app: &App,
    settings: &SignInExperience,
    identifier: &Identifier,
    event: InteractionEvent,
    user: Option<&User>,
) -> bool {
    let may_register = || {
        let is_open = InteractionEvent::Register.is_open(settings.sign_in_mode);
        let is_blocked = identifier.kind.channel() == Some(Channel::Email)
            && settings.email_blocklist_policy.check(&identifier.value, &app.disposable_domains).is_err();
        is_open && settings.sign_up.asks_for(identifier.kind) && !is_blocked
    };
    match event {
        InteractionEvent::Register => true,
        InteractionEvent::SignIn => user.is_some() || may_register(),
        InteractionEvent::ForgotPassword => user.is_some(),
    }
}

/// Creates the code and the message in one transaction. Limits per IP address and recipient are checked before; the
/// total limit of text messages when one is written.
pub(crate) async fn deliver(
    current: &mut CurrentInteraction,
    settings: &SignInExperience,
    role: CodePurpose,
    request: CodeRequest,
) -> Result<String, InteractionRefusal> {
    let channel =
        request.identifier.kind.channel().ok_or(InteractionRefusal::ImpossibleIdentifier(request.identifier.kind))?;
    let app = current.app.clone();
    let language = of_messages(current, &settings.language_info).await?;
    let message_requester = MessageRequester {
        actor: Actor::Application { id: current.request.client_id.clone() },
        origin: current.browser.origin.clone(),
        interaction: Some(current.happening(current.event()?, &UserId::from(""), Value::Null)),
        is_known: request.is_known,
    };
    attempts::count_send(&app, current.browser.origin.ip).await?;
    let admitted = app.messages.admit(request.recipient.clone(), request.template, message_requester).await?;
    let requester = requester(current, role, channel);
    let mut work = current.begin().await?;
    // Earlier unsent messages are obsolete.
    let now = work.now();
    for former in former(current, role, channel) {
        messages::withdraw(&mut work, &former, now).await?;
    }
    let id = if request.is_sent {
        let made = make(current, &mut work, settings, &requester).await?;
        let contents = Contents {
            application: current.application().cloned(),
            ip: current.browser.origin.ip,
            ..Contents::code(made.code.expose_secret())
        };
        let expires_at = now + settings.verification_code_policy.lifetime_ms();
        let about = Some(made.id.clone());
        let message = Message { template: request.template, language, contents, expires_at, about };
        write(current, &mut work, &admitted, &message).await?;
        made.id
    } else {
        let source = (&app.random, &*app.cipher);
        verification_codes::make_decoy(&mut work, source, &requester, &settings.verification_code_policy, now).await?
    };
    let sent = SentCode {
        recipient: request.recipient.address().to_owned(),
        identifier: request.identifier,
        template_type: request.template,
        verified: false,
        user_id: request.user_id,
    };
    let (method, step) = match (role, channel) {
        (CodePurpose::Identifier, Channel::Email) => {
            (Method::EmailVerificationCode(sent), InteractionStep::NewCode(channel))
        }
        (CodePurpose::Identifier, Channel::Phone) => {
            (Method::PhoneVerificationCode(sent), InteractionStep::NewCode(channel))
        }
        (CodePurpose::Factor, Channel::Email) => {
            (Method::MfaEmailVerificationCode(sent), InteractionStep::NewFactorCode(channel))
        }
        (CodePurpose::Factor, Channel::Phone) => {
            (Method::MfaPhoneVerificationCode(sent), InteractionStep::NewFactorCode(channel))
        }
    };
    current.progress.keep(Verification { id: id.clone(), method });
    current.save(&mut work, step, json!({ "verificationId": id, "templateType": request.template })).await?;
    work.commit().await?;
    Ok(id)
}

async fn make(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    settings: &SignInExperience,
    requester: &Requester,
) -> Result<NewCode, InteractionRefusal> {
    let (app, now) = (&current.app, work.now());
    let source = (&app.random, &*app.cipher);
    Ok(verification_codes::make(work, source, requester, &settings.verification_code_policy, now).await?)
}

async fn write(
    current: &CurrentInteraction,
    work: &mut UnitOfWork,
    to: &Admitted,
    message: &Message,
) -> Result<(), InteractionRefusal> {
    let now = work.now();
    current.app.messages.append(work, to, message, now).await?;
    Ok(())
}

/// The verifications that a new code replaces.
fn former(current: &CurrentInteraction, role: CodePurpose, channel: Channel) -> Vec<String> {
    let replaced = |method: &Method| match (role, channel) {
        (CodePurpose::Identifier, Channel::Email) => matches!(method, Method::EmailVerificationCode(_)),
        (CodePurpose::Identifier, Channel::Phone) => matches!(method, Method::PhoneVerificationCode(_)),
        (CodePurpose::Factor, Channel::Email) => matches!(method, Method::MfaEmailVerificationCode(_)),
        (CodePurpose::Factor, Channel::Phone) => matches!(method, Method::MfaPhoneVerificationCode(_)),
    };
    let known = current.progress.verifications.iter().filter(|kept| replaced(&kept.method));
    known.map(|kept| kept.id.clone()).collect()
}

/// The recipient of a code over this channel.
pub(crate) fn recipient(channel: Channel, address: &str) -> Option<Recipient> {
    match channel {
        Channel::Email => Recipient::email(address),
        Channel::Phone => Recipient::phone(address),
    }
}

fn template_of(event: InteractionEvent) -> TemplateType {
    match event {
        InteractionEvent::SignIn => TemplateType::SignIn,
        InteractionEvent::Register => TemplateType::Register,
        InteractionEvent::ForgotPassword => TemplateType::ForgotPassword,
    }
}

impl From<messages::MessageRefusal> for InteractionRefusal {
    fn from(refusal: messages::MessageRefusal) -> Self {
        match refusal {
            messages::MessageRefusal::NoConnector(message::MessageChannel::Email) => Self::NoConnector(Channel::Email),
            messages::MessageRefusal::NoConnector(message::MessageChannel::Sms) => Self::NoConnector(Channel::Phone),
            messages::MessageRefusal::RateLimited(_) => Self::MessagesLimited,
            messages::MessageRefusal::Failed(error) => Self::Failed(error),
        }
    }
}
