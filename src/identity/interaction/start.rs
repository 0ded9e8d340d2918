//! Starts an interaction, and switches its event between signing in, registering and a forgotten password.

use super::captcha;
use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use super::rows::{self, RowCaller};
use super::session::Error;
use super::step::InteractionStep;
use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::id::SessionId;
use claimsmith_domain::interaction::{InteractionEvent, Method, Progress, StagedProfile};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_domain::staged_factors::StagedMfa;
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage::Json;
use claimsmith_storage::sessions::interactions::Interaction;
use serde_json::json;

/// Retry delay for an IP address that begins too many interactions, in milliseconds.
const PAUSE_MS: i64 = 1000;

/// Creates an interaction for a request, and its cookie: a secret, followed by data that only the browser may know.
pub fn new_interaction(
    app: &App,
    request: AuthorizationRequest,
    session_id: Option<SessionId>,
    known_to_browser: &str,
) -> Result<(Interaction, String), Error> {
    let now = app.clock.now_ms();
    let cookie = app.random.secret(43)? + known_to_browser;
    let lifetime = i64::try_from(app.config.sessions.interaction_ttl.as_millis()).unwrap_or(i64::MAX / 2);
    let interaction = Interaction {
        id: app.random.id(21)?.into(),
        hash: tokens::hash(&cookie),
        request: Json(Some(request)),
        state: Json(Some(Progress { session_id, ..Progress::default() })),
        revision: 0,
        created_at: now,
        expires_at: now + lifetime,
    };
    Ok((interaction, cookie))
}

/// The stored size of a request in bytes.
#[must_use]
pub fn bytes_of(request: &AuthorizationRequest) -> usize {
    serde_json::to_string(request).map_or(usize::MAX, |text| text.len())
}

/// Admits one more interaction from this IP address.
pub fn admit(app: &App, origin: &RequestOrigin, request: &AuthorizationRequest) -> Result<(), InteractionRefusal> {
    if !app.interactions.admits(origin.ip, app.clock.now_ms()) {
        return Err(InteractionRefusal::Blocked(PAUSE_MS));
    }
    let caller = RowCaller { client_id: Some(&request.client_id), ..RowCaller::default() };
    // The row of a pushed request is kept beside its interaction.
    let copies = if request.pushed_hash.is_some() { 2 } else { 1 };
    rows::take(app, RowKind::Interactions, origin, caller, copies * bytes_of(request))
}

/// Begins an interaction, or restarts it with empty progress. `answer` is the answer to a captcha.
pub async fn start(
    current: &mut CurrentInteraction,
    event: InteractionEvent,
    answer: Option<&str>,
) -> Result<(), InteractionRefusal> {
    // Before the transaction, since a captcha provider may be called.
    let captcha = captcha::answer(current, answer).await?;
    // The page may have requested a passkey before.
    let passkey_challenge = current.progress.passkey_challenge.clone();
    let progress = Progress { event: Some(event), passkey_challenge, captcha, ..Progress::default() };
    let outcome = begin(current, event, progress).await;
    current.note(InteractionStep::Update, outcome)
}

/// Switches to another event. Verifications are kept; staged data and the identified user are discarded.
pub async fn switch(current: &mut CurrentInteraction, event: InteractionEvent) -> Result<(), InteractionRefusal> {
    let outcome = change(current, event).await;
    current.note(InteractionStep::Update, outcome)
}

async fn change(current: &mut CurrentInteraction, event: InteractionEvent) -> Result<(), InteractionRefusal> {
    let mut progress = current.progress.clone();
    if current.event()? != event {
        // Verifications for a forgotten password are not valid for other events.
        if [current.event()?, event].contains(&InteractionEvent::ForgotPassword) {
            return Err(InteractionRefusal::ForgotPassword);
        }
        // The account already exists, so the event cannot change.
        if progress.registered || progress.authenticated {
            return Err(InteractionRefusal::WrongEvent);
        }
        (progress.profile, progress.mfa) = (StagedProfile::default(), StagedMfa::default());
        (progress.user_id, progress.credential) = (None, None);
        progress.extra_profile_submitted = false;
    }
    begin(current, event, Progress { event: Some(event), ..progress }).await
}

async fn begin(
    current: &mut CurrentInteraction,
    event: InteractionEvent,
    progress: Progress,
) -> Result<(), InteractionRefusal> {
    let settings = current.settings().await?;
    let has_link = current.request.one_time_token_hash.is_some() && !current.is_of_own_client()
        || progress.verifications.iter().any(|kept| matches!(kept.method, Method::OneTimeToken { .. }));
    // Nothing resets passwords at the server's own applications. Elsewhere the code is refused, if no way is enabled.
    if event == InteractionEvent::ForgotPassword && current.is_of_own_client() {
        return Err(InteractionRefusal::ForgotPassword);
    }
    // A link admits its recipient in every sign-in mode.
    if !has_link && !event.is_open(settings.sign_in_mode) {
        return Err(InteractionRefusal::Closed);
    }
    let mut work = current.begin().await?;
    let is_answered = progress.captcha.round != current.progress.captcha.round;
    current.progress = progress;
    current.save(&mut work, InteractionStep::Update, json!({})).await?;
    if is_answered {
        current.audit(&mut work, InteractionStep::Captcha, json!({})).await?;
    }
    Ok(work.commit().await?)
}
