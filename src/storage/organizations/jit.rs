//! Just-in-time provisioning of organizations: email domains whose users join by themselves, and the roles that they
//! get.

use crate::storage::organizations::roles::OrganizationRole;
use crate::storage::sql::links::Links;
use crate::storage::sql::slice::{Count, Slice};
use crate::storage::{Result, Tx};

/// The email domains of an organization.
pub const EMAIL_DOMAINS: Links = Links::new("organization_jit_email_domains", &["organization_id"], "email_domain");

/// The roles of users with an email address of such a domain.
pub const ROLES: Links = Links::new("organization_jit_roles", &["organization_id"], "organization_role_id");

/// An email domain whose users become members automatically.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct EmailDomain {
    /// The organization.
    pub organization_id: String,
    /// In lower case.
    pub email_domain: String,
}

/// The email domains of an organization, in their order.
pub async fn email_domains(tx: &mut Tx, organization_id: &str, slice: Slice) -> Result<Vec<EmailDomain>> {
    tx.sql(
        "SELECT organization_id, email_domain FROM organization_jit_email_domains \
         WHERE organization_id = $1 ORDER BY email_domain LIMIT $2 OFFSET $3",
    )
    .bind(organization_id)
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}

/// How many email domains an organization has.
pub async fn count_email_domains(tx: &mut Tx, organization_id: &str) -> Result<i64> {
    let sql = "SELECT COUNT(*) AS count FROM organization_jit_email_domains WHERE organization_id = $1";
    Ok(tx.sql(sql).bind(organization_id).one::<Count>().await?.count)
}

/// The just-in-time roles of an organization, by name.
pub async fn roles(tx: &mut Tx, organization_id: &str, slice: Slice) -> Result<Vec<OrganizationRole>> {
    tx.sql(
        "SELECT r.id, r.name, r.description, r.type FROM organization_roles r \
         JOIN organization_jit_roles jr ON jr.organization_role_id = r.id \
         WHERE jr.organization_id = $1 ORDER BY r.name, r.id LIMIT $2 OFFSET $3",
    )
    .bind(organization_id)
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}

/// The number of just-in-time roles of an organization.
pub async fn count_roles(tx: &mut Tx, organization_id: &str) -> Result<i64> {
    let sql = "SELECT COUNT(*) AS count FROM organization_jit_roles WHERE organization_id = $1";
    Ok(tx.sql(sql).bind(organization_id).one::<Count>().await?.count)
}
