//! The organizations in which a user lets a third-party application act. Who leaves an organization withdraws the
//! consent.

use crate::organizations::Organization;
use crate::sql::filter;
use crate::sql::links::Links;
use crate::sql::slice::Slice;
use crate::{Result, Tx};
use claimsmith_domain::id::{ApplicationId, OrganizationId, UserId};

/// The organizations of a user, for an application.
pub const ORGANIZATIONS: Links<(ApplicationId, UserId), OrganizationId> =
    Links::new("consent_organizations", &["application_id", "user_id"], "organization_id");

/// Adds organizations. Those that the user is no member of are skipped.
pub async fn add(
    tx: &mut Tx,
    application_id: &ApplicationId,
    user_id: &UserId,
    organization_ids: &[OrganizationId],
) -> Result<()> {
    if organization_ids.is_empty() {
        return Ok(());
    }
    tx.assembled(format!(
        "INSERT INTO consent_organizations (application_id, user_id, organization_id) \
         SELECT CAST($1 AS TEXT), user_id, organization_id FROM organization_users \
         WHERE user_id = $2 AND organization_id IN ({}) ON CONFLICT DO NOTHING",
        filter::placeholders(3, organization_ids.len())
    ))
    .bind(application_id)
    .bind(user_id)
    .bind_all(organization_ids)
    .execute()
    .await?;
    Ok(())
}

/// A page of the organizations, by name.
pub async fn list(
    tx: &mut Tx,
    application_id: &ApplicationId,
    user_id: &UserId,
    slice: Slice,
) -> Result<Vec<Organization>> {
    tx.sql(
        "SELECT o.id, o.name, o.description, o.custom_data, o.is_mfa_required, o.color, o.branding, o.custom_css, \
         o.created_at FROM organizations o JOIN consent_organizations c ON c.organization_id = o.id \
         WHERE c.application_id = $1 AND c.user_id = $2 ORDER BY o.name, o.id LIMIT $3 OFFSET $4",
    )
    .bind(application_id)
    .bind(user_id)
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}
