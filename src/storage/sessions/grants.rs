//! Grants: the access that a user gives to an application. A grant records the consent, and codes and tokens of a
//! sign-in belong to it.

use crate::sessions::backchannel_logouts::{self, Ended};
use crate::sessions::refresh_families::WITHOUT_TOKENS;
use crate::sql::filter;
use crate::{Dialect, Json, Result, Tx};
use claimsmith_domain::id::{ApplicationId, GrantId, SessionId, UserId};
use claimsmith_domain::user_scope::OFFLINE_ACCESS;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// A grant as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct Grant {
    /// 21 characters.
    pub id: GrantId,
    /// The user.
    pub user_id: UserId,
    /// The application.
    pub application_id: ApplicationId,
    /// The session with which its tokens end.
    pub session_id: Option<SessionId>,
    /// The granted scopes.
    pub scopes: Json<Option<GrantedScopes>>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// The granted scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GrantedScopes {
    /// User scopes.
    pub oidc: Vec<String>,
    /// Scopes of resources, by indicator.
    pub resources: BTreeMap<String, Vec<String>>,
    /// Ids of organizations that the application may access.
    pub organizations: Vec<String>,
}

/// The access that an application got in a session, as APIs show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionAuthorization {
    /// The session, as ID tokens name it.
    pub sid: SessionId,
    /// The grant.
    pub grant_id: GrantId,
    /// Whether its refresh tokens outlive the session.
    pub persists_logout: bool,
}

impl SessionAuthorization {
    /// The application of a grant, and what it got.
    #[must_use]
    pub fn of(sid: &SessionId, grant: Grant) -> (ApplicationId, Self) {
        let persists_logout =
            grant.scopes.as_ref().is_some_and(|scopes| scopes.oidc.iter().any(|scope| scope == OFFLINE_ACCESS));
        (grant.application_id, Self { sid: sid.clone(), grant_id: grant.id, persists_logout })
    }
}

pub(super) const COLUMNS: &str = "id, user_id, application_id, session_id, scopes, created_at, expires_at";

/// Adds a grant. [`crate::Error::Missing`] when there is no such user or application.
pub async fn insert(tx: &mut Tx, grant: &Grant) -> Result<()> {
    tx.assembled(format!("INSERT INTO grants ({COLUMNS}) VALUES {}", filter::rows(7, 1)))
        .bind(&grant.id)
        .bind(&grant.user_id)
        .bind(&grant.application_id)
        .bind(&grant.session_id)
        .bind(&grant.scopes)
        .bind(grant.created_at)
        .bind(grant.expires_at)
        .execute()
        .await?;
    Ok(())
}

/// Updates the scopes and the expiry of a grant.
pub async fn update(tx: &mut Tx, grant: &Grant) -> Result<()> {
    tx.sql("UPDATE grants SET scopes = COALESCE($1, scopes), expires_at = $2 WHERE id = $3")
        .bind(&grant.scopes)
        .bind(grant.expires_at)
        .bind(&grant.id)
        .execute()
        .await?;
    Ok(())
}

/// The live grants of a user, to all or one application, newest first, at most 1000.
pub async fn of_user(
    tx: &mut Tx,
    user_id: &UserId,
    application_id: Option<&ApplicationId>,
    now: i64,
) -> Result<Vec<Grant>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM grants WHERE user_id = $1 AND expires_at > $2 \
         AND application_id = COALESCE($3, application_id) ORDER BY created_at DESC, id LIMIT 1000"
    );
    tx.assembled(sql).bind(user_id).bind(now).bind(application_id).all().await
}

/// The live grants of a user by their session, newest first, at most 1000; without those whose session has ended.
pub async fn by_session(tx: &mut Tx, user_id: &UserId, now: i64) -> Result<HashMap<SessionId, Vec<Grant>>> {
    let mut grouped: HashMap<SessionId, Vec<Grant>> = HashMap::new();
    for grant in of_user(tx, user_id, None, now).await? {
        if let Some(id) = grant.session_id.clone() {
            grouped.entry(id).or_default().push(grant);
        }
    }
    Ok(grouped)
}

/// The grant with this id.
pub async fn find(tx: &mut Tx, id: &GrantId) -> Result<Option<Grant>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM grants WHERE id = $1")).bind(id).optional().await
}

/// Revokes a grant: deletes its codes (also of devices) and refresh tokens, revokes its access tokens, and notifies the
/// application. `false` if there is none.
pub async fn revoke(tx: &mut Tx, id: &GrantId, now: i64) -> Result<bool> {
    backchannel_logouts::append(tx, Ended::Grant(id), now).await?;
    tx.sql("UPDATE issuances SET revoked_at = $1 WHERE grant_id = $2 AND revoked_at IS NULL")
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    // With the last grant of a user, the application loses their organizations too.
    tx.sql(
        "DELETE FROM consent_organizations \
         WHERE (application_id, user_id) IN (SELECT application_id, user_id FROM grants WHERE id = $1) \
         AND NOT EXISTS (SELECT 1 FROM grants other WHERE other.application_id = consent_organizations.application_id \
         AND other.user_id = consent_organizations.user_id AND other.id <> $1)",
    )
    .bind(id)
    .execute()
    .await?;
    Ok(tx.sql("DELETE FROM grants WHERE id = $1").bind(id).execute().await? > 0)
}

#[derive(crate::Row)]
struct Locked {
    #[column(rename = "id")]
    _id: GrantId,
}

