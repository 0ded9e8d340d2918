//! Verifies access tokens: signature or hash, then the token record, then the user or application behind it.

use super::authorization_cache::{Client, Snapshot};
use super::error::Error;
use super::issued::recorded;
use claimsmith_storage::issuing::issuances::{self, Issuance};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{Document as _, Json, Tx};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A live token: not expired, not revoked, and its user and application still exist and are active.
pub struct ActiveToken {
    /// Its claims, the same as in the JWT.
    pub claims: Map<String, Value>,
    /// Its record.
    pub issuance: Issuance,
    /// The application it was issued to.
    pub client: Arc<Client>,
    /// The user it represents.
    pub user: Option<User>,
}

/// The live token of the text `token`, JWT or opaque. `None` for every other text: unknown, foreign, expired, revoked,
/// of a suspended or deleted user, or of a deleted application (`docs/decisions/revocation.md`).
pub async fn check(
    tx: &mut Tx,
    snapshot: &Snapshot,
    issuer: &str,
    token: &str,
    now: i64,
) -> Result<Option<ActiveToken>, Error> {
    let (claims, issuance) = if token.contains('.') {
        let Some(claims) = snapshot.keys.verify(token, issuer, now) else { return Ok(None) };
        let Some(jti) = claims.get("jti").and_then(Value::as_str) else { return Ok(None) };
        let Some(issuance) = issuances::find(tx, jti).await? else { return Ok(None) };
        (claims, issuance)
    } else {
        let Some(mut issuance) = issuances::find_opaque(tx, &super::hash(token)).await? else { return Ok(None) };
        let claims = match issuance.claims.take() {
            Some(claims) if claims.is_unreadable() => None,
            Some(Json(Value::Object(claims))) => Some(claims),
            _ => None,
        };
        let claims = claims.unwrap_or_else(|| recorded(&issuance, issuer));
        (claims, issuance)
    };
    if issuance.revoked_at.is_some() || issuance.expires_at <= now {
        return Ok(None);
    }
    let Some(client) = snapshot.client(tx, &issuance.application_id).await? else { return Ok(None) };
    let user = match &issuance.user_id {
        None => None,
        Some(id) => match users::find(tx, id).await? {
            Some(user) if !user.is_suspended => Some(user),
            _ => return Ok(None),
        },
    };
    Ok(Some(ActiveToken { claims, issuance, client, user }))
}
