//! The authorization code grant (RFC 6749 section 4.1.3), with PKCE (RFC 7636). A code is single-use: a second use
//! revokes the tokens of the first (RFC 9700 section 2.1.1).

use super::sign_in::{PresentedGrant, decide, readable};
use super::{GrantFailure, GrantRefusal, TokenRequest, failure_of};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::authorization::pkce;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::refresh_token;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::{Client, Found, IssuanceRefusal, IssuedTokens, RefreshTokenAnswer, SignInCredential};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Tx;
use claimsmith_storage::sessions::codes::Code;
use claimsmith_storage::sessions::grants;
use claimsmith_storage::sessions::presented::PresentedCode;
use serde_json::json;
use std::mem;

pub(super) async fn grant(mut request: TokenRequest<'_>, tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    may_use(&request.client)?;
    request.parameters.one("code")?.ok_or_else(|| GrantRefusal::missing("code"))?;
    let redirect_uri = request.parameters.one("redirect_uri")?.ok_or_else(|| GrantRefusal::missing("redirect_uri"))?;
    let Found::Code(found) = mem::take(&mut request.found) else { return Err(GrantRefusal::invalid_grant().into()) };
    let PresentedCode { code: found, user, id_token_config } = *found;
    if found.application_id != request.client.application.id {
        return Err(GrantRefusal::invalid_grant().into());
    }
    if found.consumed_at.is_some() {
        drop(tx);
        return Err(revoke(&request, &found).await?.into());
    }
    let authorized = readable(found.authorization_details.0.clone())?;
    if found.expires_at <= request.now || authorized.redirect_uri != redirect_uri {
        return Err(GrantRefusal::invalid_grant().into());
    }
    if !pkce::is_proven(authorized.code_challenge.as_deref(), request.parameters.one("code_verifier")?) {
        return Err(GrantRefusal::invalid_grant().into());
    }
    let application = &request.client.application;
    let presented = PresentedGrant {
        user,
        id_token_config,
        grant_id: found.grant_id.clone(),
        family_id: found.family_id.clone(),
        previewed_organizations: Vec::new(),
        credential: SignInCredential::Code(found.hash.clone()),
        refresh: refresh_token::first(&application.custom_client_metadata, &authorized.scope, request.now)
            .map(RefreshTokenAnswer::First),
        authorized,
    };
    let (app, origin, client) = (request.app, request.origin.clone(), request.client.clone());
    let decision = decide(request, tx, GrantType::AuthorizationCode, presented, None).await?;
    let now = app.clock.now_ms();
    match app.issuer.issue(decision, now).await {
        Err(IssuanceRefusal::Spent) => {
            // A concurrent exchange used this code first.
            let actor = Actor::Application { id: client.application.id.clone() };
            let work = UnitOfWork::begin(&app.db, actor, origin, now).await?;
            Err(revoke_in(work, &found).await?.into())
        }
        other => other.map_err(|refusal| failure_of(refusal, GrantRefusal::invalid_grant)),
    }
}

/// Refuses a client that may not use authorization codes.
pub(super) fn may_use(client: &Client) -> Result<(), GrantRefusal> {
    if client.application.custom_client_metadata.uses_codes(client.application.kind) {
        return Ok(());
    }
    Err(GrantRefusal::unauthorized_client())
}

async fn revoke(request: &TokenRequest<'_>, code: &Code) -> Result<GrantRefusal, GrantRefusal> {
    let actor = Actor::Application { id: request.client.application.id.clone() };
    revoke_in(UnitOfWork::begin(&request.app.db, actor, request.origin.clone(), request.now).await?, code).await
}

/// Revokes the tokens that were issued for a code; returns the error for its second use.
async fn revoke_in(mut work: UnitOfWork, code: &Code) -> Result<GrantRefusal, GrantRefusal> {
    let now = work.now();
    grants::revoke_family(&mut work, &code.grant_id, &code.family_id, now).await?;
    let details = json!({ "grantId": code.grant_id, "userId": code.user_id, "reason": "the code was used twice" });
    work.audit(AuditKey::RevokeToken, details).await?;
    work.commit().await?;
    Ok(GrantRefusal::invalid_grant())
}
