//! Just-in-time provisioning of organizations: email domains and enterprise connectors whose users join automatically,
//! and their roles.

use crate::connectors::sso_connectors::SsoConnector;
use crate::sql::links::Links;
use crate::sql::slice::Slice;
use crate::{Result, Tx};
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, SsoConnectorId};

/// The email domains of an organization.
pub const EMAIL_DOMAINS: Links<OrganizationId, String> =
    Links::new("organization_jit_email_domains", &["organization_id"], "email_domain");

/// The enterprise connectors whose users join.
pub const SSO_CONNECTORS: Links<OrganizationId, SsoConnectorId> =
    Links::new("organization_jit_sso_connectors", &["organization_id"], "sso_connector_id");

/// The roles of users who join.
pub const ROLES: Links<OrganizationId, OrganizationRoleId> =
    Links::new("organization_jit_roles", &["organization_id"], "organization_role_id");

/// An email domain whose users become members automatically.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct EmailDomain {
    /// The organization.
    pub organization_id: OrganizationId,
    /// In lower case.
    pub email_domain: String,
}

#[derive(crate::Row)]
struct ProvisioningOrganization {
    organization_id: OrganizationId,
}

/// The organizations that users with an email address of this domain (in lower case) join.
pub async fn organizations_of(tx: &mut Tx, email_domain: &str) -> Result<Vec<OrganizationId>> {
    let sql =
        "SELECT organization_id FROM organization_jit_email_domains WHERE email_domain = $1 ORDER BY organization_id";
    let rows: Vec<ProvisioningOrganization> = tx.sql(sql).bind(email_domain).all().await?;
    Ok(rows.into_iter().map(|row| row.organization_id).collect())
}

/// The organizations that users of an enterprise connector join.
pub async fn organizations_of_connector(tx: &mut Tx, id: &SsoConnectorId) -> Result<Vec<OrganizationId>> {
    let sql = "SELECT organization_id FROM organization_jit_sso_connectors WHERE sso_connector_id = $1 \
         ORDER BY organization_id";
    let rows: Vec<ProvisioningOrganization> = tx.sql(sql).bind(id).all().await?;
    Ok(rows.into_iter().map(|row| row.organization_id).collect())
}

/// The enterprise connectors of an organization, oldest first.
pub async fn sso_connectors(tx: &mut Tx, organization_id: &OrganizationId, slice: Slice) -> Result<Vec<SsoConnector>> {
    tx.sql(
        "SELECT c.id, c.provider_name, c.connector_name, c.config, c.branding, c.sync_profile, c.enable_token_storage, \
         c.signs_in_administrators, c.created_at FROM sso_connectors c \
         JOIN organization_jit_sso_connectors o ON o.sso_connector_id = c.id \
         WHERE o.organization_id = $1 ORDER BY c.created_at, c.id LIMIT $2 OFFSET $3",
    )
    .bind(organization_id)
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}

/// The email domains of an organization, in order.
pub async fn email_domains(tx: &mut Tx, organization_id: &OrganizationId, slice: Slice) -> Result<Vec<EmailDomain>> {
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
