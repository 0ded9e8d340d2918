//! Roles, their scopes, and their assignments.

pub mod administrators;
pub mod console;
pub mod held;
pub mod holders;
pub mod named;
pub mod usage;

use crate::revisions::Changed;
use crate::sql::conditions::Conditions;
use crate::sql::filter;
use crate::sql::links::Links;
use crate::sql::search::{SearchColumn, Searched};
use crate::sql::slice::Slice;
use crate::{Result, Tx, revisions, users};
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, RoleId, ScopeId, UserId};
use claimsmith_domain::search::Search;
use std::slice;

/// A named set of scopes for users or for machine-to-machine applications.
#[derive(Clone, Debug, crate::Row)]
pub struct Role {
    /// 21 characters.
    pub id: RoleId,
    /// Unique, at most 128 characters.
    pub name: String,
    /// At most 128 characters.
    pub description: String,
    /// Who may have it.
    #[column(rename = "type")]
    pub kind: RoleType,
    /// Whether new users get it.
    pub is_default: bool,
    /// Unix milliseconds.
    pub created_at: i64,
}

pub(crate) const COLUMNS: &str = "id, name, description, type, is_default, created_at";

/// The fields of roles that can be searched.
pub const FIELDS: [&str; 3] = ["id", "name", "description"];

pub(crate) const SEARCHED: Searched = Searched {
    columns: &[
        SearchColumn { field: "id", name: "id", folded: Some("id") },
        SearchColumn { field: "name", name: "name", folded: Some("name_key") },
        SearchColumn { field: "description", name: "description", folded: Some("description_key") },
    ],
    key: None,
};

/// The scopes of a role.
const SCOPES: Links<RoleId, ScopeId> = Links::new("role_scopes", &["role_id"], "scope_id");
/// The roles of a user.
const OF_USER: Links<UserId, RoleId> = Links::new("user_roles", &["user_id"], "role_id");
/// The users of a role.
pub(crate) const USERS: Links<RoleId, UserId> = Links::new("user_roles", &["role_id"], "user_id");
/// The roles of an application.
const OF_APPLICATION: Links<ApplicationId, RoleId> = Links::new("application_roles", &["application_id"], "role_id");

/// The applications of a role.
const APPLICATIONS: Links<RoleId, ApplicationId> = Links::new("application_roles", &["role_id"], "application_id");

/// The filter of a list of roles; by default all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Matching this search.
    pub search: Option<Search>,
    /// Of this type.
    pub kind: Option<RoleType>,
    /// Not assigned to this user.
    pub without_user: Option<UserId>,
    /// Not assigned to this application.
    pub without_application: Option<ApplicationId>,
}

impl Filter {
    fn conditions(&self, tx: &Tx) -> Conditions {
        let mut conditions = Conditions::on("roles", tx);
        conditions.search(self.search.as_ref(), &SEARCHED);
        conditions.text("type = ?", self.kind.map(RoleType::as_str));
        conditions.text("id NOT IN (SELECT role_id FROM user_roles WHERE user_id = ?)", self.without_user.as_deref());
        conditions.text(
            "id NOT IN (SELECT role_id FROM application_roles WHERE application_id = ?)",
            self.without_application.as_deref(),
        );
        conditions
    }
}

/// Adds a role.
pub async fn insert(tx: &mut Tx, role: &Role) -> Result<()> {
    tx.assembled(format!("INSERT INTO roles ({COLUMNS}, name_key, description_key) VALUES {}", filter::rows(8, 1)))
        .bind(&role.id)
        .bind(&role.name)
        .bind(&role.description)
        .bind(role.kind)
        .bind(role.is_default)
        .bind(role.created_at)
        .bind(fold(&role.name))
        .bind(fold(&role.description))
        .execute()
        .await?;
    Ok(())
}

/// Updates a role, except for its id, type and creation time.
pub async fn update(tx: &mut Tx, role: &Role) -> Result<()> {
    tx.sql(
        "UPDATE roles SET name = $1, description = $2, is_default = $3, name_key = $4, description_key = $5 \
         WHERE id = $6",
    )
    .bind(&role.name)
    .bind(&role.description)
    .bind(role.is_default)
    .bind(fold(&role.name))
    .bind(fold(&role.description))
    .bind(&role.id)
    .execute()
    .await?;
    // Plugins get role names only for users, and permissions of applications do not depend on names.
    revisions::bump_role(tx, &role.id, &[]).await
}

/// The role with this id.
pub async fn find(tx: &mut Tx, id: &RoleId) -> Result<Option<Role>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM roles WHERE id = $1")).bind(id).optional().await
}

/// The role with this name.
pub async fn find_by_name(tx: &mut Tx, name: &str) -> Result<Option<Role>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM roles WHERE name = $1")).bind(name).optional().await
}

/// The given roles that exist.
pub async fn find_all(tx: &mut Tx, ids: &[RoleId]) -> Result<Vec<Role>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT {COLUMNS} FROM roles WHERE id IN ({})", filter::placeholders(1, ids.len()));
    tx.assembled(sql).bind_all(ids).all().await
}

/// Matching roles, newest first.
pub async fn list(tx: &mut Tx, wanted: &Filter, slice: Slice) -> Result<Vec<Role>> {
    wanted.conditions(tx).list(tx, COLUMNS, "created_at DESC, id", slice).all().await
}

