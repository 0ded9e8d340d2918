//! Organization scopes, which apply within an organization.

use crate::sql::searchable::Searchable;
use crate::sql::slice::Slice;
use crate::sql::{containing, filter};
use crate::{Result, Tx, revisions};
use claimsmith_domain::id::{OrganizationRoleId, OrganizationScopeId};

/// A permission within organizations.
#[derive(Clone, Debug, crate::Row)]
pub struct OrganizationScope {
    /// 21 characters.
    pub id: OrganizationScopeId,
    /// Unique.
    pub name: String,
    /// Human-readable.
    pub description: Option<String>,
}

const COLUMNS: &str = "id, name, description";
const SEARCHABLE: Searchable = Searchable { table: "organization_scopes", columns: COLUMNS, order: "name, id" };

/// Adds a scope.
pub async fn insert(tx: &mut Tx, scope: &OrganizationScope) -> Result<()> {
    let sql = format!("INSERT INTO organization_scopes ({COLUMNS}, search_key) VALUES {}", filter::rows(4, 1));
    tx.assembled(sql)
        .bind(&scope.id)
        .bind(&scope.name)
        .bind(&scope.description)
        .bind(containing::key(&[&scope.name]))
        .execute()
        .await?;
    Ok(())
}

/// The scope with this id.
pub async fn find(tx: &mut Tx, id: &OrganizationScopeId) -> Result<Option<OrganizationScope>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM organization_scopes WHERE id = $1")).bind(id).optional().await
}

/// Scopes whose name contains `part`, by name.
pub async fn list(tx: &mut Tx, part: Option<&str>, slice: Slice) -> Result<Vec<OrganizationScope>> {
    SEARCHABLE.list(tx, part, slice).await
}

/// The number of scopes whose name contains `part`.
pub async fn count(tx: &mut Tx, part: Option<&str>) -> Result<i64> {
    SEARCHABLE.count(tx, part).await
}

/// Updates name and description.
pub async fn update(tx: &mut Tx, scope: &OrganizationScope) -> Result<()> {
    tx.sql("UPDATE organization_scopes SET name = $1, description = $2, search_key = $3 WHERE id = $4")
        .bind(&scope.name)
        .bind(&scope.description)
        .bind(containing::key(&[&scope.name]))
        .bind(&scope.id)
        .execute()
        .await?;
    bump_carriers(tx, &scope.id).await
}

/// Deletes a scope, and removes it from all roles. `false` if there is none.
pub async fn delete(tx: &mut Tx, id: &OrganizationScopeId) -> Result<bool> {
    bump_carriers(tx, id).await?;
    Ok(tx.sql("DELETE FROM organization_scopes WHERE id = $1").bind(id).execute().await? > 0)
}

#[derive(crate::Row)]
struct Carrier {
    role_id: OrganizationRoleId,
}

/// Bumps the revision for the roles with a scope.
async fn bump_carriers(tx: &mut Tx, id: &OrganizationScopeId) -> Result<()> {
    let sql = "SELECT organization_role_id AS role_id FROM organization_role_scopes WHERE organization_scope_id = $1";
    let carriers: Vec<Carrier> = tx.sql(sql).bind(id).all().await?;
    let ids: Vec<OrganizationRoleId> = carriers.into_iter().map(|carrier| carrier.role_id).collect();
    revisions::bump_organization_roles(tx, &ids).await
}
