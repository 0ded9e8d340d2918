//! Confirmation of the operator's identity on the page itself ("sudo"): a form that needs a recent sign-in is sealed
//! and handed to the browser. It comes back with the operator's password and second factor, or with a passkey, and is
//! carried out at once. The confirmation counts for the session for ten minutes.
//!
//! A seal is bound to the user, the session of their sign-in and the path. It is carried out once, within ten minutes;
//! after that, the operator is asked again.

use super::guard::OperatorSession;
use super::session;
use axum::http::{HeaderValue, StatusCode};
use claimsmith_console::{Confirmation, ConfirmationInput, ConfirmationProblem, ConfirmationQuestion};
use claimsmith_console::{Operator, PendingForm};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::BuiltInClient;
use claimsmith_domain::console::operations::RECENT_MS;
use claimsmith_domain::id::{SessionId, UserId};
use claimsmith_identity::access::administrator::ConsoleDoor;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_identity::own_account::confirmation::{self, ConfirmationAnswer, ConfirmationMethods};
use claimsmith_identity::own_account::owner::{Owner, OwnerAccess};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_pages::failure::PageError;
use claimsmith_runtime::json::{self, INCOMING, STORED};
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::encryption::Purpose;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::console::confirmations;
use claimsmith_storage::{self as storage, sessions};
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::error::log_failure;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The time in which a sealed form can be confirmed, in milliseconds: as long as a confirmation counts.
const LIFETIME_MS: i64 = RECENT_MS;
/// Maximum bytes of a sealed form before encryption: fits the source of most plugins, and comes back within the maximum
/// size of a form.
const MAX_FORM_BYTES: usize = 4 * 1024 * 1024;
/// The row id that encryption needs, for a value that has no row.
const ROW: &str = "form";
/// Characters of the id of a seal, of an alphabet of 36: more than 128 bits.
const ID_CHARS: usize = 26;
const MINUTE_MS: i64 = 60_000;

const UNKNOWN: &str = "This form cannot be confirmed here: it belongs to another account or another page. Nothing was \
                       changed.";
const SENT: &str = "This form was already sent. See whether it was carried out before you fill it in again.";
const ENDED: &str = "Your session has ended. Nothing was changed; sign in again.";

/// A form that waits for its confirmation. It does not implement `Debug`, so that entered secrets are not logged.
#[derive(Serialize, Deserialize)]
struct SealedForm {
    id: String,
    user_id: UserId,
    /// The session of the sign-in.
    session_id: SessionId,
    path: String,
    fields: Vec<(String, String)>,
    /// The state of the question to the operator's passkeys.
    challenge: Option<Value>,
    /// Unix milliseconds.
    sealed_at: i64,
}

/// What to ask the operator, with the sealed form.
pub(super) async fn ask(
    app: &App,
    session: &OperatorSession,
    form: PendingForm,
) -> Result<ConfirmationQuestion, PageError> {
    let methods = match owner(app, session).await? {
        Some(owner) => match confirmation::methods(&owner).await {
            Ok(methods) => methods,
            Err(OwnAccountRefusal::Common(InteractionRefusal::Failed(error))) => {
                return Err(PageError::logged(log_failure(&*error)));
            }
            // Suspended or deleted in the meantime.
            Err(_) => ConfirmationMethods::default(),
        },
        None => ConfirmationMethods::default(),
    };
    let (passkey, challenge) = methods.passkey.map(|asked| (asked.options.to_string(), asked.state)).unzip();
    let sealed = SealedForm {
        id: app.random.id(ID_CHARS)?,
        user_id: session.user_id.clone(),
        session_id: session.session.session_id.clone(),
        path: form.path,
        fields: form.fields,
        challenge,
        sealed_at: app.clock.now_ms(),
    };
    let text = serde_json::to_vec(&sealed)?;
    let sealed =
        if text.len() <= MAX_FORM_BYTES { Some(app.cipher.encrypt(Purpose::ConsoleAction, ROW, &text)?) } else { None };
    Ok(ConfirmationQuestion { password: methods.password, code: methods.code, passkey, sealed })
}

/// Decides about a sealed form that came back.
pub(super) async fn confirm(
    app: &App,
    operator: &Operator,
    session: &OperatorSession,
    input: ConfirmationInput,
) -> Result<Confirmation, PageError> {
    let Some(sealed) = open(app, session, &input) else { return Ok(Confirmation::Refused(UNKNOWN)) };
    let form = PendingForm { path: sealed.path.clone(), fields: sealed.fields.clone() };
    if !input.is_from_session {
        return Ok(Confirmation::Outdated(form));
    }
    let now = app.clock.now_ms();
    let is_recent = now - session.authenticated_at < RECENT_MS;
    let is_valid = (0..LIFETIME_MS).contains(&(now - sealed.sealed_at));
    if !is_valid || sealed.session_id != session.session.session_id {
        return Ok(if is_recent {
            Confirmation::Outdated(form)
        } else {
            let text = "This page was open for too long. Nothing has been changed yet; confirm again.";
            Confirmation::Asked(form, problem(StatusCode::FORBIDDEN, text))
        });
    }
    if is_recent {
        // Signed in again, or confirmed in another tab.
        let mut tx = app.db.begin().await?;
        let expires_at = sealed.sealed_at + LIFETIME_MS;
        let used = confirmations::use_up(&mut tx, &sealed.id, &sealed.session_id, expires_at).await;
        return match used {
            Ok(true) => {
                tx.commit().await?;
                Ok(Confirmation::Confirmed { form, operator: operator.clone(), cookie: None })
            }
            Ok(false) => Ok(Confirmation::Refused(SENT)),
            Err(storage::Error::Missing) => Ok(Confirmation::Refused(ENDED)),
            Err(error) => Err(error.into()),
        };
    }
    let Some(answer) = answer(&input, sealed.challenge.as_ref()) else {
        let text = "Nothing has been changed yet: confirm your identity, or sign in again first.";
        return Ok(Confirmation::Asked(form, problem(StatusCode::FORBIDDEN, text)));
    };
    let Some(owner) = owner(app, session).await? else { return Ok(Confirmation::Refused(ENDED)) };
    let outcome = confirmation::confirm(&owner, answer).await;
    match outcome {
        Ok(()) => renew(app, operator, session, sealed, form).await,
        Err(refusal) => Ok(Confirmation::Asked(form, explain(refusal)?)),
    }
}