/// The number of matching roles.
pub async fn count(tx: &mut Tx, wanted: &Filter) -> Result<i64> {
    wanted.conditions(tx).count(tx).await
}

/// The roles that every new user gets.
pub async fn defaults(tx: &mut Tx) -> Result<Vec<Role>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM roles WHERE is_default AND type = 'User' ORDER BY id")).all().await
}

/// Deletes a role and its assignments. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &RoleId) -> Result<bool> {
    bump(tx, id).await?;
    Ok(tx.sql("DELETE FROM roles WHERE id = $1").bind(id).execute().await? > 0)
}

/// Adds a scope to a role; not an error if it already has it.
pub async fn add_scope(tx: &mut Tx, role_id: &RoleId, scope_id: &ScopeId) -> Result<()> {
    add_scopes(tx, role_id, slice::from_ref(scope_id)).await
}

/// Adds several scopes to a role.
pub async fn add_scopes(tx: &mut Tx, role_id: &RoleId, scope_ids: &[ScopeId]) -> Result<()> {
    SCOPES.add(tx, role_id, scope_ids).await?;
    bump(tx, role_id).await
}

/// Adds scopes to a role that was created in this transaction: it has no holders yet, so nothing depends on it.
pub async fn add_scopes_to_new(tx: &mut Tx, role_id: &RoleId, scope_ids: &[ScopeId]) -> Result<()> {
    SCOPES.add(tx, role_id, scope_ids).await.map(drop)
}

/// Removes a scope from a role. `false` if the role does not have it.
pub async fn remove_scope(tx: &mut Tx, role_id: &RoleId, scope_id: &ScopeId) -> Result<bool> {
    let removed = tx
        .sql("DELETE FROM role_scopes WHERE role_id = $1 AND scope_id = $2")
        .bind(role_id)
        .bind(scope_id)
        .execute()
        .await?;
    bump(tx, role_id).await?;
    Ok(removed > 0)
}

/// Records that the scopes of a role changed, for the users and applications with the role.
async fn bump(tx: &mut Tx, role_id: &RoleId) -> Result<()> {
    let held_by = APPLICATIONS.of(tx, role_id).await?;
    revisions::bump_role(tx, role_id, &held_by).await
}

/// Assigns a role to a user. `false` if the user already has it.
pub async fn assign_to_user(tx: &mut Tx, user_id: &UserId, role_id: &RoleId) -> Result<bool> {
    Ok(!assign_all_to_user(tx, user_id, slice::from_ref(role_id)).await?.is_empty())
}

/// Assigns roles to a user. Returns the new ones.
pub async fn assign_all_to_user(tx: &mut Tx, user_id: &UserId, role_ids: &[RoleId]) -> Result<Vec<RoleId>> {
    if role_ids.is_empty() {
        return Ok(Vec::new());
    }
    let added = OF_USER.add(tx, user_id, role_ids).await?;
    users::touch(tx, user_id).await?;
    Ok(added)
}

/// Assigns a role to users. Returns the users who did not have it before.
pub async fn assign_to_users(tx: &mut Tx, role_id: &RoleId, user_ids: &[UserId]) -> Result<Vec<UserId>> {
    let added = USERS.add(tx, role_id, user_ids).await?;
    users::touch_all(tx, &added).await?;
    Ok(added)
}

/// Assigns a role to an application. `false` if it already has it.
pub async fn assign_to_application(tx: &mut Tx, application_id: &ApplicationId, role_id: &RoleId) -> Result<bool> {
    let added = OF_APPLICATION.add(tx, application_id, slice::from_ref(role_id)).await?;
    revisions::bump(tx, Changed::Application(application_id)).await?;
    Ok(!added.is_empty())
}

/// Assigns a role to applications. Returns the applications that did not have it before.
pub async fn assign_to_applications(
    tx: &mut Tx,
    role_id: &RoleId,
    application_ids: &[ApplicationId],
) -> Result<Vec<ApplicationId>> {
    let added = APPLICATIONS.add(tx, role_id, application_ids).await?;
    revisions::bump_applications(tx, &added).await?;
    Ok(added)
}

/// The name of a role, with its holder.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct HeldName {
    /// The user.
    pub user_id: UserId,
    /// The role's name.
    pub name: String,
}

/// The names of the roles of these users, at most 500, by name.
pub async fn names_of_users(tx: &mut Tx, user_ids: &[&UserId]) -> Result<Vec<HeldName>> {
    if user_ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT ur.user_id, r.name FROM user_roles ur JOIN roles r ON r.id = ur.role_id \
         WHERE ur.user_id IN ({}) ORDER BY r.name, r.id",
        filter::placeholders(1, user_ids.len()),
    );
    tx.assembled(sql).bind_all(user_ids).all().await
}

/// The roles of a user, by name.
pub async fn of_user(tx: &mut Tx, user_id: &UserId) -> Result<Vec<Role>> {
    tx.sql(
        "SELECT r.id, r.name, r.description, r.type, r.is_default, r.created_at FROM roles r \
         JOIN user_roles ur ON ur.role_id = r.id WHERE ur.user_id = $1 ORDER BY r.name",
    )
    .bind(user_id)
    .all()
    .await
}
