//! The two entry points of a decision: a new request, and a browser that returns from the pages of its interaction.

use super::answer::AuthorizationFailure;
use super::code_change::{use_up, used};
use super::proceed::{DecidedStep, Visit, to};
use super::validate::Valid;
use axum::response::Response;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::authorization::next_step::InteractionResult;
use claimsmith_domain::authorization::redirect_uri;
use claimsmith_domain::authorization::request::AuthorizationRequest;
use claimsmith_domain::authorization::screen::Screen;
use claimsmith_domain::id::{InteractionId, SessionId};
use claimsmith_domain::interaction::Progress;
use claimsmith_identity::interaction::start::{self, new_interaction};
use claimsmith_services::tokens::Client;
use claimsmith_storage::Json;
use claimsmith_storage::sessions::grants::GrantedScopes;
use claimsmith_storage::sessions::interactions::{self, Interaction};
use claimsmith_storage::sessions::presented::BrowserSession;
use claimsmith_storage::sessions::{Session, pushed_requests};
use claimsmith_web::error::OAuthError;
use claimsmith_web::interaction_cookies;
use serde_json::json;
use std::sync::Arc;

/// How long the row of a pushed request outlives an interaction that it led to, in milliseconds: as long as the browser
/// may begin the interaction anew.
const PUSHED_KEPT_MS: i64 = 3_600_000;

/// The interaction of a returning browser.
struct ResumedInteraction {
    stored: Interaction,
    request: AuthorizationRequest,
    progress: Progress,
    client: Arc<Client>,
}

