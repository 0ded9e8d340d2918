//! Users, and their roles and organization roles.

pub mod activity;
pub mod avatars;
pub mod identities;
pub mod list;
pub mod locked_out;
pub mod mfa;
pub mod passkeys;
pub mod password_age;
pub mod personal_access_tokens;
pub mod settings;
pub mod sso_identities;

use crate::sql::filter;
use crate::{Dialect, Json, Result, Tx};
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::user::PasswordAlgorithm;
use claimsmith_domain::id::{ApplicationId, OrganizationId, ResourceId, UserId};
use claimsmith_domain::password_work;
use serde_json::Value;

/// Maximum number of users in one statement.
const IDS_PER_STATEMENT: usize = 500;

/// A user.
#[derive(Clone, Debug, crate::Row)]
pub struct User {
    /// 12 characters.
    pub id: UserId,
    /// Unique, composed (NFC).
    pub username: Option<String>,
    /// Unique.
    pub primary_email: Option<String>,
    /// International digits, unique.
    pub primary_phone: Option<String>,
    /// Hash of the password, in the encoding of `password_algorithm`.
    pub password_digest: Option<String>,
    /// The algorithm of the hash.
    pub password_algorithm: Option<PasswordAlgorithm>,
    /// Display name.
    pub name: Option<String>,
    /// URL of a picture.
    pub avatar: Option<String>,
    /// The integrator's own data.
    pub custom_data: Json<Value>,
    /// Linked identities by connector target.
    pub identities: Json<Value>,
    /// Standard claims of the user.
    pub profile: Json<Value>,
    /// The application through which the user registered.
    pub application_id: Option<ApplicationId>,
    /// A suspended user gets no tokens, and existing tokens are invalid.
    pub is_suspended: bool,
    /// Unix milliseconds.
    pub last_sign_in_at: Option<i64>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
    /// Changes with every change of the user.
    pub revision: i64,
}

pub(crate) const COLUMNS: &str = "id, username, primary_email, primary_phone, password_digest, password_algorithm, name, avatar, \
     custom_data, identities, profile, application_id, is_suspended, last_sign_in_at, created_at, updated_at, revision";

/// Adds a user at the end of the order.
pub async fn insert(tx: &mut Tx, user: &User) -> Result<()> {
    let place = match tx.dialect() {
        Dialect::Sqlite => "(SELECT COALESCE(MAX(place), 0) + 1 FROM users)",
        Dialect::Postgres => "DEFAULT",
    };
    let (columns, values) =
        ("username_key, email_key, name_key, password_work, password_updated_at, place", filter::placeholders(1, 22));
    tx.assembled(format!("INSERT INTO users ({COLUMNS}, {columns}) VALUES ({values}, {place})"))
        .bind(&user.id)
        .bind(&user.username)
        .bind(&user.primary_email)
        .bind(&user.primary_phone)
        .bind(&user.password_digest)
        .bind(user.password_algorithm)
        .bind(&user.name)
        .bind(&user.avatar)
        .bind(&user.custom_data)
        .bind(&user.identities)
        .bind(&user.profile)
        .bind(&user.application_id)
        .bind(user.is_suspended)
        .bind(user.last_sign_in_at)
        .bind(user.created_at)
        .bind(user.updated_at)
        .bind(user.revision)
        .bind(folded(user.username.as_ref()))
        .bind(folded(user.primary_email.as_ref()))
        .bind(folded(user.name.as_ref()))
        .bind(work_of(user))
        .bind(user.password_digest.is_some().then_some(user.created_at))
        .execute()
        .await?;
    Ok(())
}

/// Updates a user, except for id and creation time, and increases the revision. A new password has not expired. `false` if
/// there is none.
pub async fn update(tx: &mut Tx, user: &User) -> Result<bool> {
    let changed = tx
        .sql(
            "UPDATE users SET username = $1, primary_email = $2, primary_phone = $3, \
             password_updated_at = CASE WHEN password_digest IS DISTINCT FROM $4 THEN $14 ELSE password_updated_at END, \
             is_password_expired = is_password_expired AND password_digest IS NOT DISTINCT FROM $4, \
             password_digest = $4, password_algorithm = $5, name = $6, avatar = $7, custom_data = COALESCE($8, custom_data), \
             identities = COALESCE($9, identities), profile = COALESCE($10, profile), \
             application_id = $11, is_suspended = $12, last_sign_in_at = $13, updated_at = $14, username_key = $15, \
             email_key = $16, name_key = $17, password_work = $18, revision = revision + 1 WHERE id = $19",
        )
        .bind(&user.username)
        .bind(&user.primary_email)
        .bind(&user.primary_phone)
        .bind(&user.password_digest)
        .bind(user.password_algorithm)
        .bind(&user.name)
        .bind(&user.avatar)
        .bind(&user.custom_data)
        .bind(&user.identities)
        .bind(&user.profile)
        .bind(&user.application_id)
        .bind(user.is_suspended)
        .bind(user.last_sign_in_at)
        .bind(user.updated_at)
        .bind(folded(user.username.as_ref()))
        .bind(folded(user.primary_email.as_ref()))
        .bind(folded(user.name.as_ref()))
        .bind(work_of(user))
        .bind(&user.id)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// The cost of verifying the password.
fn work_of(user: &User) -> i64 {
    let stored = user.password_digest.as_deref().zip(user.password_algorithm);
    stored.map(|(digest, algorithm)| password_work::of(digest, algorithm)).unwrap_or_default()
}

fn folded(text: Option<&String>) -> Option<String> {
    text.map(|text| fold(text))
}

/// The user with this id.
pub async fn find(tx: &mut Tx, id: &UserId) -> Result<Option<User>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM users WHERE id = $1")).bind(id).optional().await
}

