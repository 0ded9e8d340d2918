//! Organizations, and the memberships and roles that tokens need.

pub mod applications;
pub mod consents;
pub mod held_roles;
pub mod invitations;
pub mod jit;
pub mod members;
pub mod role_scopes;
pub mod roles;
pub mod scopes;

use crate::revisions::Changed;
use crate::sql::searchable::Searchable;
use crate::sql::slice::Slice;
use crate::sql::{containing, filter};
use crate::{Json, Result, Tx, revisions};
use claimsmith_domain::documents::organization::{Branding, Color};
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, UserId};
use serde_json::Value;

/// An organization of a customer.
#[derive(Clone, Debug, crate::Row)]
pub struct Organization {
    /// 12 characters.
    pub id: OrganizationId,
    /// At most 128 characters.
    pub name: String,
    /// At most 256 characters.
    pub description: Option<String>,
    /// The integrator's own data.
    pub custom_data: Json<Value>,
    /// Whether members need a second factor.
    pub is_mfa_required: bool,
    /// The colours of its sign-in pages.
    pub color: Json<Color>,
    /// The pictures of its sign-in pages.
    pub branding: Json<Branding>,
    /// The style sheet of its sign-in pages.
    pub custom_css: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A role that a member has in an organization.
#[derive(Clone, Debug, crate::Row)]
pub struct MemberRole {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The role.
    pub role_id: OrganizationRoleId,
    /// The role's name.
    pub role_name: String,
}

const COLUMNS: &str = "id, name, description, custom_data, is_mfa_required, color, branding, custom_css, created_at";
const SEARCHABLE: Searchable = Searchable { table: "organizations", columns: COLUMNS, order: "created_at DESC, id" };

/// Adds an organization.
pub async fn insert(tx: &mut Tx, organization: &Organization) -> Result<()> {
    tx.assembled(format!("INSERT INTO organizations ({COLUMNS}, search_key) VALUES {}", filter::rows(10, 1)))
        .bind(&organization.id)
        .bind(&organization.name)
        .bind(&organization.description)
        .bind(&organization.custom_data)
        .bind(organization.is_mfa_required)
        .bind(&organization.color)
        .bind(&organization.branding)
        .bind(&organization.custom_css)
        .bind(organization.created_at)
        .bind(containing::key(&[&organization.id, &organization.name]))
        .execute()
        .await?;
    Ok(())
}

/// The organization with this id.
pub async fn find(tx: &mut Tx, id: &OrganizationId) -> Result<Option<Organization>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM organizations WHERE id = $1")).bind(id).optional().await
}

/// Organizations whose id or name contains `part`, newest first.
pub async fn list(tx: &mut Tx, part: Option<&str>, slice: Slice) -> Result<Vec<Organization>> {
    SEARCHABLE.list(tx, part, slice).await
}

/// The number of organizations whose id or name contains `part`.
pub async fn count(tx: &mut Tx, part: Option<&str>) -> Result<i64> {
    SEARCHABLE.count(tx, part).await
}

/// Updates an organization, except for its id and creation time.
pub async fn update(tx: &mut Tx, organization: &Organization) -> Result<()> {
    tx.sql(
        "UPDATE organizations SET name = $1, description = $2, custom_data = COALESCE($3, custom_data), \
         is_mfa_required = $4, color = $5, branding = $6, custom_css = $7, search_key = $8 WHERE id = $9",
    )
    .bind(&organization.name)
    .bind(&organization.description)
    .bind(&organization.custom_data)
    .bind(organization.is_mfa_required)
    .bind(&organization.color)
    .bind(&organization.branding)
    .bind(&organization.custom_css)
    .bind(containing::key(&[&organization.id, &organization.name]))
    .bind(&organization.id)
    .execute()
    .await?;
    revisions::bump(tx, Changed::Organization(&organization.id)).await
}

/// Deletes an organization with its memberships, invitations and other data. `false` if there is none.
pub async fn delete(tx: &mut Tx, id: &OrganizationId) -> Result<bool> {
    let deleted = tx.sql("DELETE FROM organizations WHERE id = $1").bind(id).execute().await?;
    // Invalidates cached facts of its members, which name it; the tokens of its applications name it too.
    revisions::bump(tx, Changed::Organization(id)).await?;
    Ok(deleted > 0)
}

/// The organizations of a user, by name.
pub async fn of_user(tx: &mut Tx, user_id: &UserId) -> Result<Vec<Organization>> {
    tx.sql(
        "SELECT o.id, o.name, o.description, o.custom_data, o.is_mfa_required, o.color, o.branding, o.custom_css, \
         o.created_at FROM organizations o \
         JOIN organization_users ou ON ou.organization_id = o.id WHERE ou.user_id = $1 ORDER BY o.name, o.id",
    )
    .bind(user_id)
    .all()
    .await
}

/// The organization roles of a user, in all organizations.
pub async fn roles_of_user(tx: &mut Tx, user_id: &UserId) -> Result<Vec<MemberRole>> {
    tx.sql(
        "SELECT ou.organization_id, r.id AS role_id, r.name AS role_name FROM organization_user_roles ou \
         JOIN organization_roles r ON r.id = ou.organization_role_id WHERE ou.user_id = $1 ORDER BY r.name",
    )
    .bind(user_id)
    .all()
    .await
}
