//! The interaction of a browser: loaded by its cookie, and saved after each step. Of two concurrent steps, one is
//! refused.

use super::refusal::InteractionRefusal;
use super::rows::{self, RowCaller};
use super::step::InteractionStep;
use super::{application, client_settings};
use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::id::{InteractionId, UserId};
use claimsmith_domain::interaction::{InteractionEvent, Progress};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::{MAX_PROGRESS_BYTES, RowKind};
use claimsmith_services::activity::ActivityKind;
use claimsmith_services::app::App;
use claimsmith_services::audit::{Actor, Entry};
use claimsmith_services::refusal_sampling::{REPEATED, RefusalReason};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_services::webhooks;
use claimsmith_storage::sessions::interactions::{self, Interaction};
use claimsmith_storage::{self as storage, Json, Tx};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::time::Duration;

/// The return URL of the account page, followed by the id of the interaction.
pub(crate) const ACCOUNT_PAGE_RETURN: &str = "/account/signed-in";
/// The user's own account page.
const ACCOUNT_PAGE: &str = "/account";
/// The page to enter the user code of a device.
const DEVICE_PAGE: &str = "/device";

/// Selects one of the interactions of a browser.
#[derive(Clone, Debug, Default)]
pub enum WhichInteraction {
    /// Without a selection: the newest one.
    #[default]
    Newest,
    /// The one with this id.
    Named(InteractionId),
    /// The one whose cookie has this hash.
    OfCookie(String),
    /// The one that waits for the callback of a connector with this state.
    Awaiting {
        /// The connector.
        connector_id: String,
        /// The hash of the state.
        state_hash: String,
    },
}

/// The browser of a request, by the hashes of its cookies.
#[derive(Clone, Debug, Default)]
pub struct Browser {
    /// Hashes of the cookies of its interactions.
    pub interaction_hashes: Vec<String>,
    /// The selected interaction.
    pub which: WhichInteraction,
    /// Hash of the session cookie.
    pub session_hash: Option<String>,
    /// Hash of the cookie of a known browser, in which a user has signed in before.
    pub known_hash: Option<String>,
    /// Hash of the cookie of a trusted device.
    pub trusted_hash: Option<String>,
    /// The request.
    pub origin: RequestOrigin,
    /// The requested languages (`Accept-Language`).
    pub accept_language: String,
}

/// An interaction in progress.
pub struct CurrentInteraction {
    /// The server's components.
    pub app: App,
    /// The browser of the interaction.
    pub browser: Browser,
    /// The authorization request of the application.
    pub request: AuthorizationRequest,
    /// The progress so far; `Self::save` writes it.
    pub progress: Progress,
    stored: Interaction,
    /// Maximum size of its progress so far, in bytes.
    stored_bytes: usize,
    /// The application, as events show it.
    application: Option<Value>,
}

impl WhichInteraction {
    /// Finds the selected one among the interactions of a browser.
    fn of(&self, mut found: Vec<Interaction>, now: i64) -> Option<Interaction> {
        // The newest first, ended ones last.
        found.sort_by_key(|one| (one.is_over(now), Reverse(one.created_at)));
        let mut found = found.into_iter();
        match self {
            Self::Newest => found.next(),
            Self::Named(id) => found.find(|one| one.id == *id),
            Self::OfCookie(hash) => found.find(|one| one.hash == *hash),
            Self::Awaiting { connector_id, state_hash } => {
                // If none waits for this callback, the newest is returned, whose verification refuses it.
                let awaits = |one: &Interaction| {
                    one.state.0.as_ref().is_some_and(|progress| progress.awaits(connector_id, state_hash))
                };
                let all: Vec<Interaction> = found.collect();
                let at = all.iter().position(awaits).unwrap_or(0);
                all.into_iter().nth(at)
            }
        }
    }
}

/// The size of a progress in bytes.
fn bytes_of(progress: &Json<Option<Progress>>) -> usize {
    serde_json::to_string(&progress.0).map_or(usize::MAX, |text| text.len())
}

/// The URL at which a browser with an ended interaction starts again or continues with its session.
fn again_url(app: &App, request: &AuthorizationRequest, id: &InteractionId) -> String {
    let base_url = &app.config.server.base_url;
    if request.is_of_account_page() {
        format!("{base_url}{ACCOUNT_PAGE}")
    } else if request.device.is_some() {
        format!("{base_url}{DEVICE_PAGE}")
    } else {
        format!("{}/auth/{id}?again=true", app.issuer.name())
    }
}

