//! Organization roles, for members or for machine-to-machine applications.

use crate::storage::revisions::Changed;
use crate::storage::sql::slice::{Count, Slice};
use crate::storage::sql::{containing, filter};
use crate::storage::{Result, Tx, revisions};

/// A named set of scopes within an organization.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct OrganizationRole {
    /// 21 characters.
    pub id: String,
    /// Unique.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// `User` or `MachineToMachine`.
    #[sqlx(rename = "type")]
    pub kind: String,
}

const COLUMNS: &str = "id, name, description, type";

/// Adds a role.
pub async fn insert(tx: &mut Tx, role: &OrganizationRole) -> Result<()> {
    let sql = format!("INSERT INTO organization_roles ({COLUMNS}, search_key) VALUES {}", filter::rows(5, 1));
    tx.assembled(sql)
        .bind(&role.id)
        .bind(&role.name)
        .bind(&role.description)
        .bind(&role.kind)
        .bind(key(role))
        .execute()
        .await?;
    revisions::bump(tx, Changed::All).await
}

/// The role of that id.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<OrganizationRole>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM organization_roles WHERE id = $1")).bind(id).optional().await
}

/// Those of the given roles that exist.
pub async fn find_all(tx: &mut Tx, ids: &[String]) -> Result<Vec<OrganizationRole>> {
    those_whose(tx, "id", ids).await
}

/// Those of the roles of these names that exist.
pub async fn find_named(tx: &mut Tx, names: &[String]) -> Result<Vec<OrganizationRole>> {
    those_whose(tx, "name", names).await
}

/// Roles by name, those whose id, name or description contains `part`.
pub async fn list(tx: &mut Tx, part: Option<&str>, slice: Slice) -> Result<Vec<OrganizationRole>> {
    tx.assembled(format!(
        "SELECT {COLUMNS} FROM organization_roles WHERE search_key LIKE $1 ESCAPE '\\' \
         ORDER BY name, id LIMIT $2 OFFSET $3"
    ))
    .bind(containing::pattern(part))
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}

/// How many roles there are whose id, name or description contains `part`.
pub async fn count(tx: &mut Tx, part: Option<&str>) -> Result<i64> {
    let sql = "SELECT COUNT(*) AS count FROM organization_roles WHERE search_key LIKE $1 ESCAPE '\\'";
    Ok(tx.sql(sql).bind(containing::pattern(part)).one::<Count>().await?.count)
}

/// Writes name and description.
pub async fn update(tx: &mut Tx, role: &OrganizationRole) -> Result<()> {
    tx.sql("UPDATE organization_roles SET name = $1, description = $2, search_key = $3 WHERE id = $4")
        .bind(&role.name)
        .bind(&role.description)
        .bind(key(role))
        .bind(&role.id)
        .execute()
        .await?;
    revisions::bump(tx, Changed::All).await
}

/// Deletes a role and its assignments. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &str) -> Result<bool> {
    let deleted = tx.sql("DELETE FROM organization_roles WHERE id = $1").bind(id).execute().await?;
    revisions::bump(tx, Changed::All).await?;
    Ok(deleted > 0)
}

async fn those_whose(tx: &mut Tx, column: &str, values: &[String]) -> Result<Vec<OrganizationRole>> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = filter::placeholders(1, values.len());
    let sql = format!("SELECT {COLUMNS} FROM organization_roles WHERE {column} IN ({wanted}) ORDER BY id");
    tx.assembled(sql).bind_all(values).all().await
}

fn key(role: &OrganizationRole) -> String {
    containing::key(&[&role.id, &role.name, role.description.as_deref().unwrap_or_default()])
}
