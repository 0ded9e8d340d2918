//! The authorization code grant (RFC 6749 section 4.1.3), with proof of possession of the code (RFC 7636). A code works
//! once: its second use revokes what the first gave (RFC 9700 section 2.1.1).

use super::sign_in::{Given, decide, readable};
use super::{Failure, TokenRequest, failure_of};
use crate::audit::Actor;
use crate::documents::application::ApplicationType;
use crate::domain::authorization::pkce;
use crate::domain::authorization::request::Authorized;
use crate::domain::user_scope::OFFLINE_ACCESS;
use crate::http::error::OAuthError;
use crate::storage::Tx;
use crate::storage::sessions::codes::{self, Code};
use crate::storage::sessions::grants;
use crate::tokens::{self, AUTHORIZATION_CODE, Client, NewRefreshToken, Refusal, SignInCredential, Tokens};
use crate::unit_of_work::UnitOfWork;
use serde_json::json;

const DAY_MS: i64 = 24 * 3_600_000;
/// How long a refresh token lives where the application says nothing.
const REFRESH_TOKEN_DAYS: u32 = 14;

pub(super) async fn grant(request: TokenRequest<'_>, mut tx: Tx) -> Result<Tokens, Failure> {
    may_use(&request.client)?;
    let missing = |name: &str| OAuthError::invalid_request(format!("missing required parameter '{name}'"));
    let code = request.form.one("code")?.ok_or_else(|| missing("code"))?;
    let redirect_uri = request.form.one("redirect_uri")?.ok_or_else(|| missing("redirect_uri"))?;
    let found = codes::find(&mut tx, &tokens::hash(code)).await?.ok_or_else(OAuthError::invalid_grant)?;
    if found.application_id != request.client.application.id {
        return Err(OAuthError::invalid_grant().into());
    }
    if found.consumed_at.is_some() {
        drop(tx);
        return Err(revoke(&request, &found).await?.into());
    }
    let authorized = readable(found.authorization_details.0.clone())?;
    if found.expires_at <= request.now || authorized.redirect_uri != redirect_uri {
        return Err(OAuthError::invalid_grant().into());
    }
    prove(&authorized, request.form.one("code_verifier")?)?;
    let given = Given {
        user_id: found.user_id.clone(),
        grant_id: found.grant_id.clone(),
        family_id: found.family_id.clone(),
        credential: SignInCredential::Code(found.hash.clone()),
        refresh: first_refresh_token(&request.client, &authorized, request.now),
        authorized,
    };
    let (app, origin, client) = (request.app, request.origin.clone(), request.client.clone());
    let decision = decide(request, tx, AUTHORIZATION_CODE, given, None).await?;
    let now = app.clock.now_ms();
    match app.issuer.issue(decision, now).await {
        Err(Refusal::Spent) => {
            // Another exchange of this code was quicker.
            let actor = Actor::Application { id: client.application.id.clone() };
            let work = UnitOfWork::begin(&app.db, actor, origin, now).await?;
            Err(revoke_in(work, &found).await?.into())
        }
        other => other.map_err(|refusal| failure_of(refusal, OAuthError::invalid_grant)),
    }
}

/// Refuses a client that people are not sent here by.
pub(super) fn may_use(client: &Client) -> Result<(), OAuthError> {
    if client.application.custom_client_metadata.uses_codes(client.kind) {
        return Ok(());
    }
    Err(OAuthError::unauthorized_client("requested grant type is not allowed for this client"))
}

/// The verifier of the code's challenge. A verifier without a challenge is refused, too: the challenge was taken out of
/// the request on its way (RFC 9700 section 4.8.2).
fn prove(authorized: &Authorized, verifier: Option<&str>) -> Result<(), OAuthError> {
    let proven = match (&authorized.code_challenge, verifier) {
        (None, None) => true,
        (Some(challenge), Some(verifier)) => pkce::proves(verifier, challenge),
        _ => false,
    };
    if proven { Ok(()) } else { Err(OAuthError::invalid_grant()) }
}

/// The refresh token that comes with a code or a device code, if one does.
pub(super) fn first_refresh_token(client: &Client, authorized: &Authorized, now: i64) -> Option<NewRefreshToken> {
    let outlives_session = authorized.scope.iter().any(|scope| scope == OFFLINE_ACCESS);
    let always = client.application.custom_client_metadata.always_issue_refresh_token == Some(true);
    let is_due = outlives_session || (always && client.kind == ApplicationType::Traditional);
    is_due.then(|| NewRefreshToken { expires_at: expires_at(client, now), outlives_session })
}

/// When a refresh token that is issued now expires.
pub(super) fn expires_at(client: &Client, now: i64) -> i64 {
    let days = client.application.custom_client_metadata.refresh_token_ttl_in_days.unwrap_or(REFRESH_TOKEN_DAYS);
    now + i64::from(days) * DAY_MS
}

async fn revoke(request: &TokenRequest<'_>, code: &Code) -> Result<OAuthError, OAuthError> {
    let actor = Actor::Application { id: request.client.application.id.clone() };
    revoke_in(UnitOfWork::begin(&request.app.db, actor, request.origin.clone(), request.now).await?, code).await
}

/// Revokes what came from a code; answers what its second user is told.
async fn revoke_in(mut work: UnitOfWork, code: &Code) -> Result<OAuthError, OAuthError> {
    let now = work.now();
    grants::revoke_family(&mut work, &code.grant_id, &code.family_id, now).await?;
    let details = json!({ "grantId": code.grant_id, "userId": code.user_id, "reason": "the code was used twice" });
    work.audit("RevokeToken", details).await?;
    work.commit().await?;
    Ok(OAuthError::invalid_grant())
}
