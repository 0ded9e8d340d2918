//! The grant of refresh tokens (RFC 6749 section 6). A token is rotated at each use; a rotated one that is shown again
//! was stolen, or its answer was lost: within three seconds, and as long as its successor was not used, it works once
//! more and the successor does not; after that, the whole family ends (RFC 9700 section 4.14.2). The rules are in
//! `domain/grant/refresh_token.rs`.

use super::sign_in::{Given, decide, readable};
use super::{GrantFailure, TokenRequest, failure_of};
use crate::audit::Actor;
use crate::domain::grant::refresh_token::{is_narrower, reusable_since, rotated};
use crate::domain::id::SessionId;
use crate::domain::scope;
use crate::http::error::OAuthError;
use crate::interaction::session::is_live;
use crate::storage::Tx;
use crate::storage::sessions::refresh_tokens::{self, RefreshToken};
use crate::storage::sessions::{self, grants};
use crate::tokens::{self, IssuedTokens, REFRESH_TOKEN, SignInCredential};
use crate::unit_of_work::UnitOfWork;
use serde_json::json;

pub(super) async fn grant(request: TokenRequest<'_>, mut tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    let missing = || OAuthError::invalid_request("missing required parameter 'refresh_token'");
    let token = request.form.one("refresh_token")?.ok_or_else(missing)?;
    let found = refresh_tokens::find(&mut tx, &tokens::hash(token)).await?.ok_or_else(OAuthError::invalid_grant)?;
    if found.application_id != request.client.application.id || found.expires_at <= request.now {
        return Err(OAuthError::invalid_grant().into());
    }
    if found.consumed_at.is_some() {
        drop(tx);
        return used_again(&request, &found).await;
    }
    let authorized = readable(found.authorization_details.0.clone())?;
    if !found.outlives_session {
        session_is_live(&request, &mut tx, authorized.session_id.as_ref()).await?;
    }
    let form = request.form;
    let narrowed = match form.one("scope")? {
        None => None,
        Some(text) => Some(scope::words(text).ok_or_else(OAuthError::invalid_scope)?),
    };
    let granted = |narrowed: &Vec<&str>| is_narrower(narrowed, &authorized.scope, &authorized.resource_scope);
    if !narrowed.as_ref().is_none_or(granted) {
        return Err(OAuthError::scope_not_granted().into());
    }
    let metadata = &request.client.application.custom_client_metadata;
    let rotated = rotated(metadata, request.client.kind, found.outlives_session, request.now);
    let given = Given {
        user_id: found.user_id,
        grant_id: found.grant_id,
        family_id: found.family_id,
        credential: match rotated {
            Some(_) => SignInCredential::Rotated(found.hash),
            None => SignInCredential::Kept(found.hash),
        },
        refresh: rotated,
        authorized,
    };
    let (app, now) = (request.app, request.now);
    let decision = decide(request, tx, REFRESH_TOKEN, given, narrowed.as_deref()).await?;
    let issued = app.issuer.issue(decision, now).await;
    // Spent meanwhile: look again, which tells a repetition from a theft.
    issued.map_err(|refusal| match refusal {
        tokens::IssuanceRefusal::Spent => GrantFailure::Stale,
        other => failure_of(other, OAuthError::invalid_grant),
    })
}

async fn session_is_live(request: &TokenRequest<'_>, tx: &mut Tx, id: Option<&SessionId>) -> Result<(), OAuthError> {
    let session = match id {
        Some(id) => sessions::find(tx, id).await?,
        None => None,
    };
    let is_live = session.is_some_and(|session| is_live(&session, &request.app.config.sessions, request.now));
    if is_live { Ok(()) } else { Err(OAuthError::invalid_grant()) }
}

/// A token that was rotated is shown again: it works once more, or its family ends.
async fn used_again(request: &TokenRequest<'_>, token: &RefreshToken) -> Result<IssuedTokens, GrantFailure> {
    let actor = Actor::Application { id: request.client.application.id.clone() };
    let mut work = UnitOfWork::begin(&request.app.db, actor, request.origin.clone(), request.now).await?;
    if refresh_tokens::reopen(&mut work, &token.hash, reusable_since(request.now)).await? {
        work.commit().await?;
        return Err(GrantFailure::Stale);
    }
    grants::revoke_family(&mut work, &token.grant_id, &token.family_id, request.now).await?;
    let details =
        json!({ "grantId": token.grant_id, "userId": token.user_id, "reason": "the refresh token was used twice" });
    work.audit("RevokeToken", details).await?;
    work.commit().await?;
    Err(OAuthError::invalid_grant().into())
}
