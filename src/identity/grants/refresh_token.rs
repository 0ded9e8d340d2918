//! The refresh token grant (RFC 6749 section 6). Each use replaces a token by a successor that is derived from it. A
//! replaced token that is used again within its leeway gets the newest token of its family: another tab was faster, or
//! the response was lost. Later reuse is treated as theft and revokes the family (RFC 9700 section 4.14.2). The rules
//! are in `domain/grant/refresh_token.rs` and `docs/decisions/refresh-tokens.md`.

use super::sign_in::{PresentedGrant, decide, readable};
use super::{GrantFailure, GrantRefusal, TokenRequest, failure_of};
use crate::interaction::session::is_live;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::refresh_token::{NewRefreshToken, is_narrower, is_within_leeway, rotated};
use claimsmith_domain::id::SessionId;
use claimsmith_domain::scope;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::{self, FamilyKey, Found, IssuedTokens, RefreshTokenAnswer, SignInCredential};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::presented::PresentedToken;
use claimsmith_storage::sessions::refresh_families::RefreshFamily;
use claimsmith_storage::sessions::refresh_tokens::{self, RefreshToken};
use claimsmith_storage::sessions::{self, Session, grants};
use serde_json::json;
use std::mem;

pub(super) async fn grant(mut request: TokenRequest<'_>, mut tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    let missing = || GrantRefusal::missing("refresh_token");
    let token = request.parameters.one("refresh_token")?.ok_or_else(missing)?;
    let Found::RefreshToken(presented) = mem::take(&mut request.found) else {
        return Err(GrantRefusal::invalid_grant().into());
    };
    let presented = *presented;
    let found = &presented.token;
    if found.application_id != request.client.application.id || found.expires_at <= request.now {
        return Err(GrantRefusal::invalid_grant().into());
    }
    let metadata = &request.client.application.custom_client_metadata;
    if let Some(consumed_at) = found.consumed_at {
        let rotated_at = found.rotated_at.unwrap_or(consumed_at);
        if !is_within_leeway(metadata, rotated_at, request.now) {
            drop(tx);
            return Err(end_family(&request, found).await?.into());
        }
    }
    let authorized = readable(found.authorization_details.0.clone())?;
    if !found.outlives_session {
        session_is_live(&request, &mut tx, authorized.session_id.as_ref(), presented.session.as_ref()).await?;
    }
    let parameters = request.parameters;
    let narrowed = match parameters.one("scope")? {
        None => None,
        Some(text) => Some(scope::words(text).ok_or_else(GrantRefusal::invalid_scope)?),
    };
    let granted = |narrowed: &Vec<&str>| is_narrower(narrowed, &authorized.scope, &authorized.resource_scope);
    if !narrowed.as_ref().is_none_or(granted) {
        return Err(GrantRefusal::scope_not_granted().into());
    }
    request.count_repeated(&found.user_id)?;
    let (credential, refresh) = if found.consumed_at.is_some() {
        request.audit.insert("shownAgain".to_owned(), json!(true));
        newest(&request, &mut tx, token, &presented).await?
    } else {
        match rotated(metadata, request.client.application.kind, found.outlives_session, request.now) {
            Some(new) => {
                let refresh = successor(&request, token, &presented, new)?;
                (SignInCredential::Rotated(found.hash.clone()), Some(refresh))
            }
            None => (SignInCredential::Kept(found.hash.clone()), None),
        }
    };
    let PresentedToken { token: found, user, id_token_config, .. } = presented;
    let presented = PresentedGrant {
        user,
        id_token_config,
        grant_id: found.grant_id,
        family_id: found.family_id,
        authorized,
        credential,
        refresh,
        previewed_organizations: Vec::new(),
    };
    let (app, now) = (request.app, request.now);
    let decision = decide(request, tx, GrantType::RefreshToken, presented, narrowed.as_deref()).await?;
    let issued = app.issuer.issue(decision, now).await;
    // Replaced or revoked meanwhile: the next attempt distinguishes a repetition from a theft.
    issued.map_err(|refusal| match refusal {
        tokens::IssuanceRefusal::Spent => GrantFailure::Stale,
        other => failure_of(other, GrantRefusal::invalid_grant),
    })
}