/// The user with this id, locked until the transaction ends, for a change that depends on the current values.
pub async fn find_to_change(tx: &mut Tx, id: &UserId) -> Result<Option<User>> {
    let lock = match tx.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE",
    };
    tx.assembled(format!("SELECT {COLUMNS} FROM users WHERE id = $1{lock}")).bind(id).optional().await
}

/// The identifiers of a user other than the id.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Identifiers {
    /// The username.
    pub username: Option<String>,
    /// The email address.
    pub primary_email: Option<String>,
    /// The phone number.
    pub primary_phone: Option<String>,
}

/// A user's id and identifiers.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct Identified {
    /// The user.
    pub id: UserId,
    /// The identifiers.
    #[column(flatten)]
    pub identifiers: Identifiers,
}

/// The users who have one of these identifiers, ignoring case.
pub async fn identified_by(tx: &mut Tx, wanted: &Identifiers) -> Result<Vec<Identified>> {
    tx.sql(
        "SELECT id, username, primary_email, primary_phone FROM users \
         WHERE username_key = $1 OR email_key = $2 OR primary_phone = $3",
    )
    .bind(folded(wanted.username.as_ref()))
    .bind(folded(wanted.primary_email.as_ref()))
    .bind(&wanted.primary_phone)
    .all()
    .await
}

/// The user who has one of these identifiers, ignoring case.
pub async fn find_identified(tx: &mut Tx, wanted: &Identifiers) -> Result<Option<User>> {
    let sql =
        format!("SELECT {COLUMNS} FROM users WHERE username_key = $1 OR email_key = $2 OR primary_phone = $3 LIMIT 1");
    tx.assembled(sql)
        .bind(folded(wanted.username.as_ref()))
        .bind(folded(wanted.primary_email.as_ref()))
        .bind(&wanted.primary_phone)
        .optional()
        .await
}

/// Records a sign-in. Returns the user, or `None` if there is none.
pub async fn signed_in(tx: &mut Tx, id: &UserId, now: i64) -> Result<Option<User>> {
    let sql =
        format!("UPDATE users SET last_sign_in_at = $1, revision = revision + 1 WHERE id = $2 RETURNING {COLUMNS}");
    tx.assembled(sql).bind(now).bind(id).optional().await
}

/// Suspends or reactivates a user. Returns the changed user, or `None` if there is none.
pub async fn set_suspended(tx: &mut Tx, id: &UserId, is_suspended: bool, now: i64) -> Result<Option<User>> {
    let sql = format!(
        "UPDATE users SET is_suspended = $1, updated_at = $2, revision = revision + 1 WHERE id = $3 RETURNING {COLUMNS}"
    );
    tx.assembled(sql).bind(is_suspended).bind(now).bind(id).optional().await
}

/// Replaces a password hash by an Argon2id hash of this server. `false` if the hash has changed meanwhile.
pub async fn renew_digest(tx: &mut Tx, id: &UserId, old: &str, new: &str) -> Result<bool> {
    let renewed = tx
        .sql(
            "UPDATE users SET password_digest = $1, password_algorithm = 'Argon2id', password_work = $2 \
             WHERE id = $3 AND password_digest = $4",
        )
        .bind(new)
        .bind(password_work::of(new, PasswordAlgorithm::Argon2id))
        .bind(id)
        .bind(old)
        .execute()
        .await?;
    Ok(renewed > 0)
}

#[derive(crate::Row)]
struct WorkRow {
    work: i64,
}

/// The maximum cost of verifying the password of any user.
pub async fn most_password_work(tx: &mut Tx) -> Result<i64> {
    // Reads the first entry of an index.
    let sql = "SELECT COALESCE(MAX(password_work), 0) AS work FROM users";
    Ok(tx.sql(sql).one::<WorkRow>().await?.work)
}

/// Deletes a user with all dependent data. `false` if there is none.
pub async fn delete(tx: &mut Tx, id: &UserId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM users WHERE id = $1").bind(id).execute().await? > 0)
}

/// Must be called in every transaction that changes the roles or scopes of a user.
pub async fn touch(tx: &mut Tx, id: &UserId) -> Result<()> {
    tx.sql("UPDATE users SET revision = revision + 1 WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// The same for many users.
pub async fn touch_all(tx: &mut Tx, ids: &[UserId]) -> Result<()> {
    for part in ids.chunks(IDS_PER_STATEMENT) {
        let sql =
            format!("UPDATE users SET revision = revision + 1 WHERE id IN ({})", filter::placeholders(1, part.len()));
        tx.assembled(sql).bind_all(part).execute().await?;
    }
    Ok(())
}

/// A scope that a user has.
#[derive(Clone, Debug, crate::Row)]
pub struct HeldScope {
    /// The organization in which the user has it; `None` outside organizations.
    pub organization_id: Option<OrganizationId>,
    /// The resource it belongs to.
    pub resource_id: ResourceId,
    /// The scope's name.
    pub name: String,
}

/// Every scope that a user has, through roles and organization roles
/// (`docs/decisions/granted-scopes-and-token-format.md`).
pub async fn scopes_held(tx: &mut Tx, user_id: &UserId) -> Result<Vec<HeldScope>> {
    tx.sql(
        "SELECT NULL AS organization_id, s.resource_id, s.name FROM scopes s \
         JOIN role_scopes rs ON rs.scope_id = s.id JOIN user_roles ur ON ur.role_id = rs.role_id WHERE ur.user_id = $1 \
         UNION SELECT ou.organization_id, s.resource_id, s.name FROM scopes s \
         JOIN organization_role_resource_scopes os ON os.scope_id = s.id \
         JOIN organization_user_roles ou ON ou.organization_role_id = os.organization_role_id WHERE ou.user_id = $1",
    )
    .bind(user_id)
    .all()
    .await
}
