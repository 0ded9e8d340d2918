//! The outcome of a valid authorization request: the next page, an answer to the application, or a code.

use super::answer::{Answers, AuthorizationFailure, ReplyTo};
use super::code_change::{CodeChange, refused};
use axum::response::Response;
use claimsmith_domain::authorization::next_step::{
    InteractionResult, NextStep, SignedInAccount, consent_screen, next_step,
};
use claimsmith_domain::authorization::request::{AuthorizationRequest, Device, Prompt};
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::id::{InteractionId, OrganizationId, SessionId};
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_identity::application_access;
use claimsmith_identity::interaction::asked::{Requester, asked, is_nothing, missing};
use claimsmith_identity::interaction::code::{self, recipient};
use claimsmith_identity::interaction::device;
use claimsmith_identity::interaction::rows::{self, RowCaller};
use claimsmith_identity::interaction::session::idle_since;
use claimsmith_identity::interaction::start;
use claimsmith_pages::paths;
use claimsmith_services::app::App;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::{Client, Snapshot};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::grants::{self, GrantedScopes};
use claimsmith_storage::sessions::{self, Session};
use claimsmith_storage::{Tx, users};
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::error::OAuthError;
use claimsmith_web::redirect::see_other;
use std::sync::Arc;

/// A browser at the authorization endpoint.
pub(super) struct Visit<'v> {
    pub app: &'v App,
    pub answers: Answers<'v>,
    pub snapshot: Arc<Snapshot>,
    /// The hash of its session cookie.
    session_hash: Option<String>,
}

/// The next step, with its data.
pub(super) enum DecidedStep {
    Ask(Screen, Option<SessionId>),
    Refuse(OAuthError),
    Issue(Box<Session>, GrantedScopes),
}

impl<'v> Visit<'v> {
    pub(super) fn new(answers: Answers<'v>, snapshot: Arc<Snapshot>) -> Self {
        let session_hash = BrowserCookie::Session.hash(answers.app, answers.headers);
        Self { app: answers.app, answers, snapshot, session_hash }
    }

    /// The next step of a request. `chosen`: the organizations that the user consents to.
    pub(super) async fn decide(
        &self,
        client: &Client,
        request: &AuthorizationRequest,
        result: &InteractionResult,
        chosen: &[OrganizationId],
    ) -> Result<DecidedStep, AuthorizationFailure> {
        let now = self.app.clock.now_ms();
        let mut tx = self.app.db.read().await?;
        let sessions = self.sessions(&mut tx, now).await?;
        let account = |session: &Session| SignedInAccount {
            session_id: session.id.clone(),
            user_id: session.user_id.clone(),
            authenticated_at: session.authenticated_at,
            amr: session.details.0.as_ref().map(|details| details.amr.clone()).unwrap_or_default(),
            own_client: session.details.0.as_ref().is_some_and(|details| details.own_client),
        };
        let accounts: Vec<SignedInAccount> = sessions.iter().map(account).collect();
        let session_id = match next_step(request, &accounts, result, now) {
            NextStep::Ask(screen) => return Ok(DecidedStep::Ask(screen, None)),
            NextStep::Refuse(error, description) => {
                return Ok(DecidedStep::Refuse(OAuthError::interaction(error, description)));
            }
            NextStep::Issue(id) => id,
        };
        let found = sessions.into_iter().find(|session| session.id == session_id);
        let session = found.ok_or(AuthorizationFailure::Expired)?;
        if !application_access::admits(&mut tx, &client.application, &session.user_id).await? {
            let error = OAuthError::interaction("access_denied", "the user may not sign in to this application");
            return Ok(DecidedStep::Refuse(error));
        }
        let requester = Requester::load(&mut tx, &client.application, request, &session.user_id, chosen).await?;
        let given = self.given(&mut tx, request, &session, &requester).await?;
        let is_third_party = client.application.is_third_party;
        let is_given = if is_third_party {
            let known = grants::of_user(&mut tx, &session.user_id, Some(&request.client_id), now).await?;
            is_nothing(&missing(&given, &known))
        } else {
            true
        };
        match consent_screen(request, is_third_party, is_given, result) {
            Some(_) if request.asks(Prompt::None) => {
                let error = OAuthError::interaction("consent_required", "the user has not consented");
                Ok(DecidedStep::Refuse(error))
            }
            Some(screen) => Ok(DecidedStep::Ask(screen, Some(session.id))),
            None => Ok(DecidedStep::Issue(Box::new(session), given)),
        }
    }

    async fn sessions(&self, tx: &mut Tx, now: i64) -> Result<Vec<Session>, AuthorizationFailure> {
        match &self.session_hash {
            None => Ok(Vec::new()),
            Some(hash) => Ok(sessions::of_browser(tx, hash, now, idle_since(&self.app.config.sessions, now)).await?),
        }
    }

