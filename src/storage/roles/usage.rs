//! The number of users and applications with a role, with a few examples.

use crate::{Links, Result, Tx, roles};
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::id::{ApplicationId, RoleId, UserId};

const APPLICATIONS: Links<RoleId, ApplicationId> = Links::new("application_roles", &["role_id"], "application_id");

/// A user with a role.
#[derive(Clone, Debug, crate::Row)]
pub struct FeaturedUser {
    /// The role.
    pub role_id: RoleId,
    /// The number of users with it.
    pub total: i64,
    /// The user.
    pub id: UserId,
    /// URL of a picture.
    pub avatar: Option<String>,
    /// Display name.
    pub name: Option<String>,
}

/// An application with a role.
#[derive(Clone, Debug, crate::Row)]
pub struct FeaturedApplication {
    /// The role.
    pub role_id: RoleId,
    /// The number of applications with it.
    pub total: i64,
    /// The application.
    pub id: ApplicationId,
    /// Its name.
    pub name: String,
    /// Its type.
    #[column(rename = "type")]
    pub kind: ApplicationType,
}

/// Up to three users of each of the given roles. Roles without users have no row.
pub async fn users(tx: &mut Tx, role_ids: &[&RoleId]) -> Result<Vec<FeaturedUser>> {
    roles::USERS.featured(tx, role_ids, "users", "t.id, t.avatar, t.name").await
}

/// Up to three applications of each of the given roles. Roles without applications have no row.
pub async fn applications(tx: &mut Tx, role_ids: &[&RoleId]) -> Result<Vec<FeaturedApplication>> {
    APPLICATIONS.featured(tx, role_ids, "applications", "t.id, t.name, t.type").await
}
