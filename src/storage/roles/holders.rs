//! Role assignments: which roles a user or an application has, and which users and applications have a role.

use crate::applications::{self, Application};
use crate::revisions::Changed;
use crate::roles::{self, Role};
use crate::sql::conditions::Conditions;
use crate::sql::links::LinkChanges;
use crate::sql::slice::{Count, Slice};
use crate::users::{self, User};
use crate::{Result, Tx, revisions};
use claimsmith_domain::id::{ApplicationId, RoleId, UserId};
use claimsmith_domain::search::Search;

/// Matching roles of a user, by name.
pub async fn list_of_user(tx: &mut Tx, user_id: &UserId, search: Option<&Search>, slice: Slice) -> Result<Vec<Role>> {
    of_user(tx, user_id, search).list(tx, roles::COLUMNS, "name", slice).all().await
}

/// The number of matching roles of a user.
pub async fn count_of_user(tx: &mut Tx, user_id: &UserId, search: Option<&Search>) -> Result<i64> {
    of_user(tx, user_id, search).count(tx).await
}

fn of_user(tx: &Tx, user_id: &UserId, search: Option<&Search>) -> Conditions {
    held(tx, "id IN (SELECT role_id FROM user_roles WHERE user_id = ?)", user_id, search)
}

/// Conditions on roles; the first one selects the holder.
fn held(tx: &Tx, by: &str, holder_id: &str, search: Option<&Search>) -> Conditions {
    let mut conditions = Conditions::on("roles", tx);
    conditions.text(by, Some(holder_id));
    conditions.search(search, &roles::SEARCHED);
    conditions
}

/// Removes a role from a user. `false` if the user does not have it.
pub async fn take_from_user(tx: &mut Tx, user_id: &UserId, role_id: &RoleId) -> Result<bool> {
    let taken = tx
        .sql("DELETE FROM user_roles WHERE user_id = $1 AND role_id = $2")
        .bind(user_id)
        .bind(role_id)
        .execute()
        .await?;
    users::touch(tx, user_id).await?;
    Ok(taken > 0)
}

/// Replaces the roles of a user.
pub async fn replace_of_user(tx: &mut Tx, user_id: &UserId, role_ids: &[RoleId]) -> Result<LinkChanges<RoleId>> {
    let changes = roles::OF_USER.replace(tx, user_id, role_ids).await?;
    users::touch(tx, user_id).await?;
    Ok(changes)
}

/// Matching roles of an application, by name.
pub async fn list_of_application(
    tx: &mut Tx,
    application_id: &ApplicationId,
    search: Option<&Search>,
    slice: Slice,
) -> Result<Vec<Role>> {
    of_application(tx, application_id, search).list(tx, roles::COLUMNS, "name", slice).all().await
}

/// The number of matching roles of an application.
pub async fn count_of_application(tx: &mut Tx, application_id: &ApplicationId, search: Option<&Search>) -> Result<i64> {
    of_application(tx, application_id, search).count(tx).await
}

fn of_application(tx: &Tx, application_id: &ApplicationId, search: Option<&Search>) -> Conditions {
    held(tx, "id IN (SELECT role_id FROM application_roles WHERE application_id = ?)", application_id, search)
}

/// Removes a role from an application. `false` if it does not have it.
pub async fn take_from_application(tx: &mut Tx, application_id: &ApplicationId, role_id: &RoleId) -> Result<bool> {
    let taken = tx
        .sql("DELETE FROM application_roles WHERE application_id = $1 AND role_id = $2")
        .bind(application_id)
        .bind(role_id)
        .execute()
        .await?;
    revisions::bump(tx, Changed::Application(application_id)).await?;
    Ok(taken > 0)
}

/// Matching users with a role, by id: all users may have a default role, and the index has no other order.
pub async fn list_users(tx: &mut Tx, role_id: &RoleId, search: Option<&Search>, slice: Slice) -> Result<Vec<User>> {
    let (found, conditions) = holders(tx, search);
    let sql = format!(
        "SELECT {} FROM users WHERE id IN (SELECT user_id FROM user_roles WHERE role_id = {}{found} \
         ORDER BY user_id LIMIT {} OFFSET {}) ORDER BY id",
        users::COLUMNS,
        conditions.next(0),
        conditions.next(1),
        conditions.next(2),
    );
    conditions.bind_to(tx.assembled(sql)).bind(role_id).bind(slice.limit).bind(slice.offset).all().await
}

/// The number of matching users with a role.
pub async fn count_users(tx: &mut Tx, role_id: &RoleId, search: Option<&Search>) -> Result<i64> {
    let (found, conditions) = holders(tx, search);
    let sql = format!("SELECT COUNT(*) AS count FROM user_roles WHERE role_id = {}{found}", conditions.next(0));
    Ok(conditions.bind_to(tx.assembled(sql)).bind(role_id).one::<Count>().await?.count)
}

/// The table and conditions that select the users of a role.
fn holders(tx: &Tx, search: Option<&Search>) -> (String, Conditions) {
    let mut conditions = Conditions::on("users", tx);
    if search.is_none() {
        return (String::new(), conditions);
    }
    conditions.search(search, &users::list::SEARCHED);
    (format!(" AND user_id IN (SELECT id FROM users{})", conditions.sql()), conditions)
}

/// Matching applications with a role, newest first.
pub async fn list_applications(
    tx: &mut Tx,
    role_id: &RoleId,
    search: Option<&Search>,
    slice: Slice,
) -> Result<Vec<Application>> {
    application_conditions(tx, role_id, search)
        .list(tx, applications::COLUMNS, "created_at DESC, id", slice)
        .all()
        .await
}

/// The number of matching applications with a role.
pub async fn count_applications(tx: &mut Tx, role_id: &RoleId, search: Option<&Search>) -> Result<i64> {
    application_conditions(tx, role_id, search).count(tx).await
}

fn application_conditions(tx: &Tx, role_id: &RoleId, search: Option<&Search>) -> Conditions {
    let mut conditions = Conditions::on("applications", tx);
    conditions.text("id IN (SELECT application_id FROM application_roles WHERE role_id = ?)", Some(role_id));
    conditions.search(search, &applications::SEARCHED);
    conditions
}
