//! API resources (audiences of access tokens) and their scopes.

use super::{Result, Tx, revisions};
use crate::revisions::Changed;
use crate::sql::conditions::Conditions;
use crate::sql::filter;
use crate::sql::search::{SearchColumn, Searched};
use crate::sql::slice::{Count, Slice};
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::id::{ResourceId, RoleId, ScopeId};
use claimsmith_domain::search::Search;

/// An API that accepts access tokens.
#[derive(Clone, Debug, crate::Row)]
pub struct Resource {
    /// 21 characters.
    pub id: ResourceId,
    /// Human-readable.
    pub name: String,
    /// Absolute URI, unique: the `aud` of its tokens.
    pub indicator: String,
    /// Whether it is the default for requests that name none.
    pub is_default: bool,
    /// Seconds.
    pub access_token_ttl: i64,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// One permission of a resource.
#[derive(Clone, Debug, crate::Row)]
pub struct Scope {
    /// 21 characters.
    pub id: ScopeId,
    /// The resource it belongs to.
    pub resource_id: ResourceId,
    /// No white space, unique per resource.
    pub name: String,
    /// Human-readable.
    pub description: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
}

const COLUMNS: &str = "id, name, indicator, is_default, access_token_ttl, created_at";
const SCOPE_COLUMNS: &str = "id, resource_id, name, description, created_at";

/// The fields of scopes that can be searched.
pub const SCOPE_FIELDS: [&str; 3] = ["id", "name", "description"];

const SEARCHED: Searched = Searched {
    columns: &[
        SearchColumn { field: "id", name: "id", folded: Some("id") },
        SearchColumn { field: "name", name: "name", folded: Some("name_key") },
        SearchColumn { field: "description", name: "description", folded: Some("description_key") },
    ],
    key: None,
};

/// Adds a resource.
pub async fn insert(tx: &mut Tx, resource: &Resource) -> Result<()> {
    tx.assembled(format!("INSERT INTO resources ({COLUMNS}) VALUES {}", filter::rows(6, 1)))
        .bind(&resource.id)
        .bind(&resource.name)
        .bind(&resource.indicator)
        .bind(resource.is_default)
        .bind(resource.access_token_ttl)
        .bind(resource.created_at)
        .execute()
        .await?;
    // A new resource has no scopes, and the absence of an indicator is not cached.
    revisions::bump(tx, Changed::Nothing).await
}

/// Updates a resource: its name and the lifetime of its tokens.
pub async fn update(tx: &mut Tx, resource: &Resource) -> Result<()> {
    tx.sql("UPDATE resources SET name = $1, access_token_ttl = $2 WHERE id = $3")
        .bind(&resource.name)
        .bind(resource.access_token_ttl)
        .bind(&resource.id)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Resource).await
}

/// Changes the indicator of a resource; only the server itself does.
pub async fn set_indicator(tx: &mut Tx, id: &ResourceId, indicator: &str) -> Result<()> {
    tx.sql("UPDATE resources SET indicator = $1 WHERE id = $2").bind(indicator).bind(id).execute().await?;
    revisions::bump(tx, Changed::Resource).await
}

/// The default resource, if there is one.
pub async fn find_default(tx: &mut Tx) -> Result<Option<Resource>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM resources WHERE is_default ORDER BY id LIMIT 1")).optional().await
}

/// Makes a resource the only default, or no longer the default.
pub async fn set_default(tx: &mut Tx, id: &ResourceId, is_default: bool) -> Result<()> {
    if is_default {
        tx.sql("UPDATE resources SET is_default = FALSE WHERE is_default AND id <> $1").bind(id).execute().await?;
    }
    tx.sql("UPDATE resources SET is_default = $1 WHERE id = $2").bind(is_default).bind(id).execute().await?;
    revisions::bump(tx, Changed::Resource).await
}

/// The resource with this id.
pub async fn find(tx: &mut Tx, id: &ResourceId) -> Result<Option<Resource>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM resources WHERE id = $1")).bind(id).optional().await
}

/// The resource with this indicator, compared exactly.
pub async fn find_by_indicator(tx: &mut Tx, indicator: &str) -> Result<Option<Resource>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM resources WHERE indicator = $1")).bind(indicator).optional().await
}

/// The given resources that exist.
pub async fn find_all(tx: &mut Tx, ids: &[&ResourceId]) -> Result<Vec<Resource>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT {COLUMNS} FROM resources WHERE id IN ({})", filter::placeholders(1, ids.len()));
    tx.assembled(sql).bind_all(ids).all().await
}

/// Resources, newest first.
pub async fn list(tx: &mut Tx, slice: Slice) -> Result<Vec<Resource>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM resources ORDER BY created_at DESC, id LIMIT $1 OFFSET $2"))
        .bind(slice.limit)
        .bind(slice.offset)
        .all()
        .await
}

/// How many resources there are.
pub async fn count(tx: &mut Tx) -> Result<i64> {
    Ok(tx.sql("SELECT COUNT(*) AS count FROM resources").one::<Count>().await?.count)
}

/// Deletes a resource with its scopes. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &ResourceId) -> Result<bool> {
    let deleted = tx.sql("DELETE FROM resources WHERE id = $1").bind(id).execute().await?;
    revisions::bump(tx, Changed::All).await?;
    Ok(deleted > 0)
}

/// The maximum token lifetime of all resources, in seconds.
pub async fn longest_ttl(tx: &mut Tx) -> Result<i64> {
    #[derive(crate::Row)]
    struct Longest {
        seconds: Option<i64>,
    }
    let row: Longest = tx.sql("SELECT MAX(access_token_ttl) AS seconds FROM resources").one().await?;
    Ok(row.seconds.unwrap_or(0))
}