/// Revokes all access tokens and refresh tokens from one code.
pub async fn revoke_family(tx: &mut Tx, grant_id: &GrantId, family_id: &str, now: i64) -> Result<()> {
    revoke_issuances(tx, grant_id, family_id, now).await?;
    if tx.dialect() == Dialect::Postgres {
        // A statement does not see tokens whose issuance commits after it started. So lock the grant to wait for
        // running issuances, after the access tokens as they do (against deadlocks), and revoke again.
        let lock = tx.sql("SELECT id FROM grants WHERE id = $1 FOR UPDATE").bind(grant_id);
        lock.optional::<Locked>().await?;
        revoke_issuances(tx, grant_id, family_id, now).await?;
    }
    tx.sql("DELETE FROM refresh_tokens WHERE family_id = $1").bind(family_id).execute().await?;
    tx.sql("DELETE FROM refresh_families WHERE id = $1").bind(family_id).execute().await?;
    Ok(())
}

async fn revoke_issuances(tx: &mut Tx, grant_id: &GrantId, family_id: &str, now: i64) -> Result<()> {
    tx.sql("UPDATE issuances SET revoked_at = $1 WHERE grant_id = $2 AND family_id = $3 AND revoked_at IS NULL")
        .bind(now)
        .bind(grant_id)
        .bind(family_id)
        .execute()
        .await?;
    Ok(())
}

/// Ends what depends on a session: codes (also of devices), and tokens that do not outlive it. Consents are kept; the
/// applications are notified.
pub async fn end_session(tx: &mut Tx, session_id: &SessionId, now: i64) -> Result<()> {
    const OF_SESSION: &str = "(SELECT id FROM grants WHERE session_id = $1)";
    backchannel_logouts::append(tx, Ended::Session(session_id), now).await?;
    let lasting = "SELECT family_id FROM refresh_tokens WHERE outlives_session";
    tx.assembled(format!(
        "UPDATE issuances SET revoked_at = $2 WHERE grant_id IN {OF_SESSION} AND revoked_at IS NULL \
         AND family_id NOT IN ({lasting} AND grant_id IN {OF_SESSION})"
    ))
    .bind(session_id)
    .bind(now)
    .execute()
    .await?;
    for sql in [
        format!("DELETE FROM authorization_codes WHERE grant_id IN {OF_SESSION}"),
        format!("DELETE FROM device_authorizations WHERE grant_id IN {OF_SESSION}"),
        format!("DELETE FROM refresh_tokens WHERE grant_id IN {OF_SESSION} AND NOT outlives_session"),
        format!("DELETE FROM refresh_families WHERE grant_id IN {OF_SESSION} AND {WITHOUT_TOKENS}"),
        "UPDATE grants SET session_id = NULL WHERE session_id = $1".to_owned(),
    ] {
        tx.assembled(sql).bind(session_id).execute().await?;
    }
    Ok(())
}

/// Revokes all tokens of a user's grants. Consents are kept; each application is notified once per session.
pub async fn end_tokens_of_user(tx: &mut Tx, user_id: &UserId, now: i64) -> Result<()> {
    backchannel_logouts::append(tx, Ended::User(user_id), now).await?;
    tx.sql("UPDATE issuances SET revoked_at = $1 WHERE user_id = $2 AND grant_id IS NOT NULL AND revoked_at IS NULL")
        .bind(now)
        .bind(user_id)
        .execute()
        .await?;
    tx.sql("DELETE FROM authorization_codes WHERE user_id = $1").bind(user_id).execute().await?;
    tx.sql("DELETE FROM device_authorizations WHERE user_id = $1").bind(user_id).execute().await?;
    tx.sql("DELETE FROM refresh_tokens WHERE user_id = $1").bind(user_id).execute().await?;
    let families = "DELETE FROM refresh_families WHERE grant_id IN (SELECT id FROM grants WHERE user_id = $1)";
    tx.sql(families).bind(user_id).execute().await?;
    let over = "UPDATE grants SET session_id = NULL WHERE user_id = $1 AND session_id IS NOT NULL";
    tx.sql(over).bind(user_id).execute().await?;
    Ok(())
}

/// Revokes all tokens of a grant. The consent is kept; the application is notified.
pub async fn end_tokens(tx: &mut Tx, id: &GrantId, now: i64) -> Result<()> {
    backchannel_logouts::append(tx, Ended::Grant(id), now).await?;
    tx.sql("UPDATE issuances SET revoked_at = $1 WHERE grant_id = $2 AND revoked_at IS NULL")
        .bind(now)
        .bind(id)
        .execute()
        .await?;
    for sql in [
        "DELETE FROM authorization_codes WHERE grant_id = $1",
        "DELETE FROM device_authorizations WHERE grant_id = $1",
        "DELETE FROM refresh_tokens WHERE grant_id = $1",
        "DELETE FROM refresh_families WHERE grant_id = $1",
        "UPDATE grants SET session_id = NULL WHERE id = $1",
    ] {
        tx.sql(sql).bind(id).execute().await?;
    }
    Ok(())
}

/// Deletes at most `limit` grants that expired before `before`, and returns their number.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    tx.sql(
        "DELETE FROM consent_organizations WHERE (application_id, user_id) IN \
         (SELECT application_id, user_id FROM grants WHERE expires_at < $1 ORDER BY expires_at, id LIMIT $2) \
         AND NOT EXISTS (SELECT 1 FROM grants live WHERE live.application_id = consent_organizations.application_id \
         AND live.user_id = consent_organizations.user_id AND live.expires_at >= $1)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await?;
    tx.sql(
        "DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE expires_at < $1 ORDER BY expires_at, id LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