/// Refuses a token whose session has ended. `known`: the session of its grant, which is the same one unless the token is
/// older than its grant's session.
async fn session_is_live(
    request: &TokenRequest<'_>,
    tx: &mut Tx,
    id: Option<&SessionId>,
    known: Option<&Session>,
) -> Result<(), GrantRefusal> {
    let goes_on = |session: &Session| is_live(session, &request.app.config.sessions, request.now);
    let goes_on = match (id, known) {
        (None, _) => false,
        (Some(id), Some(known)) if known.id == *id => goes_on(known),
        (Some(id), _) => sessions::find(tx, id).await?.as_ref().is_some_and(goes_on),
    };
    if goes_on { Ok(()) } else { Err(GrantRefusal::invalid_grant()) }
}

/// The key of the family. `None` if it has none yet, or if none of the encryption keys of this node decrypts it.
fn key_of(request: &TokenRequest<'_>, presented: &PresentedToken) -> Option<FamilyKey> {
    let family_id = &presented.token.family_id;
    let key = FamilyKey::decrypt(&request.app.cipher, family_id, presented.family_key.as_deref()?);
    key.inspect_err(|error| tracing::warn!(family_id, %error, "the key of a family of refresh tokens is of no use"))
        .ok()
}

/// The successor of the presented token. A family without a key gets one.
fn successor(
    request: &TokenRequest<'_>,
    token: &str,
    presented: &PresentedToken,
    new: NewRefreshToken,
) -> Result<RefreshTokenAnswer, GrantRefusal> {
    if let Some(key) = key_of(request, presented) {
        return Ok(RefreshTokenAnswer::Successor { new, token: key.successor(token), family: None });
    }
    let RefreshToken { family_id, grant_id, .. } = &presented.token;
    let key = FamilyKey::generate(&request.app.random)?;
    let family = RefreshFamily {
        id: family_id.clone(),
        grant_id: grant_id.clone(),
        encrypted_key: key.encrypt(&request.app.cipher, family_id)?,
        created_at: request.now,
    };
    Ok(RefreshTokenAnswer::Successor { new, token: key.successor(token), family: Some(family) })
}

/// The newest token of the family, for a replaced one that is used again. There is none if the successor was not
/// derived from it, because a node of an older version replaced it; the family stays valid.
async fn newest(
    request: &TokenRequest<'_>,
    tx: &mut Tx,
    token: &str,
    presented: &PresentedToken,
) -> Result<(SignInCredential, Option<RefreshTokenAnswer>), GrantRefusal> {
    let newest = refresh_tokens::newest(tx, &presented.token.family_id).await?;
    let newest = newest.filter(|newest| newest.expires_at > request.now).ok_or_else(GrantRefusal::invalid_grant)?;
    let derived = key_of(request, presented).and_then(|key| key.descendant(token, &newest.hash));
    let derived = derived.ok_or_else(GrantRefusal::invalid_grant)?;
    Ok((SignInCredential::Kept(newest.hash), Some(RefreshTokenAnswer::Newest(derived))))
}

/// A replaced token was used after its leeway, by a thief or by its owner, which cannot be distinguished: so everything
/// that was issued for the same code is revoked. Returns the client's error.
async fn end_family(request: &TokenRequest<'_>, token: &RefreshToken) -> Result<GrantRefusal, GrantRefusal> {
    let actor = Actor::Application { id: request.client.application.id.clone() };
    let mut work = UnitOfWork::begin(&request.app.db, actor, request.origin.clone(), request.now).await?;
    grants::revoke_family(&mut work, &token.grant_id, &token.family_id, request.now).await?;
    let details =
        json!({ "grantId": token.grant_id, "userId": token.user_id, "reason": "the refresh token was used twice" });
    work.audit(AuditKey::RevokeToken, details).await?;
    work.commit().await?;
    Ok(GrantRefusal::invalid_grant())
}