impl CurrentInteraction {
    /// Loads the active interaction of a browser.
    pub async fn load(app: &App, browser: Browser) -> Result<Self, InteractionRefusal> {
        let (mut tx, now) = (app.db.read().await?, app.clock.now_ms());
        let found = interactions::of_browser(&mut tx, &browser.interaction_hashes).await?;
        let stored = browser.which.of(found, now).ok_or(InteractionRefusal::NoInteraction)?;
        let request = stored.request.0.clone().ok_or(InteractionRefusal::NoInteraction)?;
        let Some(progress) = stored.state.0.clone().filter(|_| !stored.is_over(now)) else {
            return Err(InteractionRefusal::Over(again_url(app, &request, &stored.id)));
        };
        let application = match request.application_id() {
            // An interaction of a deleted application cannot continue: there is no redirect URI.
            Some(id) => Some(application::shown(&mut tx, id).await?.ok_or(InteractionRefusal::NoInteraction)?),
            None => None,
        };
        let stored_bytes = bytes_of(&stored.state);
        Ok(Self { app: app.clone(), browser, request, progress, stored, stored_bytes, application })
    }

    /// Its id, which is not the cookie.
    #[must_use]
    pub fn id(&self) -> &InteractionId {
        &self.stored.id
    }

    /// The hash of its cookie.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.stored.hash
    }

    /// Ends the interaction. `false` if there was a concurrent step.
    pub(super) async fn end(&self, work: &mut UnitOfWork) -> storage::Result<bool> {
        let now = work.now();
        interactions::end(work, &self.stored, now).await
    }

    /// The application, as events and messages show it.
    pub(super) fn application(&self) -> Option<&Value> {
        self.application.as_ref()
    }

    /// The event of the interaction: sign-in, registration or a forgotten password.
    pub fn event(&self) -> Result<InteractionEvent, InteractionRefusal> {
        self.progress.event.ok_or(InteractionRefusal::NotStarted)
    }

    /// The URL to which the browser is redirected after submission.
    #[must_use]
    pub fn resume_url(&self) -> String {
        if self.request.is_of_account_page() {
            return format!("{}{ACCOUNT_PAGE_RETURN}/{}", self.app.config.server.base_url, self.id());
        }
        format!("{}/auth/{}", self.app.issuer.name(), self.id())
    }

    /// Whether the application is one of the server's own.
    #[must_use]
    pub fn is_of_own_client(&self) -> bool {
        client_settings::is_own(self.request.application_id())
    }

    /// The current sign-in settings of the application.
    pub(super) async fn settings(&self) -> storage::Result<SignInExperience> {
        self.settings_in(&mut self.app.db.read().await?).await
    }

    /// Like `settings`, read in this transaction.
    pub(crate) async fn settings_in(&self, tx: &mut Tx) -> storage::Result<SignInExperience> {
        client_settings::find(tx, self.request.application_id()).await
    }

    /// Begins the transaction of a step, and locks the interaction: a concurrent step waits and is then refused.
    pub(super) async fn begin(&mut self) -> Result<UnitOfWork, InteractionRefusal> {
        rows::take(&self.app, RowKind::Steps, &self.browser.origin, self.caller(), 0)?;
        let mut work = self.work().await?;
        self.write(&mut work).await?;
        Ok(work)
    }

    /// Begins a transaction outside of a step.
    pub(super) async fn work(&self) -> storage::Result<UnitOfWork> {
        let actor = Actor::Application { id: self.request.client_id.clone() };
        let (origin, now) = (self.browser.origin.clone(), self.app.clock.now_ms());
        UnitOfWork::begin(&self.app.db, actor, origin, now).await
    }

    /// Saves the progress with the audit entry. `details` must not contain secrets.
    pub(super) async fn save(
        &mut self,
        work: &mut UnitOfWork,
        step: InteractionStep,
        details: Value,
    ) -> Result<(), InteractionRefusal> {
        self.stored.state = Json(Some(self.progress.clone()));
        self.write(work).await?;
        self.audit(work, step, details).await
    }

    /// Writes the audit entry of a step.
    pub(super) async fn audit(
        &self,
        work: &mut UnitOfWork,
        step: InteractionStep,
        details: Value,
    ) -> Result<(), InteractionRefusal> {
        // Choosing an account and consenting have no event: the user is already signed in.
        let key = step.key(self.progress.event.unwrap_or(InteractionEvent::SignIn));
        let details = self.described(details);
        let (origin, bytes) = (&self.browser.origin, details.to_string().len());
        if rows::take(&self.app, RowKind::AuditEntries, origin, self.caller(), bytes).is_err() {
            // Steps beyond the budget are only counted.
            let client_id = Some(self.request.client_id.clone());
            self.app
                .refusals
                .fold(&RefusalReason { client_id, address: origin.ip, key, code: REPEATED, plugin: None }, "");
            return Ok(());
        }
        Ok(work.audit(key, details).await?)
    }

    /// Saves the progress without an audit entry: a step with one follows.
    pub(super) async fn keep(&mut self, work: &mut UnitOfWork) -> Result<(), InteractionRefusal> {
        self.stored.state = Json(Some(self.progress.clone()));
        self.write(work).await
    }

    /// The caller whose budget of rows is used.
    fn caller(&self) -> RowCaller<'_> {
        RowCaller { client_id: Some(&self.request.client_id), user_id: self.progress.user_id.as_ref() }
    }

    async fn write(&mut self, work: &mut UnitOfWork) -> Result<(), InteractionRefusal> {
        let bytes = bytes_of(&self.stored.state);
        if bytes > MAX_PROGRESS_BYTES {
            return Err(InteractionRefusal::TooMuchData);
        }
        let grown = bytes.saturating_sub(self.stored_bytes);
        if grown > 0 {
            rows::grow(&self.app, RowKind::Interactions, &self.browser.origin, self.caller(), grown)?;
        }
        self.stored_bytes = self.stored_bytes.max(bytes);
        if !interactions::update(work, &self.stored).await? {
            return Err(InteractionRefusal::Superseded);
        }
        self.stored.revision += 1;
        Ok(())
    }

    /// Logs a refusal for the audit log, sampled like the refusals of token requests.
    pub(super) fn note<T>(
        &self,
        step: InteractionStep,
        outcome: Result<T, InteractionRefusal>,
    ) -> Result<T, InteractionRefusal> {
        self.note_about(step, None, outcome)
    }

    /// Like `note`, for a user who is not identified yet, such as one whose password was wrong. Only the audit log names
    /// them; no answer does.
    pub(super) fn note_about<T>(
        &self,
        step: InteractionStep,
        user_id: Option<&UserId>,
        outcome: Result<T, InteractionRefusal>,
    ) -> Result<T, InteractionRefusal> {
        let Err(refusal) = &outcome else { return outcome };
        if matches!(refusal, InteractionRefusal::Failed(_)) {
            return outcome;
        }
        if step.is_proof() {
            self.app.activity.count(ActivityKind::SignIn, true, Duration::ZERO);
        }
        let key = step.key(self.progress.event.unwrap_or(InteractionEvent::SignIn));
        let code = refusal.code().text();
        let (client_id, origin) = (self.request.client_id.clone(), &self.browser.origin);
        let reason = RefusalReason { client_id: Some(client_id.clone()), address: origin.ip, key, code, plugin: None };
        let message = refusal.message();
        if self.app.refusals.admit(&reason, &message) {
            let entry = Entry::refused(key, code, &message).from(origin).by(&Actor::Application { id: client_id });
            let about = self.described(user_id.map_or_else(|| json!({}), |id| json!({ "userId": id })));
            let entry = about
                .as_object()
                .into_iter()
                .flatten()
                .fold(entry, |entry, (name, detail)| entry.with(name, detail.clone()));
            if !entry.at(self.app.clock.now_ms()).is_ok_and(|log| self.app.issuer.note(log)) {
                self.app.refusals.fold(&reason, &message);
            }
        }
        outcome
    }

    fn described(&self, details: Value) -> Value {
        let mut about = json!({ "interactionId": self.id() });
        if let Some(about) = about.as_object_mut() {
            if let Some(user_id) = &self.progress.user_id {
                about.insert("userId".to_owned(), json!(user_id));
            }
            if let Value::Object(details) = details {
                about.extend(details);
            }
        }
        about
    }

    /// The interaction as events show it; only events about the sign-in itself need `user`.
    pub(super) fn happening(&self, event: InteractionEvent, user_id: &UserId, user: Value) -> webhooks::Interaction {
        webhooks::Interaction {
            event,
            session_id: self.id().to_string(),
            user_id: user_id.clone(),
            user,
            application: self.application.clone(),
        }
    }
}
