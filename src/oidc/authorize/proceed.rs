//! The outcome of a valid authorization request: the next page, an answer to the application, or a code.

use super::answer::{Answers, AuthorizationFailure, ReplyTo};
use super::code_change::{CodeChange, refused};
use axum::response::Response;
use claimsmith_domain::authorization::next_step::{
    InteractionResult, NextStep, SignedInAccount, consent_screen, next_step,
};
use claimsmith_domain::authorization::request::{AuthorizationRequest, Device, Prompt};
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::id::{ApplicationId, InteractionId, OrganizationId, SessionId};
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
use claimsmith_services::tokens::{Client, Found, Presented, PresentedBrowser, Snapshot};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::Session;
use claimsmith_storage::sessions::grants::{self, GrantedScopes};
use claimsmith_storage::sessions::presented::BrowserSession;
use claimsmith_storage::users::User;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::error::OAuthError;
use claimsmith_web::redirect::see_other;
use std::sync::Arc;

/// A browser at the authorization endpoint.
pub(super) struct Visit<'v> {
    pub app: &'v App,
    pub answers: Answers<'v>,
    pub snapshot: Arc<Snapshot>,
}

/// The next step, with its data.
pub(super) enum DecidedStep {
    Ask(Screen, Option<SessionId>),
    Refuse(OAuthError),
    Issue(Box<BrowserSession>, GrantedScopes),
}

impl<'v> Visit<'v> {
    pub(super) fn new(answers: Answers<'v>, snapshot: Arc<Snapshot>) -> Self {
        Self { app: answers.app, answers, snapshot }
    }

    /// The next step of a request of this browser. `chosen`: the organizations that the user consents to.
    pub(super) async fn decide(
        &self,
        sessions: Vec<BrowserSession>,
        client: &Client,
        request: &AuthorizationRequest,
        result: &InteractionResult,
        chosen: &[OrganizationId],
    ) -> Result<DecidedStep, AuthorizationFailure> {
        let now = self.app.clock.now_ms();
        let mut tx = self.app.db.reader();
        let account = |BrowserSession { session, .. }: &BrowserSession| SignedInAccount {
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
        let found = sessions.into_iter().find(|known| known.session.id == session_id);
        let known = found.ok_or(AuthorizationFailure::Expired)?;
        let session = &known.session;
        if !application_access::admits(&mut tx, &client.application, &session.user_id).await? {
            let error = OAuthError::interaction("access_denied", "the user may not sign in to this application");
            return Ok(DecidedStep::Refuse(error));
        }
        let requester = Requester::load(&mut tx, &client.application, request, &session.user_id, chosen).await?;
        let given = self.given(&mut tx, request, &known.user, &requester).await?;
        let is_third_party = client.application.is_third_party;
        let is_given = if is_third_party {
            let before = grants::of_user(&mut tx, &session.user_id, Some(&request.client_id), now).await?;
            is_nothing(&missing(&given, &before))
        } else {
            true
        };
        match consent_screen(request, is_third_party, is_given, result) {
            Some(_) if request.asks(Prompt::None) => {
                let error = OAuthError::interaction("consent_required", "the user has not consented");
                Ok(DecidedStep::Refuse(error))
            }
            Some(screen) => Ok(DecidedStep::Ask(screen, Some(known.session.id))),
            None => Ok(DecidedStep::Issue(Box::new(known), given)),
        }
    }

    /// The live sessions of this browser, for a request of this application.
    pub(super) async fn sessions(&self, id: &ApplicationId) -> Result<Vec<BrowserSession>, AuthorizationFailure> {
        Ok(sessions_of(self.app.request_states.read(presented(self.answers, id.clone())).await?.found))
    }

    /// The part of the user's data that the application requests.
    async fn given(
        &self,
        tx: &mut Tx,
        request: &AuthorizationRequest,
        user: &User,
        requester: &Requester,
    ) -> Result<GrantedScopes, AuthorizationFailure> {
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
        known: Box<BrowserSession>,
        given: GrantedScopes,
    ) -> Result<Response, AuthorizationFailure> {
        self.count_code(&request, &known.session)?;
        if let Some(code) = self.code_again(&client, &request, &known, &given).await? {
            return Ok(self.answer_code(&request, &code).await);
        }
        let (reply_to, actor) = (to(&request), Actor::Application { id: request.client_id.clone() });
        let session = Box::new(known.session);
        let change = CodeChange { random: self.app.random.clone(), client, request, session, given };
        let code = self.app.issuer.change(change, actor, self.answers.origin.clone()).await??;
        Ok(self.answers.reply(&reply_to, &[("code", code.as_str())]).await)
    }

    /// Makes a code for which nothing else has to be written. `None` if something has to.
    async fn code_again(
        &self,
        client: &Client,
        request: &AuthorizationRequest,
        known: &BrowserSession,
        given: &GrantedScopes,
    ) -> Result<Option<String>, AuthorizationFailure> {
        if request.pushed_hash.is_some() {
            return Ok(None);
        }
        let issued = code::issue_again(self.app, self.answers.origin, recipient(client), request, known, given).await;
        issued.map_err(refused)
    }

    /// Counts a code that is issued.
    fn count_code(&self, request: &AuthorizationRequest, session: &Session) -> Result<(), AuthorizationFailure> {
        let caller = RowCaller { client_id: Some(&request.client_id), user_id: Some(&session.user_id) };
        if rows::take(self.app, RowKind::Codes, self.answers.origin, caller, start::bytes_of(request)).is_err() {
            return Err(AuthorizationFailure::Application(
                Box::new(to(request)),
                OAuthError::temporarily_unavailable(),
            ));
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

/// What a browser presents with a request of this application.
pub(super) fn presented(answers: Answers<'_>, application_id: ApplicationId) -> Presented {
    let Answers { app, headers, .. } = answers;
    let Some(hash) = BrowserCookie::Session.hash(app, headers) else { return Presented::Nothing };
    let idle_since = idle_since(&app.config.sessions, app.clock.now_ms());
    Presented::Browser(PresentedBrowser { hash, application_id, idle_since })
}

/// The sessions of a browser, by what it presents.
pub(super) fn sessions_of(found: Found) -> Vec<BrowserSession> {
    match found {
        Found::Browser(sessions) => sessions,
        Found::Nothing | Found::Subject(_) | Found::Code(_) | Found::RefreshToken(_) => Vec::new(),
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
