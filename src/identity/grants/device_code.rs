//! The device code grant (RFC 8628 sections 3.4 and 3.5): a device polls until the user approves or denies it. Its code
//! is single-use: a second use revokes the tokens of the first, as with authorization codes.

use super::sign_in::{PresentedGrant, decide, readable};
use super::{GrantFailure, GrantRefusal, TokenRequest, failure_of};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::refresh_token;
use claimsmith_services::audit::Actor;
use claimsmith_services::tokens::{self, Client, IssuanceRefusal, IssuedTokens, RefreshTokenAnswer, SignInCredential};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sessions::devices::{self, DeviceAuthorization};
use claimsmith_storage::sessions::grants;
use claimsmith_storage::{Json, Tx, settings, users};
use serde_json::json;

pub(super) async fn grant(mut request: TokenRequest<'_>, mut tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    may_use(&request.client)?;
    let application = &request.client.application;
    let missing = || GrantRefusal::missing("device_code");
    let code = request.parameters.one("device_code")?.ok_or_else(missing)?;
    let found = devices::find(&mut tx, &tokens::hash(code)).await?.ok_or_else(GrantRefusal::invalid_grant)?;
    if found.application_id != application.id {
        return Err(GrantRefusal::invalid_grant().into());
    }
    if found.consumed_at.is_some() {
        drop(tx);
        return Err(used_again(&request, &found).await?.into());
    }
    if found.expires_at <= request.now {
        return Err(GrantRefusal::expired_token().into());
    }
    if found.denied_at.is_some() {
        return Err(GrantRefusal::denied("the user denied the request").into());
    }
    let (Some(user_id), Some(grant_id), Some(Json(details))) =
        (found.user_id.clone(), found.grant_id.clone(), found.authorization_details.clone())
    else {
        drop(tx);
        return Err(wait(&request, &found).await?.into());
    };
    let authorized = readable(details)?;
    let presented = PresentedGrant {
        user: users::find(&mut tx, &user_id).await?.ok_or_else(GrantRefusal::invalid_grant)?,
        id_token_config: settings::get(&mut tx, settings::ID_TOKENS).await?,
        grant_id,
        family_id: found.id.to_string(),
        previewed_organizations: Vec::new(),
        credential: SignInCredential::DeviceCode(found.hash.clone()),
        refresh: refresh_token::first(&application.custom_client_metadata, &authorized.scope, request.now)
            .map(RefreshTokenAnswer::First),
        authorized,
    };
    let (app, now) = (request.app, request.now);
    request.audit.insert("deviceAuthorizationId".to_owned(), json!(found.id));
    let decision = decide(request, tx, GrantType::DeviceCode, presented, None).await?;
    let issued = app.issuer.issue(decision, now).await;
    issued.map_err(|refusal| match refusal {
        // A concurrent request used the code, or its grant has ended: the next attempt finds out which.
        IssuanceRefusal::Spent => GrantFailure::Stale,
        other => failure_of(other, GrantRefusal::invalid_grant),
    })
}

/// Refuses a client that may not use the device flow.
pub(super) fn may_use(client: &Client) -> Result<(), GrantRefusal> {
    if client.application.custom_client_metadata.uses_device_flow(client.application.kind) {
        return Ok(());
    }
    Err(GrantRefusal::unauthorized_client())
}

/// The user has not answered yet.
async fn wait(request: &TokenRequest<'_>, device: &DeviceAuthorization) -> Result<GrantRefusal, GrantRefusal> {
    let mut tx = request.app.db.begin().await?;
    let in_time = devices::poll(&mut tx, &device.id, request.now).await?;
    tx.commit().await?;
    Ok(if in_time { GrantRefusal::authorization_pending() } else { GrantRefusal::slow_down() })
}

/// The code was used before: revokes the tokens that were issued for it. Returns the error for its second use.
async fn used_again(request: &TokenRequest<'_>, device: &DeviceAuthorization) -> Result<GrantRefusal, GrantRefusal> {
    if let Some(grant_id) = &device.grant_id {
        let (now, actor) = (request.now, Actor::Application { id: request.client.application.id.clone() });
        let mut work = UnitOfWork::begin(&request.app.db, actor, request.origin.clone(), now).await?;
        grants::revoke_family(&mut work, grant_id, &device.id, now).await?;
        let details = json!({
            "grantId": grant_id, "userId": device.user_id, "deviceAuthorizationId": device.id,
            "reason": "the device code was used twice",
        });
        work.audit(AuditKey::RevokeToken, details).await?;
        work.commit().await?;
    }
    Ok(GrantRefusal::invalid_grant())
}
