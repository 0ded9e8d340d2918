//! Token records: one row for every issued token, for revocation, introspection and the audit log.

use crate::sql::conditions::Conditions;
use crate::sql::filter::Placeholders;
use crate::sql::slice::Slice;
use crate::{Json, SharedDocument};
use crate::{Result, Stmt, Tx, users};
use claimsmith_domain::id::{ApplicationId, GrantId, OrganizationId, SubjectTokenId, UserId};
use serde_json::Value;

/// The record of one token.
#[derive(Clone, Debug, crate::Row)]
pub struct Issuance {
    /// The token's `jti`.
    pub jti: String,
    /// The user it represents; `None` for an application's own token.
    pub user_id: Option<UserId>,
    /// The application it was issued to.
    pub application_id: ApplicationId,
    /// The user in `act`.
    pub actor_id: Option<UserId>,
    /// The organization it is for.
    pub organization_id: Option<OrganizationId>,
    /// The resource indicator in `aud`; `None` for an opaque token.
    pub resource: Option<String>,
    /// The granted scopes.
    pub scope: String,
    /// Whether it came from a token exchange.
    pub exchanged: bool,
    /// The subject token that was consumed for it.
    pub subject_token_id: Option<SubjectTokenId>,
    /// The context of that subject token, which is deleted earlier.
    pub context: Option<SharedDocument>,
    /// The grant that it was issued under, if a user signed in for it.
    pub grant_id: Option<GrantId>,
    /// Shared by all tokens from the same code.
    pub family_id: Option<String>,
    /// SHA-256 of an opaque token, hexadecimal.
    pub opaque_hash: Option<String>,
    /// The claims of an opaque token.
    pub claims: Option<Json<Value>>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
    /// Unix milliseconds, once it was revoked.
    pub revoked_at: Option<i64>,
}

const COLUMNS: &str = "jti, user_id, application_id, actor_id, organization_id, resource, scope, exchanged, \
     subject_token_id, context, grant_id, family_id, opaque_hash, claims, created_at, expires_at, revoked_at";

/// The SQL that adds `count` records.
pub(crate) fn insert_sql(values: &mut Placeholders, count: usize) -> String {
    values.insert("issuances", (COLUMNS, 17), count)
}

/// Binds one record of this SQL.
pub(crate) fn bind<'t>(statement: Stmt<'t>, issuance: &Issuance) -> Stmt<'t> {
    statement
        .bind(&issuance.jti)
        .bind(&issuance.user_id)
        .bind(&issuance.application_id)
        .bind(&issuance.actor_id)
        .bind(&issuance.organization_id)
        .bind(&issuance.resource)
        .bind(&issuance.scope)
        .bind(issuance.exchanged)
        .bind(&issuance.subject_token_id)
        .bind(&issuance.context)
        .bind(&issuance.grant_id)
        .bind(&issuance.family_id)
        .bind(&issuance.opaque_hash)
        .bind(&issuance.claims)
        .bind(issuance.created_at)
        .bind(issuance.expires_at)
        .bind(issuance.revoked_at)
}

/// The record with this `jti`.
pub async fn find(tx: &mut Tx, jti: &str) -> Result<Option<Issuance>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM issuances WHERE jti = $1")).bind(jti).optional().await
}

/// The record of the opaque token with this hash.
pub async fn find_opaque(tx: &mut Tx, hash: &str) -> Result<Option<Issuance>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM issuances WHERE opaque_hash = $1")).bind(hash).optional().await
}

/// The filter of a list of records.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this user.
    pub user_id: Option<UserId>,
    /// To this application.
    pub application_id: Option<ApplicationId>,
    /// From this time on, Unix milliseconds.
    pub from: Option<i64>,
    /// Until this time, Unix milliseconds.
    pub to: Option<i64>,
}

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("issuances", tx);
        conditions.text("user_id = ?", self.user_id.as_deref());
        conditions.text("application_id = ?", self.application_id.as_deref());
        conditions.number("created_at >= ?", self.from);
        conditions.number("created_at <= ?", self.to);
        conditions
    }
}

/// Records, newest first. Ordered by `jti`, which begins with the creation time and is indexed.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<Issuance>> {
    wanted.conditions(tx).list(tx, COLUMNS, "jti DESC", slice).all().await
}

/// The number of matching records, at most `most`.
pub async fn count(tx: &mut Tx, wanted: &Filter, most: i64) -> Result<i64> {
    wanted.conditions(tx).count_to(tx, most).await
}

/// Revokes a token. `false` if it is already revoked or does not exist.
pub async fn revoke(tx: &mut Tx, jti: &str, now: i64) -> Result<bool> {
    let changed = tx
        .sql("UPDATE issuances SET revoked_at = $1 WHERE jti = $2 AND revoked_at IS NULL")
        .bind(now)
        .bind(jti)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// A live token of a user.
#[derive(Clone, Debug, crate::Row)]
pub struct LiveIssuance {
    /// The token's `jti`.
    pub jti: String,
    /// The application it was issued to.
    pub application_id: ApplicationId,
    /// The resource indicator in `aud`; `None` for an opaque token.
    pub resource: Option<String>,
    /// The granted scopes.
    pub scope: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub expires_at: i64,
}

/// The live tokens of a user that were issued without a sign-in, newest first, at most 1000.
pub async fn live_of_user(tx: &mut Tx, user_id: &UserId, now: i64) -> Result<Vec<LiveIssuance>> {
    tx.sql(
        "SELECT jti, application_id, resource, scope, created_at, expires_at FROM issuances \
         WHERE user_id = $1 AND grant_id IS NULL AND revoked_at IS NULL AND expires_at > $2 ORDER BY created_at DESC, jti LIMIT 1000",
    )
    .bind(user_id)
    .bind(now)
    .all()
    .await
}

/// Revokes a live token of a user. `false` when there is none.
pub async fn revoke_of_user(tx: &mut Tx, user_id: &UserId, jti: &str, now: i64) -> Result<bool> {
    let changed = tx
        .sql(
            "UPDATE issuances SET revoked_at = $1 \
             WHERE jti = $2 AND user_id = $3 AND revoked_at IS NULL AND expires_at > $1",
        )
        .bind(now)
        .bind(jti)
        .bind(user_id)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Deletes at most `limit` records of tokens that expired before `before`, except impersonations, and returns their
/// number. First records that their users were active.
pub async fn delete_expired(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    delete(tx, "subject_token_id IS NULL", before, limit).await
}

/// The same for impersonations.
pub async fn delete_impersonations(tx: &mut Tx, before: i64, limit: i64) -> Result<u64> {
    delete(tx, "subject_token_id IS NOT NULL", before, limit).await
}

/// Each part has its own index.
async fn delete(tx: &mut Tx, part: &str, before: i64, limit: i64) -> Result<u64> {
    let rows = format!("SELECT jti FROM issuances WHERE {part} AND expires_at < $1 LIMIT $2");
    let sql = format!("DELETE FROM issuances WHERE jti IN ({rows}) RETURNING created_at, user_id");
    let swept: Vec<users::activity::Use> = tx.assembled(sql).bind(before).bind(limit).all().await?;
    users::activity::keep(tx, &swept).await?;
    Ok(swept.len() as u64)
}
