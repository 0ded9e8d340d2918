//! The grant of refresh tokens (RFC 6749 section 6). A token is replaced at each use; a replaced one that is shown again
//! was stolen, or its answer was lost: within three seconds, and as long as its successor was not used, it works once
//! more and the successor does not; after that, the whole family ends (RFC 9700 section 4.14.2).

use super::authorization_code::expires_at;
use super::sign_in::{Given, decide, readable};
use super::{Failure, TokenRequest, failure_of};
use crate::audit::Actor;
use crate::domain::scope;
use crate::http::error::OAuthError;
use crate::interaction::session::idle_since;
use crate::storage::Tx;
use crate::storage::sessions::refresh_tokens::{self, RefreshToken};
use crate::storage::sessions::{self, grants};
use crate::tokens::{self, Client, NewRefreshToken, REFRESH_TOKEN, SignInCredential, Tokens};
use crate::unit_of_work::UnitOfWork;
use serde_json::json;

/// How long a replaced token can be used again, in milliseconds.
const LEEWAY_MS: i64 = 3_000;

pub(super) async fn grant(request: TokenRequest<'_>, mut tx: Tx) -> Result<Tokens, Failure> {
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
    let known = |scope: &&str| authorized.scope.iter().chain(&authorized.resource_scope).any(|known| known == scope);
    if narrowed.as_ref().is_some_and(|narrowed| !narrowed.iter().all(known)) {
        return Err(OAuthError::scope_not_granted().into());
    }
    let rotates = rotates(&request.client);
    let given = Given {
        user_id: found.user_id,
        grant_id: found.grant_id,
        family_id: found.family_id,
        refresh: rotates.then(|| NewRefreshToken {
            expires_at: expires_at(&request.client, request.now),
            outlives_session: found.outlives_session,
        }),
        credential: if rotates { SignInCredential::Rotated(found.hash) } else { SignInCredential::Kept(found.hash) },
        authorized,
    };
    let (app, now) = (request.app, request.now);
    let decision = decide(request, tx, REFRESH_TOKEN, given, narrowed.as_deref()).await?;
    let issued = app.issuer.issue(decision, now).await;
    // Spent meanwhile: look again, which tells a repetition from a theft.
    issued.map_err(|refusal| match refusal {
        tokens::Refusal::Spent => Failure::Stale,
        other => failure_of(other, OAuthError::invalid_grant),
    })
}

/// Whether a refresh token is replaced when it is used: always of a client that cannot keep a secret.
fn rotates(client: &Client) -> bool {
    let metadata = &client.application.custom_client_metadata;
    !client.kind.is_confidential() || metadata.rotate_refresh_token != Some(false)
}

async fn session_is_live(
    request: &TokenRequest<'_>,
    tx: &mut Tx,
    id: Option<&crate::domain::id::SessionId>,
) -> Result<(), OAuthError> {
    let idle_since = idle_since(&request.app.config.sessions, request.now);
    let session = match id {
        Some(id) => sessions::find(tx, id).await?,
        None => None,
    };
    let is_live = |session: &sessions::Session| session.expires_at > request.now && session.last_active_at > idle_since;
    if session.is_some_and(|session| is_live(&session)) { Ok(()) } else { Err(OAuthError::invalid_grant()) }
}

/// A token that was replaced is shown again: it works once more, or its family ends.
async fn used_again(request: &TokenRequest<'_>, token: &RefreshToken) -> Result<Tokens, Failure> {
    let actor = Actor::Application { id: request.client.application.id.clone() };
    let mut work = UnitOfWork::begin(&request.app.db, actor, request.origin.clone(), request.now).await?;
    if refresh_tokens::reopen(&mut work, &token.hash, request.now - LEEWAY_MS).await? {
        work.commit().await?;
        return Err(Failure::Stale);
    }
    grants::revoke_family(&mut work, &token.grant_id, &token.family_id, request.now).await?;
    let details =
        json!({ "grantId": token.grant_id, "userId": token.user_id, "reason": "the refresh token was used twice" });
    work.audit("RevokeToken", details).await?;
    work.commit().await?;
    Err(OAuthError::invalid_grant().into())
}
