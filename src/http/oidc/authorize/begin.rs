//! The two ways to a decision: a request that arrives, and a browser that comes back from the pages of its interaction.

use super::answer::AuthorizationFailure;
use super::proceed::{DecidedStep, Visit, to};
use super::validate::Valid;
use crate::domain::authorization::next_step::Done;
use crate::domain::authorization::request::AuthorizationRequest;
use crate::domain::authorization::screen::Screen;
use crate::domain::id::{InteractionId, SessionId};
use crate::domain::interaction::Progress;
use crate::http::cookies::BrowserCookie;
use crate::http::error::OAuthError;
use crate::http::redirect::with_cookie;
use crate::interaction::start::new_interaction;
use crate::storage::Json;
use crate::storage::sessions::grants::GrantedScopes;
use crate::storage::sessions::interactions::{self, Interaction};
use crate::storage::sessions::{Session, pushed_requests};
use crate::tokens::Client;
use axum::response::Response;
use serde_json::json;
use std::sync::Arc;

/// The interaction of a browser that comes back.
struct ResumedInteraction {
    stored: Interaction,
    request: AuthorizationRequest,
    progress: Progress,
    client: Arc<Client>,
}

impl Visit<'_> {
    /// Answers a request that has just arrived. A pushed one is used up when something comes of it.
    pub(super) async fn begin(
        self,
        valid: Valid,
        pushed_hash: Option<String>,
    ) -> Result<Response, AuthorizationFailure> {
        let Valid { client, request } = valid;
        let decided = self.decide(&client, &request, &Done::default()).await?;
        let begins = matches!(decided, DecidedStep::Ask(..));
        if begins && !self.app.interactions.admits(self.answers.origin.ip, self.app.clock.now_ms()) {
            return Err(AuthorizationFailure::Application(to(&request), OAuthError::temporarily_unavailable()));
        }
        let mut work = self.work(&request).await?;
        if let Some(hash) = &pushed_hash
            && !pushed_requests::delete(&mut work, hash).await?
        {
            return Err(AuthorizationFailure::Page(OAuthError::invalid_request_uri("request_uri was used")));
        }
        let response = match decided {
            DecidedStep::Refuse(error) => Err(AuthorizationFailure::Application(to(&request), error)),
            DecidedStep::Issue(session, given) => {
                let code = self.code(&mut work, &client, &request, &session, &given).await?;
                Ok(self.answer_code(&request, &code).await)
            }
            DecidedStep::Ask(screen, session_id) => {
                let (row, cookie) = new_interaction(self.app, request, session_id, "")?;
                interactions::insert(&mut work, &row).await?;
                // Its first step is in the audit log; anybody can begin one.
                let cookie = BrowserCookie::Interaction.set(self.app, cookie);
                Ok(with_cookie(self.show(screen), &cookie))
            }
        };
        work.commit().await?;
        response
    }

    /// Answers a browser that comes back from the pages of this interaction.
    pub(super) async fn resume(self, hash: &str, id: &InteractionId) -> Result<Response, AuthorizationFailure> {
        let found = Box::pin(self.find(hash, id)).await?;
        let decided = Box::pin(self.decide(&found.client, &found.request, &found.progress.done())).await?;
        match decided {
            DecidedStep::Ask(screen, session_id) => Box::pin(self.ask(found, screen, session_id)).await,
            DecidedStep::Refuse(error) => Box::pin(self.end(found, error)).await,
            DecidedStep::Issue(session, given) => Box::pin(self.finish(found, session, given)).await,
        }
    }

    async fn find(&self, hash: &str, id: &InteractionId) -> Result<ResumedInteraction, AuthorizationFailure> {
        let mut tx = self.app.db.read().await?;
        let found = interactions::find_live(&mut tx, hash, self.app.clock.now_ms()).await?;
        let stored = found.filter(|found| found.id == *id).ok_or(AuthorizationFailure::Expired)?;
        let (Json(Some(request)), Json(Some(progress))) = (stored.request.clone(), stored.state.clone()) else {
            return Err(AuthorizationFailure::Expired);
        };
        let client = self.snapshot.client(&mut tx, &request.client_id).await?;
        let client = client.ok_or_else(|| AuthorizationFailure::Page(OAuthError::unknown_client()))?;
        Ok(ResumedInteraction { stored, request, progress, client })
    }

    /// Something is still to be asked.
    async fn ask(
        &self,
        mut found: ResumedInteraction,
        screen: Screen,
        session_id: Option<SessionId>,
    ) -> Result<Response, AuthorizationFailure> {
        if session_id.is_some() && found.progress.session_id != session_id {
            found.progress.session_id = session_id;
            found.stored.state = Json(Some(found.progress));
            let mut work = self.work(&found.request).await?;
            interactions::update(&mut work, &found.stored).await?;
            work.commit().await?;
        }
        Ok(self.show(screen))
    }

    /// Nothing comes of it.
    async fn end(&self, found: ResumedInteraction, error: OAuthError) -> Result<Response, AuthorizationFailure> {
        let ResumedInteraction { stored, request, progress, .. } = found;
        let mut work = self.work(&request).await?;
        interactions::delete(&mut work, &stored.id).await?;
        work.audit("Interaction.End", json!({ "interactionId": stored.id, "error": error.error })).await?;
        let refused = match &request.device {
            None => AuthorizationFailure::Application(to(&request), error),
            Some(device) if progress.consented == Some(false) => return self.denied(work, device).await,
            // A device is told nothing but yes and no.
            Some(_) => AuthorizationFailure::Page(error),
        };
        work.commit().await?;
        let refused = self.answers.refuse(refused).await;
        Ok(with_cookie(refused, &BrowserCookie::Interaction.clear(self.app)))
    }

    /// The application, or the device, gets what was asked for.
    async fn finish(
        &self,
        found: ResumedInteraction,
        session: Box<Session>,
        mut given: GrantedScopes,
    ) -> Result<Response, AuthorizationFailure> {
        let ResumedInteraction { stored, request, progress, client } = found;
        given.organizations = progress.organizations.iter().map(ToString::to_string).collect();
        let mut work = self.work(&request).await?;
        // Of two that come back at once, one gets the code.
        if !interactions::delete(&mut work, &stored.id).await? {
            return Err(AuthorizationFailure::Expired);
        }
        work.audit("Interaction.End", json!({ "interactionId": stored.id, "userId": session.user_id })).await?;
        if let Some(device) = &request.device {
            return Box::pin(self.let_in(work, &client, (&request, device), &session, &given)).await;
        }
        let code = Box::pin(self.code(&mut work, &client, &request, &session, &given)).await?;
        work.commit().await?;
        let answer = self.answer_code(&request, &code).await;
        Ok(with_cookie(answer, &BrowserCookie::Interaction.clear(self.app)))
    }
}
