//! How many users and applications have a role, with a few examples.

use crate::domain::id::{ApplicationId, RoleId, UserId};
use crate::storage::sql::filter;
use crate::storage::{Result, Tx};

/// A user who holds a role.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct FeaturedUser {
    /// The role.
    pub role_id: RoleId,
    /// How many users hold it.
    pub total: i64,
    /// The user.
    pub id: UserId,
    /// URL of a picture.
    pub avatar: Option<String>,
    /// Display name.
    pub name: Option<String>,
}

/// An application that holds a role.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct FeaturedApplication {
    /// The role.
    pub role_id: RoleId,
    /// How many applications hold it.
    pub total: i64,
    /// The application.
    pub id: ApplicationId,
    /// Its name.
    pub name: String,
    /// A name of [`crate::domain::application::ApplicationType`].
    #[sqlx(rename = "type")]
    pub kind: String,
}

/// Up to three users of each of the given roles. A role that nobody holds has no row.
pub async fn users(tx: &mut Tx, role_ids: &[&RoleId]) -> Result<Vec<FeaturedUser>> {
    if role_ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT held.role_id, held.total, u.id, u.avatar, u.name FROM ( \
             SELECT role_id, user_id, COUNT(*) OVER (PARTITION BY role_id) AS total, \
                    ROW_NUMBER() OVER (PARTITION BY role_id ORDER BY user_id) AS place \
             FROM user_roles WHERE role_id IN ({})) held \
         JOIN users u ON u.id = held.user_id WHERE held.place <= 3 ORDER BY held.role_id, held.place",
        filter::placeholders(1, role_ids.len())
    );
    tx.assembled(sql).bind_all(role_ids).all().await
}

/// Up to three applications of each of the given roles. A role that none holds has no row.
pub async fn applications(tx: &mut Tx, role_ids: &[&RoleId]) -> Result<Vec<FeaturedApplication>> {
    if role_ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT held.role_id, held.total, a.id, a.name, a.type FROM ( \
             SELECT role_id, application_id, COUNT(*) OVER (PARTITION BY role_id) AS total, \
                    ROW_NUMBER() OVER (PARTITION BY role_id ORDER BY application_id) AS place \
             FROM application_roles WHERE role_id IN ({})) held \
         JOIN applications a ON a.id = held.application_id WHERE held.place <= 3 ORDER BY held.role_id, held.place",
        filter::placeholders(1, role_ids.len())
    );
    tx.assembled(sql).bind_all(role_ids).all().await
}