/// The operator has confirmed their identity: the session is renewed, under another cookie.
async fn renew(
    app: &App,
    operator: &Operator,
    session: &OperatorSession,
    sealed: SealedForm,
    form: PendingForm,
) -> Result<Confirmation, PageError> {
    let actor = Actor::User { id: session.user_id.clone(), application_id: BuiltInClient::Console.id().into() };
    let mut work = UnitOfWork::begin(&app.db, actor, session.origin.clone(), app.clock.now_ms()).await?;
    match confirmations::use_up(&mut work, &sealed.id, &sealed.session_id, sealed.sealed_at + LIFETIME_MS).await {
        Ok(true) => {}
        Ok(false) => return Ok(Confirmation::Refused(SENT)),
        Err(storage::Error::Missing) => return Ok(Confirmation::Refused(ENDED)),
        Err(error) => return Err(error.into()),
    }
    let Some((cookie, renewed)) = session::renew(&mut work, app, &session.session).await? else {
        return Ok(Confirmation::Refused(ENDED));
    };
    let details = json!({ "userId": session.user_id, "sessionId": sealed.session_id });
    work.audit(AuditKey::ConsoleConfirm, details).await?;
    work.commit().await?;
    let cookie = HeaderValue::try_from(BrowserCookie::Console.set(app, cookie).to_string()).ok();
    let session = OperatorSession {
        user_id: session.user_id.clone(),
        roles: session.roles,
        authenticated_at: renewed.authenticated_at,
        origin: session.origin.clone(),
        door: ConsoleDoor::now(&renewed.hash),
        session: renewed,
        known_hash: session.known_hash.clone(),
    };
    let operator = Operator { session: Arc::new(session), ..operator.clone() };
    Ok(Confirmation::Confirmed { form, operator, cookie })
}

/// The sealed form, if it belongs to this user and this path.
fn open(app: &App, session: &OperatorSession, input: &ConfirmationInput) -> Option<SealedForm> {
    let text = app.cipher.decrypt(Purpose::ConsoleAction, ROW, &input.sealed).ok()?;
    let sealed: SealedForm = json::read(&text, STORED).ok()?;
    (sealed.user_id == session.user_id && sealed.path == input.path).then_some(sealed)
}

/// What the operator entered; `None` if nothing.
fn answer<'i>(input: &'i ConfirmationInput, challenge: Option<&'i Value>) -> Option<ConfirmationAnswer<'i>> {
    if input.passkey.is_empty() {
        let ConfirmationInput { password, code, .. } = input;
        return (!password.is_empty()).then_some(ConfirmationAnswer::Password { password, code });
    }
    let answer: Map<String, Value> = json::read(&input.passkey, INCOMING).unwrap_or_default();
    Some(ConfirmationAnswer::Passkey { answer, challenge: challenge? })
}

/// The operator as the owner of their account; `None` if the session of their sign-in has ended.
async fn owner(app: &App, session: &OperatorSession) -> Result<Option<Owner>, PageError> {
    let found = sessions::find(&mut app.db.read().await?, &session.session.session_id).await?;
    let Some(found) = found.filter(|found| found.user_id == session.user_id) else { return Ok(None) };
    Ok(Some(Owner {
        app: app.clone(),
        user_id: session.user_id.clone(),
        way: OwnerAccess::Page { session: found, known_hash: session.known_hash.clone() },
        origin: session.origin.clone(),
        accept_language: String::new(),
    }))
}

fn problem(status: StatusCode, text: impl Into<String>) -> ConfirmationProblem {
    ConfirmationProblem { status, text: text.into() }
}

/// The message for a wrong answer.
fn explain(refusal: OwnAccountRefusal) -> Result<ConfirmationProblem, PageError> {
    let wrong = |text: &str| Ok(problem(StatusCode::UNPROCESSABLE_ENTITY, text));
    let OwnAccountRefusal::Common(refusal) = refusal else { return wrong(ENDED) };
    match refusal {
        InteractionRefusal::InvalidCredentials => wrong("Incorrect password."),
        InteractionRefusal::InvalidTotp | InteractionRefusal::InvalidBackupCode => wrong("Incorrect code."),
        InteractionRefusal::InvalidPasskey | InteractionRefusal::Superseded => {
            wrong("This passkey was not accepted. Try again, or use another one.")
        }
        InteractionRefusal::Blocked(ms) => {
            let minutes = ms.max(0).div_euclid(MINUTE_MS) + 1;
            let text = format!("Too many failed attempts. Try again in {minutes} min.");
            Ok(problem(StatusCode::TOO_MANY_REQUESTS, text))
        }
        InteractionRefusal::PasswordsBusy | InteractionRefusal::TooMany(_) => {
            Ok(problem(StatusCode::SERVICE_UNAVAILABLE, "The server is busy. Try again in a moment."))
        }
        InteractionRefusal::Failed(error) => Err(PageError::logged(log_failure(&*error))),
        _ => wrong("You cannot confirm like this any longer. Sign in again."),
    }
}
