//! Machine-to-machine applications of organizations, and their roles there.

use crate::applications::Application;
use crate::organizations::Organization;
use crate::organizations::held_roles::{self, HeldRole};
use crate::sql::conditions::Conditions;
use crate::sql::links::Links;
use crate::sql::slice::{Count, Slice};
use crate::{Result, Tx};
use claimsmith_domain::id::{ApplicationId, OrganizationId, OrganizationRoleId, ResourceId};
use std::collections::BTreeSet;

/// The applications of an organization.
pub const MEMBERS: Links<OrganizationId, ApplicationId> =
    Links::new("organization_applications", &["organization_id"], "application_id");

/// The roles of an application in an organization.
pub const ROLES: Links<(OrganizationId, ApplicationId), OrganizationRoleId> =
    Links::new("organization_application_roles", &["organization_id", "application_id"], "organization_role_id");

/// The applications that have a role.
const HOLDERS: Links<(OrganizationId, OrganizationRoleId), ApplicationId> =
    Links::new("organization_application_roles", &["organization_id", "organization_role_id"], "application_id");

/// Conditions on the applications of an organization whose id, name or description contains `part`.
fn conditions(tx: &Tx, organization_id: &OrganizationId, part: Option<&str>) -> Conditions {
    let joined = "applications a JOIN organization_applications oa ON oa.application_id = a.id";
    let mut conditions = Conditions::on(joined, tx);
    conditions.text("oa.organization_id = ?", Some(organization_id));
    conditions.part("(a.id || ' ' || a.name_key || ' ' || COALESCE(a.description_key, '')) LIKE ? ESCAPE '\\'", part);
    conditions
}

/// Matching applications, newest first.
pub async fn list(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    part: Option<&str>,
    slice: Slice,
) -> Result<Vec<Application>> {
    let columns = "a.id, a.name, a.description, a.type, a.oidc_client_metadata, a.custom_client_metadata, \
                   a.custom_data, a.is_third_party, a.app_level_access_control_enabled, a.created_at";
    conditions(tx, organization_id, part).list(tx, columns, "a.created_at DESC, a.id", slice).all().await
}

/// The number of matching applications.
pub async fn count(tx: &mut Tx, organization_id: &OrganizationId, part: Option<&str>) -> Result<i64> {
    conditions(tx, organization_id, part).count(tx).await
}

/// The roles that these applications have in an organization, by name.
pub async fn roles_of(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    application_ids: &[&ApplicationId],
) -> Result<Vec<HeldRole<ApplicationId>>> {
    held_roles::roles_of(tx, ROLES, organization_id, application_ids).await
}

/// The organizations of an application, by name.
pub async fn organizations_of(tx: &mut Tx, application_id: &ApplicationId, slice: Slice) -> Result<Vec<Organization>> {
    tx.sql(
        "SELECT o.id, o.name, o.description, o.custom_data, o.is_mfa_required, o.color, o.branding, o.custom_css, \
         o.created_at FROM organizations o JOIN organization_applications oa ON oa.organization_id = o.id \
         WHERE oa.application_id = $1 ORDER BY o.name, o.id LIMIT $2 OFFSET $3",
    )
    .bind(application_id)
    .bind(slice.limit)
    .bind(slice.offset)
    .all()
    .await
}

/// The number of organizations of an application.
pub async fn count_organizations_of(tx: &mut Tx, application_id: &ApplicationId) -> Result<i64> {
    let sql = "SELECT COUNT(*) AS count FROM organization_applications WHERE application_id = $1";
    Ok(tx.sql(sql).bind(application_id).one::<Count>().await?.count)
}

/// The roles of an application in all organizations, by name.
pub async fn roles_by_organization(
    tx: &mut Tx,
    application_id: &ApplicationId,
) -> Result<Vec<HeldRole<OrganizationId>>> {
    held_roles::roles_by_organization(tx, ROLES, application_id).await
}

/// Assigns each of these roles to each of these applications.
pub async fn add_roles_to_all(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    application_ids: &[ApplicationId],
    role_ids: &[OrganizationRoleId],
) -> Result<()> {
    held_roles::add_to_all(tx, (ROLES, HOLDERS), organization_id, (application_ids, role_ids)).await.map(drop)
}

#[derive(crate::Row)]
struct ScopeName {
    name: String,
}

/// The names of the organization scopes that an application has through its roles in an organization.
pub async fn scopes_of(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    application_id: &ApplicationId,
) -> Result<BTreeSet<String>> {
    let names: Vec<ScopeName> = tx
        .sql(
            "SELECT DISTINCT s.name FROM organization_scopes s \
             JOIN organization_role_scopes rs ON rs.organization_scope_id = s.id \
             JOIN organization_application_roles oa ON oa.organization_role_id = rs.organization_role_id \
             WHERE oa.organization_id = $1 AND oa.application_id = $2",
        )
        .bind(organization_id)
        .bind(application_id)
        .all()
        .await?;
    Ok(names.into_iter().map(|scope| scope.name).collect())
}

/// The names of the scopes of a resource that an application has through its roles in an organization.
pub async fn resource_scopes_of(
    tx: &mut Tx,
    organization_id: &OrganizationId,
    application_id: &ApplicationId,
    resource_id: &ResourceId,
) -> Result<BTreeSet<String>> {
    let names: Vec<ScopeName> = tx
        .sql(
            "SELECT DISTINCT s.name FROM scopes s JOIN organization_role_resource_scopes rs ON rs.scope_id = s.id \
             JOIN organization_application_roles oa ON oa.organization_role_id = rs.organization_role_id \
             WHERE oa.organization_id = $1 AND oa.application_id = $2 AND s.resource_id = $3",
        )
        .bind(organization_id)
        .bind(application_id)
        .bind(resource_id)
        .all()
        .await?;
    Ok(names.into_iter().map(|scope| scope.name).collect())
}