impl Visit<'_> {
    /// Answers a new request of a browser with these sessions. A pushed one is used up by its response, whether now or
    /// after an interaction.
    pub(super) async fn begin(
        self,
        valid: Valid,
        sessions: Vec<BrowserSession>,
    ) -> Result<Response, AuthorizationFailure> {
        let Valid { client, request } = valid;
        let decided = self.decide(sessions, &client, &request, &InteractionResult::default(), &[]).await?;
        if matches!(decided, DecidedStep::Ask(..)) && start::admit(self.app, self.answers.origin, &request).is_err() {
            return Err(AuthorizationFailure::Application(
                Box::new(to(&request)),
                OAuthError::temporarily_unavailable(),
            ));
        }
        match decided {
            DecidedStep::Refuse(error) => {
                let mut work = self.work(&request).await?;
                if !use_up(&mut work, &request).await? {
                    return Err(used());
                }
                work.commit().await?;
                Err(AuthorizationFailure::Application(Box::new(to(&request)), error))
            }
            DecidedStep::Issue(known, given) => self.issue(client, request, known, given).await,
            DecidedStep::Ask(screen, session_id) => {
                let mut work = self.work(&request).await?;
                let pushed_hash = request.pushed_hash.clone();
                let (row, cookie) = new_interaction(self.app, request, session_id, "")?;
                if let Some(hash) = &pushed_hash
                    && !pushed_requests::keep(&mut work, hash, row.expires_at + PUSHED_KEPT_MS).await?
                {
                    return Err(used());
                }
                // The interaction's first step is in the audit log; beginning one needs no authentication.
                interactions::insert(&mut work, &row).await?;
                work.commit().await?;
                let response = self.show(screen, &row.id);
                let given = interaction_cookies::give(self.app, self.answers.headers, (&row.id, cookie), response);
                Ok(given.await?)
            }
        }
    }

    /// Answers a browser that returns from the pages of this interaction.
    pub(super) async fn resume(self, hashes: &[String], id: &InteractionId) -> Result<Response, AuthorizationFailure> {
        let found = Box::pin(self.find(hashes, id)).await?;
        let sessions = self.sessions(&found.request.client_id).await?;
        let decided = Box::pin(self.decide(
            sessions,
            &found.client,
            &found.request,
            &found.progress.result(),
            &found.progress.organizations,
        ))
        .await?;
        match decided {
            DecidedStep::Ask(screen, session_id) => Box::pin(self.ask(found, screen, session_id)).await,
            DecidedStep::Refuse(error) => Box::pin(self.end(found, error)).await,
            DecidedStep::Issue(known, given) => Box::pin(self.finish(found, known.session, given)).await,
        }
    }

    /// Begins the request of an ended interaction of this browser anew. It is handled as if the browser sent it now, so
    /// a session counts.
    pub(super) async fn begin_again(
        self,
        hashes: &[String],
        id: &InteractionId,
    ) -> Result<Response, AuthorizationFailure> {
        let mut tx = self.app.db.read().await?;
        let found = interactions::of_browser(&mut tx, hashes).await?.into_iter().find(|found| found.id == *id);
        let Json(Some(request)) = found.ok_or(AuthorizationFailure::Expired)?.request else {
            return Err(AuthorizationFailure::Expired);
        };
        if request.is_of_account_page() || request.device.is_some() {
            return Err(AuthorizationFailure::Expired);
        }
        let client = self.snapshot.client(&mut tx, &request.client_id).await?;
        let client = client.ok_or_else(|| AuthorizationFailure::Page(OAuthError::unknown_client()))?;
        drop(tx);
        // The registered URIs may have changed since.
        let registered = &client.application.oidc_client_metadata.redirect_uris;
        if !redirect_uri::is_registered(&request.redirect_uri, registered, client.application.kind) {
            return Err(AuthorizationFailure::Expired);
        }
        let sessions = self.sessions(&request.client_id).await?;
        self.begin(Valid { client, request }, sessions).await
    }

    async fn find(&self, hashes: &[String], id: &InteractionId) -> Result<ResumedInteraction, AuthorizationFailure> {
        let (mut tx, now) = (self.app.db.read().await?, self.app.clock.now_ms());
        let found = interactions::of_browser(&mut tx, hashes).await?;
        let stored = found.into_iter().find(|found| found.id == *id).ok_or(AuthorizationFailure::Expired)?;
        if stored.is_over(now) {
            return Err(AuthorizationFailure::Over(id.clone()));
        }
        let (Json(Some(request)), Json(Some(progress))) = (stored.request.clone(), stored.state.clone()) else {
            return Err(AuthorizationFailure::Expired);
        };
        let client = self.snapshot.client(&mut tx, &request.client_id).await?;
        let client = client.ok_or_else(|| AuthorizationFailure::Page(OAuthError::unknown_client()))?;
        Ok(ResumedInteraction { stored, request, progress, client })
    }

    /// The user has to be asked something first.
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
        Ok(self.show(screen, &found.stored.id))
    }

    /// Ends the interaction with an error.
    async fn end(&self, found: ResumedInteraction, error: OAuthError) -> Result<Response, AuthorizationFailure> {
        let ResumedInteraction { stored, request, progress, .. } = found;
        let mut work = self.work(&request).await?;
        let now = work.now();
        if !interactions::end(&mut work, &stored, now).await? || !use_up(&mut work, &request).await? {
            return Err(AuthorizationFailure::Expired);
        }
        work.audit(AuditKey::InteractionEnd, json!({ "interactionId": stored.id, "error": error.error })).await?;
        let refused = match &request.device {
            None => AuthorizationFailure::Application(Box::new(to(&request)), error),
            Some(device) if progress.consented == Some(false) => return self.denied(work, device).await,
            // A device only learns whether it was approved or denied.
            Some(_) => AuthorizationFailure::Page(error),
        };
        work.commit().await?;
        Ok(self.answers.refuse(refused).await)
    }

    /// The application, or the device, gets what it requested.
    async fn finish(
        &self,
        found: ResumedInteraction,
        session: Session,
        mut given: GrantedScopes,
    ) -> Result<Response, AuthorizationFailure> {
        let ResumedInteraction { stored, request, progress, client } = found;
        given.organizations = progress.organizations.iter().map(ToString::to_string).collect();
        let mut work = self.work(&request).await?;
        // Of two browsers or tabs that return at once, one gets the code.
        let now = work.now();
        if !interactions::end(&mut work, &stored, now).await? || !use_up(&mut work, &request).await? {
            return Err(AuthorizationFailure::Expired);
        }
        work.audit(AuditKey::InteractionEnd, json!({ "interactionId": stored.id, "userId": session.user_id })).await?;
        if let Some(device) = &request.device {
            return Box::pin(self.let_in(work, &client, (&request, device), &session, &given)).await;
        }
        let code = Box::pin(self.code(&mut work, &client, &request, &session, &given)).await?;
        work.commit().await?;
        Ok(self.answer_code(&request, &code).await)
    }
}
