//! `/api/my-account/sessions`: the sessions of the user.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::id::{ApplicationId, SessionId};
use claimsmith_domain::user_scope::SESSIONS;
use claimsmith_identity::own_account::proof;
use claimsmith_identity::own_account::sessions::{self, Revoked};
use claimsmith_identity::own_account::settings::check_shown;
use claimsmith_storage::sessions::Session;
use claimsmith_storage::sessions::grants::{self, Grant, SessionAuthorization};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::{OwnAccount, OwnChange};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::query::Query;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Lists the sessions.
pub(super) async fn list(account: OwnAccount) -> Result<Json<Value>, ApiError> {
    check_shown(&account.settings, Field::Session)?;
    let mut tx = account.owner.read().await?;
    proof::check(&account.owner, &mut tx).await?;
    account.demand(SESSIONS)?;
    let live = sessions::list(&account.owner, &mut tx).await?;
    let current = account.owner.session_id();
    let mut authorizations = grants::by_session(&mut tx, &account.owner.user_id, account.owner.now()).await?;
    let views: Vec<Value> =
        live.iter().map(|one| view(one, current, authorizations.remove(&one.id).unwrap_or_default())).collect();
    Ok(Json(json!({ "sessions": views })))
}

fn view(session: &Session, current: Option<&SessionId>, grants: Vec<Grant>) -> Value {
    let details = session.details.0.clone().unwrap_or_default();
    let authorizations: BTreeMap<ApplicationId, SessionAuthorization> =
        grants.into_iter().map(|grant| SessionAuthorization::of(&session.id, grant)).collect();
    json!({
        "payload": {
            "uid": session.id, "accountId": session.user_id, "loginTs": session.authenticated_at / 1000,
            "exp": session.expires_at / 1000, "amr": details.amr,
            "authorizations": authorizations,
        },
        "lastSubmission": { "ip": details.ip, "userAgent": details.user_agent },
        "lastActiveAt": session.last_active_at, "clientId": details.client_id, "accountId": session.user_id,
        "expiresAt": session.expires_at, "isCurrent": current == Some(&session.id),
    })
}

/// Ends a session.
pub(super) async fn end(account: OwnChange, Id(id): Id<SessionId>, query: Query) -> Result<StatusCode, ApiError> {
    account.demand(SESSIONS)?;
    let revoked = match query.one("revokeGrantsTarget")? {
        None => Revoked::None,
        Some("all") => Revoked::All,
        Some("firstParty") => Revoked::FirstParty,
        Some(_) => {
            let details = "Error in key path \"revokeGrantsTarget\": expected all or firstParty";
            return Err(ApiError::invalid_input("query", details));
        }
    };
    sessions::end(&account.owner, &id, revoked).await?;
    Ok(StatusCode::NO_CONTENT)
}
