//! Organizations, as far as tokens speak of them: who is a member, and with which roles.

use super::{Result, Tx, filter, revisions, users};
use serde_json::Value;
use sqlx::types::Json;

/// A customer's organization.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Organization {
    /// 12 characters.
    pub id: String,
    /// At most 128 characters.
    pub name: String,
    /// At most 256 characters.
    pub description: Option<String>,
    /// The integrator's own data.
    pub custom_data: Json<Value>,
    /// Whether members need a second factor.
    pub is_mfa_required: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A role that a member has in an organization.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct MemberRole {
    /// The organization.
    pub organization_id: String,
    /// The role.
    pub role_id: String,
    /// The role's name.
    pub role_name: String,
}

const COLUMNS: &str = "id, name, description, custom_data, is_mfa_required, created_at";

/// Adds an organization.
pub async fn insert(tx: &mut Tx, organization: &Organization) -> Result<()> {
    tx.assembled(format!("INSERT INTO organizations ({COLUMNS}) VALUES {}", filter::rows(6, 1)))
        .bind(&organization.id)
        .bind(&organization.name)
        .bind(&organization.description)
        .bind(&organization.custom_data)
        .bind(organization.is_mfa_required)
        .bind(organization.created_at)
        .execute()
        .await?;
    Ok(())
}

/// Makes a user a member; being one already is no error.
pub async fn add_member(tx: &mut Tx, organization_id: &str, user_id: &str) -> Result<()> {
    tx.sql("INSERT INTO organization_users (organization_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(organization_id)
        .bind(user_id)
        .execute()
        .await?;
    users::touch(tx, user_id).await
}

/// Adds a role that members of organizations can have, carrying scopes of resources.
pub async fn insert_role(tx: &mut Tx, id: &str, name: &str, scope_ids: &[&str]) -> Result<()> {
    tx.sql("INSERT INTO organization_roles (id, name, type) VALUES ($1, $2, 'User')")
        .bind(id)
        .bind(name)
        .execute()
        .await?;
    for scope_id in scope_ids {
        tx.sql("INSERT INTO organization_role_resource_scopes (organization_role_id, scope_id) VALUES ($1, $2)")
            .bind(id)
            .bind(*scope_id)
            .execute()
            .await?;
    }
    revisions::bump(tx).await
}

/// Gives a member a role in an organization.
pub async fn add_member_role(tx: &mut Tx, organization_id: &str, user_id: &str, role_id: &str) -> Result<()> {
    tx.sql("INSERT INTO organization_user_roles (organization_id, user_id, organization_role_id) VALUES ($1, $2, $3)")
        .bind(organization_id)
        .bind(user_id)
        .bind(role_id)
        .execute()
        .await?;
    users::touch(tx, user_id).await
}

/// The organizations of a user, by name.
pub async fn of_user(tx: &mut Tx, user_id: &str) -> Result<Vec<Organization>> {
    tx.sql(
        "SELECT o.id, o.name, o.description, o.custom_data, o.is_mfa_required, o.created_at FROM organizations o \
         JOIN organization_users ou ON ou.organization_id = o.id WHERE ou.user_id = $1 ORDER BY o.name, o.id",
    )
    .bind(user_id)
    .all()
    .await
}

/// The organization roles of a user, in all organizations.
pub async fn roles_of_user(tx: &mut Tx, user_id: &str) -> Result<Vec<MemberRole>> {
    tx.sql(
        "SELECT ou.organization_id, r.id AS role_id, r.name AS role_name FROM organization_user_roles ou \
         JOIN organization_roles r ON r.id = ou.organization_role_id WHERE ou.user_id = $1 ORDER BY r.name",
    )
    .bind(user_id)
    .all()
    .await
}
