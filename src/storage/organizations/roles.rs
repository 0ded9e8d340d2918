//! Organization roles, for members or for machine-to-machine applications.

use crate::revisions::Changed;
use crate::sql::searchable::Searchable;
use crate::sql::slice::Slice;
use crate::sql::{containing, filter};
use crate::{LinkOwner, Links, Result, Tx, revisions};
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::OrganizationRoleId;

/// A named set of scopes within an organization.
#[derive(Clone, Debug, crate::Row)]
pub struct OrganizationRole {
    /// 21 characters.
    pub id: OrganizationRoleId,
    /// Unique.
    pub name: String,
    /// Human-readable.
    pub description: Option<String>,
    /// Who may have it.
    #[column(rename = "type")]
    pub kind: RoleType,
}

const COLUMNS: &str = "id, name, description, type";
const SEARCHABLE: Searchable = Searchable { table: "organization_roles", columns: COLUMNS, order: "name, id" };

/// Adds a role.
pub async fn insert(tx: &mut Tx, role: &OrganizationRole) -> Result<()> {
    let sql = format!("INSERT INTO organization_roles ({COLUMNS}, search_key) VALUES {}", filter::rows(5, 1));
    tx.assembled(sql)
        .bind(&role.id)
        .bind(&role.name)
        .bind(&role.description)
        .bind(role.kind)
        .bind(key(role))
        .execute()
        .await?;
    // A new role has no holders yet.
    revisions::bump(tx, Changed::Nothing).await
}

/// The role with this id.
pub async fn find(tx: &mut Tx, id: &OrganizationRoleId) -> Result<Option<OrganizationRole>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM organization_roles WHERE id = $1")).bind(id).optional().await
}

/// The given roles that exist.
pub async fn find_all(tx: &mut Tx, ids: &[OrganizationRoleId]) -> Result<Vec<OrganizationRole>> {
    those_whose(tx, "id", ids).await
}

/// The roles with these names.
pub async fn find_named(tx: &mut Tx, names: &[String]) -> Result<Vec<OrganizationRole>> {
    those_whose(tx, "name", names).await
}

/// Roles whose id, name or description contains `part`, by name.
pub async fn list(tx: &mut Tx, part: Option<&str>, slice: Slice) -> Result<Vec<OrganizationRole>> {
    SEARCHABLE.list(tx, part, slice).await
}

/// The number of roles whose id, name or description contains `part`.
pub async fn count(tx: &mut Tx, part: Option<&str>) -> Result<i64> {
    SEARCHABLE.count(tx, part).await
}

/// Updates name and description.
pub async fn update(tx: &mut Tx, role: &OrganizationRole) -> Result<()> {
    tx.sql("UPDATE organization_roles SET name = $1, description = $2, search_key = $3 WHERE id = $4")
        .bind(&role.name)
        .bind(&role.description)
        .bind(key(role))
        .bind(&role.id)
        .execute()
        .await?;
    revisions::bump(tx, Changed::OrganizationRole(&role.id)).await
}

/// Deletes a role and its assignments. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &OrganizationRoleId) -> Result<bool> {
    let deleted = tx.sql("DELETE FROM organization_roles WHERE id = $1").bind(id).execute().await?;
    revisions::bump(tx, Changed::OrganizationRole(id)).await?;
    Ok(deleted > 0)
}

async fn those_whose(tx: &mut Tx, column: &str, values: &[impl AsRef<str>]) -> Result<Vec<OrganizationRole>> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = filter::placeholders(1, values.len());
    let sql = format!("SELECT {COLUMNS} FROM organization_roles WHERE {column} IN ({wanted}) ORDER BY id");
    tx.assembled(sql).bind_all(values.iter().map(AsRef::as_ref)).all().await
}

fn key(role: &OrganizationRole) -> String {
    containing::key(&[&role.id, &role.name, role.description.as_deref().unwrap_or_default()])
}

impl<O> Links<O, OrganizationRoleId> {
    /// The roles of an owner (a member or an application of an organization, just-in-time provisioning), by name.
    pub async fn list(self, tx: &mut Tx, owner: impl LinkOwner<O>, slice: Slice) -> Result<Vec<OrganizationRole>> {
        let (condition, next) = self.condition();
        let sql = format!(
            "SELECT r.id, r.name, r.description, r.type FROM organization_roles r JOIN {} l ON l.{} = r.id \
             WHERE {condition} ORDER BY r.name, r.id LIMIT ${next} OFFSET ${}",
            self.table,
            self.target,
            next + 1,
        );
        tx.assembled(sql).bind_all(owner.ids()).bind(slice.limit).bind(slice.offset).all().await
    }
}
