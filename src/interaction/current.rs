//! The interaction of a browser: loaded by its cookie, and saved step by step. Of two steps at once one is refused.

use super::application;
use super::refusal::InteractionRefusal;
use super::step::InteractionStep;
use crate::activity::ActivityKind;
use crate::app::App;
use crate::audit::{Actor, Entry};
use crate::documents::sign_in_experience::SignInExperience;
use crate::domain::authorization::request::AuthorizationRequest;
use crate::domain::id::{InteractionId, UserId};
use crate::domain::interaction::{InteractionEvent, Progress};
use crate::domain::origin::RequestOrigin;
use crate::refusal_sampling::RefusalReason;
use crate::storage::sessions::interactions;
use crate::storage::sign_in::settings::EXPERIENCE;
use crate::storage::{self, Json};
use crate::unit_of_work::UnitOfWork;
use crate::webhooks;
use serde_json::{Value, json};
use std::time::Duration;

/// Where the browser comes back to the page of one's own account, with the id of the interaction behind it.
pub(crate) const ACCOUNT_PAGE_RETURN: &str = "/account/signed-in";

/// The browser that asks, by the hashes of its cookies, and where it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Browser {
    /// Of the cookie of the interaction.
    pub interaction_hash: Option<String>,
    /// Of the cookie of the sessions.
    pub session_hash: Option<String>,
    /// Of the cookie of a browser in which somebody has signed in before.
    pub known_hash: Option<String>,
    /// Of the cookie of a browser that somebody trusts.
    pub trusted_hash: Option<String>,
    /// The request.
    pub origin: RequestOrigin,
    /// The languages that it asks for.
    pub accept_language: String,
}

/// An interaction that is under way.
pub(crate) struct Current {
    /// The server's parts.
    pub app: App,
    /// Whose it is.
    pub browser: Browser,
    /// What the application asks for.
    pub request: AuthorizationRequest,
    /// What was done so far; [`Self::save`] writes it.
    pub progress: Progress,
    stored: interactions::Interaction,
    /// The application, as events show it.
    application: Option<Value>,
}

impl Current {
    /// The live interaction of a browser.
    pub(crate) async fn load(app: &App, browser: Browser) -> Result<Self, InteractionRefusal> {
        let hash = browser.interaction_hash.as_deref().ok_or(InteractionRefusal::NoInteraction)?;
        let mut tx = app.db.read().await?;
        let found = interactions::find_live(&mut tx, hash, app.clock.now_ms()).await?;
        let stored = found.ok_or(InteractionRefusal::NoInteraction)?;
        let (Some(request), Some(progress)) = (stored.request.0.clone(), stored.state.0.clone()) else {
            return Err(InteractionRefusal::NoInteraction);
        };
        let application = match request.application_id() {
            // Without it there is nowhere to go back to.
            Some(id) => Some(application::shown(&mut tx, id).await?.ok_or(InteractionRefusal::NoInteraction)?),
            None => None,
        };
        Ok(Self { app: app.clone(), browser, request, progress, stored, application })
    }

    /// Its id, which is not the cookie.
    pub(crate) fn id(&self) -> &InteractionId {
        &self.stored.id
    }

    /// The application, as events and messages show it.
    pub(super) fn application(&self) -> Option<&Value> {
        self.application.as_ref()
    }

    /// What it is about.
    pub(crate) fn event(&self) -> Result<InteractionEvent, InteractionRefusal> {
        self.progress.event.ok_or(InteractionRefusal::NotStarted)
    }

    /// Where the browser goes when the interaction is submitted.
    pub(crate) fn resume_url(&self) -> String {
        if self.request.is_of_account_page() {
            return format!("{}{ACCOUNT_PAGE_RETURN}/{}", self.app.config.server.base_url, self.id());
        }
        format!("{}/auth/{}", self.app.issuer.name(), self.id())
    }

    /// The settings of sign-in, as they are now.
    pub(super) async fn settings(&self) -> storage::Result<SignInExperience> {
        EXPERIENCE.find(&mut self.app.db.read().await?).await
    }

    /// Begins the transaction of a step, and holds the interaction: whoever does another step waits, and is refused.
    pub(super) async fn begin(&mut self) -> Result<UnitOfWork, InteractionRefusal> {
        let mut work = self.work().await?;
        self.write(&mut work).await?;
        Ok(work)
    }

    /// Begins a transaction that is no step.
    pub(super) async fn work(&self) -> storage::Result<UnitOfWork> {
        let actor = Actor::Application { id: self.request.client_id.clone() };
        let (origin, now) = (self.browser.origin.clone(), self.app.clock.now_ms());
        UnitOfWork::begin(&self.app.db, actor, origin, now).await
    }

    /// Writes what was done, with its audit entry. `details` must not hold secrets.
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
        // Choosing an account and consenting need no event: whoever is signed in does both.
        let key = step.key(self.progress.event.unwrap_or(InteractionEvent::SignIn));
        Ok(work.audit(key, self.described(details)).await?)
    }

    /// Writes what was done without an audit entry: a step follows that has one.
    pub(super) async fn keep(&mut self, work: &mut UnitOfWork) -> Result<(), InteractionRefusal> {
        self.stored.state = Json(Some(self.progress.clone()));
        self.write(work).await
    }

    async fn write(&mut self, work: &mut UnitOfWork) -> Result<(), InteractionRefusal> {
        if !interactions::update(work, &self.stored).await? {
            return Err(InteractionRefusal::Superseded);
        }
        self.stored.revision += 1;
        Ok(())
    }

    /// Keeps a refusal for the audit log, as the refusals of token requests are kept.
    pub(super) fn note<T>(
        &self,
        step: InteractionStep,
        outcome: Result<T, InteractionRefusal>,
    ) -> Result<T, InteractionRefusal> {
        let Err(refusal) = &outcome else { return outcome };
        if matches!(refusal, InteractionRefusal::Failed(_)) {
            return outcome;
        }
        if step.is_proof() {
            self.app.activity.count(ActivityKind::SignIn, true, Duration::ZERO);
        }
        let (key, (_, code)) =
            (step.key(self.progress.event.unwrap_or(InteractionEvent::SignIn)), refusal.status_and_code());
        let (client_id, origin) = (self.request.client_id.clone(), &self.browser.origin);
        let reason = RefusalReason { client_id: Some(client_id.clone()), address: origin.ip, key, code };
        let message = refusal.message();
        if self.app.refusals.admit(&reason, &message) {
            let entry = Entry::refused(key, code, &message).from(origin).by(&Actor::Application { id: client_id });
            let about = self.described(json!({}));
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

    /// The interaction as events show it; `user` is needed in those about the sign-in itself.
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