/// Adds a scope.
pub async fn insert_scope(tx: &mut Tx, scope: &Scope) -> Result<()> {
    tx.assembled(format!(
        "INSERT INTO scopes ({SCOPE_COLUMNS}, name_key, description_key) VALUES {}",
        filter::rows(7, 1)
    ))
    .bind(&scope.id)
    .bind(&scope.resource_id)
    .bind(&scope.name)
    .bind(&scope.description)
    .bind(scope.created_at)
    .bind(fold(&scope.name))
    .bind(scope.description.as_deref().map(fold))
    .execute()
    .await?;
    // A new scope has no holders yet.
    revisions::bump(tx, Changed::Nothing).await
}

/// Updates name and description of a scope.
pub async fn update_scope(tx: &mut Tx, scope: &Scope) -> Result<()> {
    tx.sql("UPDATE scopes SET name = $1, description = $2, name_key = $3, description_key = $4 WHERE id = $5")
        .bind(&scope.name)
        .bind(&scope.description)
        .bind(fold(&scope.name))
        .bind(scope.description.as_deref().map(fold))
        .bind(&scope.id)
        .execute()
        .await?;
    revisions::bump(tx, Changed::All).await
}

/// The scope with this id.
pub async fn find_scope(tx: &mut Tx, id: &ScopeId) -> Result<Option<Scope>> {
    tx.assembled(format!("SELECT {SCOPE_COLUMNS} FROM scopes WHERE id = $1")).bind(id).optional().await
}

/// The given scopes that exist.
pub async fn find_scopes(tx: &mut Tx, ids: &[ScopeId]) -> Result<Vec<Scope>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT {SCOPE_COLUMNS} FROM scopes WHERE id IN ({})", filter::placeholders(1, ids.len()));
    tx.assembled(sql).bind_all(ids).all().await
}

/// A page of the matching scopes of a resource, oldest first.
pub async fn list_scopes(
    tx: &mut Tx,
    resource_id: &ResourceId,
    search: Option<&Search>,
    slice: Slice,
) -> Result<Vec<Scope>> {
    scope_conditions(tx, "resource_id = ?", resource_id, search)
        .list(tx, SCOPE_COLUMNS, "created_at, name", slice)
        .all()
        .await
}

/// The number of matching scopes of a resource.
pub async fn count_scopes(tx: &mut Tx, resource_id: &ResourceId, search: Option<&Search>) -> Result<i64> {
    scope_conditions(tx, "resource_id = ?", resource_id, search).count(tx).await
}

fn scope_conditions(tx: &Tx, of: &str, of_id: &str, search: Option<&Search>) -> Conditions {
    let mut conditions = Conditions::on("scopes", tx);
    conditions.text(of, Some(of_id));
    conditions.search(search, &SEARCHED);
    conditions
}

/// Deletes a scope of a resource. `false` if the resource has none with this id.
pub async fn delete_scope(tx: &mut Tx, resource_id: &ResourceId, id: &ScopeId) -> Result<bool> {
    let deleted =
        tx.sql("DELETE FROM scopes WHERE resource_id = $1 AND id = $2").bind(resource_id).bind(id).execute().await?;
    revisions::bump(tx, Changed::All).await?;
    Ok(deleted > 0)
}

/// The scopes of a resource, oldest first.
pub async fn scopes_of(tx: &mut Tx, resource_id: &ResourceId) -> Result<Vec<Scope>> {
    let sql = format!("SELECT {SCOPE_COLUMNS} FROM scopes WHERE resource_id = $1 ORDER BY created_at, name");
    tx.assembled(sql).bind(resource_id).all().await
}

/// The scopes of several resources, by resource, oldest first.
pub async fn scopes_of_all(tx: &mut Tx, resource_ids: &[&ResourceId]) -> Result<Vec<Scope>> {
    let mut scopes = Vec::new();
    for part in resource_ids.chunks(500) {
        let wanted = filter::placeholders(1, part.len());
        let sql = format!(
            "SELECT {SCOPE_COLUMNS} FROM scopes WHERE resource_id IN ({wanted}) ORDER BY resource_id, created_at, name"
        );
        scopes.extend(tx.assembled(sql).bind_all(part).all::<Scope>().await?);
    }
    Ok(scopes)
}

const OF_ROLE: &str = "id IN (SELECT scope_id FROM role_scopes WHERE role_id = ?)";

/// A page of the matching scopes of a role, by name.
pub async fn list_scopes_of_role(
    tx: &mut Tx,
    role_id: &RoleId,
    search: Option<&Search>,
    slice: Slice,
) -> Result<Vec<Scope>> {
    scope_conditions(tx, OF_ROLE, role_id, search).list(tx, SCOPE_COLUMNS, "name, id", slice).all().await
}

/// The number of matching scopes of a role.
pub async fn count_scopes_of_role(tx: &mut Tx, role_id: &RoleId, search: Option<&Search>) -> Result<i64> {
    scope_conditions(tx, OF_ROLE, role_id, search).count(tx).await
}

/// The scopes of a role, by name.
pub async fn scopes_of_role(tx: &mut Tx, role_id: &RoleId) -> Result<Vec<Scope>> {
    tx.sql(
        "SELECT s.id, s.resource_id, s.name, s.description, s.created_at FROM scopes s \
         JOIN role_scopes rs ON rs.scope_id = s.id WHERE rs.role_id = $1 ORDER BY s.name",
    )
    .bind(role_id)
    .all()
    .await
}