    /// The part of the user's data that the application requests.
    async fn given(
        &self,
        tx: &mut Tx,
        request: &AuthorizationRequest,
        session: &Session,
        requester: &Requester,
    ) -> Result<GrantedScopes, AuthorizationFailure> {
        let user = users::find(tx, &session.user_id).await?.ok_or(AuthorizationFailure::Expired)?;
        let facts = self.snapshot.user_facts(tx, &user.id, user.revision).await?;
        let facts = facts.ok_or(AuthorizationFailure::Expired)?;
        Ok(asked(tx, &self.snapshot, request, &facts, requester).await?)
    }

    /// A unit of work with the application as its actor.
    pub(super) async fn work(&self, request: &AuthorizationRequest) -> Result<UnitOfWork, AuthorizationFailure> {
        let actor = Actor::Application { id: request.client_id.clone() };
        Ok(UnitOfWork::begin(&self.app.db, actor, self.answers.origin.clone(), self.app.clock.now_ms()).await?)
    }

    /// Issues a code for a new request in a live session, and sends it to the application after the commit.
    pub(super) async fn issue(
        &self,
        client: Arc<Client>,
        request: AuthorizationRequest,
        session: Box<Session>,
        given: GrantedScopes,
    ) -> Result<Response, AuthorizationFailure> {
        self.count_code(&request, &session)?;
        let (reply_to, actor) = (to(&request), Actor::Application { id: request.client_id.clone() });
        let change = CodeChange { random: self.app.random.clone(), client, request, session, given };
        let code = self.app.issuer.change(change, actor, self.answers.origin.clone()).await?;
        Ok(self.answers.reply(&reply_to, &[("code", code.as_str())]).await)
    }

    /// Counts a code that is issued.
    fn count_code(&self, request: &AuthorizationRequest, session: &Session) -> Result<(), AuthorizationFailure> {
        let caller = RowCaller { client_id: Some(&request.client_id), user_id: Some(&session.user_id) };
        if rows::take(self.app, RowKind::Codes, self.answers.origin, caller, start::bytes_of(request)).is_err() {
            return Err(AuthorizationFailure::Application(to(request), OAuthError::temporarily_unavailable()));
        }
        Ok(())
    }

    /// Makes the code, in a transaction that the caller commits before it answers.
    pub(super) async fn code(
        &self,
        work: &mut UnitOfWork,
        client: &Client,
        request: &AuthorizationRequest,
        session: &Session,
        given: &GrantedScopes,
    ) -> Result<String, AuthorizationFailure> {
        self.count_code(request, session)?;
        let issued = code::issue(work, &self.app.random, recipient(client), request, session, given).await;
        issued.map_err(refused)
    }

    /// Approves a device after the user confirmed it, and shows that to the user.
    pub(super) async fn let_in(
        &self,
        mut work: UnitOfWork,
        client: &Client,
        about: (&AuthorizationRequest, &Device),
        session: &Session,
        given: &GrantedScopes,
    ) -> Result<Response, AuthorizationFailure> {
        let (random, recipient) = (&self.app.random, recipient(client));
        let approved = device::approve(&mut work, random, recipient, about, session, given).await;
        if !approved.map_err(refused)? {
            // It has expired, or was answered in another tab or browser.
            return Err(AuthorizationFailure::Expired);
        }
        work.commit().await?;
        Ok(self.leave(paths::DEVICE_CONNECTED))
    }

    /// Denies a device, and shows that to the user.
    pub(super) async fn denied(&self, mut work: UnitOfWork, device: &Device) -> Result<Response, AuthorizationFailure> {
        if !device::deny(&mut work, device).await? {
            return Err(AuthorizationFailure::Expired);
        }
        work.commit().await?;
        Ok(self.leave(paths::DEVICE_DENIED))
    }

    /// Sends the browser to a page outside of interactions.
    fn leave(&self, path: &str) -> Response {
        see_other(&format!("{}{path}", self.app.config.server.base_url))
    }

    /// Sends the application its code.
    pub(super) async fn answer_code(&self, request: &AuthorizationRequest, code: &str) -> Response {
        self.answers.reply(&to(request), &[("code", code)]).await
    }

    /// Sends the browser to a page of its interaction.
    pub(super) fn show(&self, screen: Screen, id: &InteractionId) -> Response {
        see_other(&format!("{}{}", self.app.config.server.base_url, paths::of_interaction(screen.path(), id)))
    }
}

/// Where the answer to a request goes.
pub(super) fn to(request: &AuthorizationRequest) -> ReplyTo {
    ReplyTo {
        redirect_uri: request.redirect_uri.clone(),
        response_mode: request.response_mode,
        state: request.state.clone(),
    }
}
