//! The scopes that a third-party application may ask users for, as operators enabled them.

use crate::organizations::scopes::OrganizationScope;
use crate::sql::slice::Count;
use crate::{Links, Result, Tx};
use claimsmith_domain::id::{ApplicationId, OrganizationScopeId, ResourceId, ScopeId};

/// The enabled user scopes. Callers that change one of these lists must bump the revision of the application.
pub const USER_SCOPES: Links<ApplicationId, String> =
    Links::new("application_consent_user_scopes", &["application_id"], "user_scope");

/// The enabled scopes of resources.
pub const RESOURCE_SCOPES: Links<ApplicationId, ScopeId> =
    Links::new("application_consent_resource_scopes", &["application_id"], "scope_id");

/// The enabled scopes of resources that users have in an organization.
pub const ORGANIZATION_RESOURCE_SCOPES: Links<ApplicationId, ScopeId> =
    Links::new("application_consent_organization_resource_scopes", &["application_id"], "scope_id");

/// The enabled organization scopes.
pub const ORGANIZATION_SCOPES: Links<ApplicationId, OrganizationScopeId> =
    Links::new("application_consent_organization_scopes", &["application_id"], "organization_scope_id");

/// An enabled scope of a resource.
#[derive(Clone, Debug, PartialEq, Eq, crate::Row)]
pub struct EnabledScope {
    /// The scope.
    pub id: ScopeId,
    /// Its name.
    pub name: String,
    /// Human-readable.
    pub description: Option<String>,
    /// The resource.
    pub resource_id: ResourceId,
    /// The resource's name.
    pub resource_name: String,
    /// The resource's indicator.
    pub indicator: String,
}

/// From now on the application may ask for enabled scopes only.
pub async fn limit(tx: &mut Tx, application_id: &ApplicationId) -> Result<()> {
    tx.sql("INSERT INTO application_consent_limits (application_id) VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(application_id)
        .execute()
        .await?;
    Ok(())
}

/// Whether the application may ask for enabled scopes only.
pub async fn is_limited(tx: &mut Tx, application_id: &ApplicationId) -> Result<bool> {
    let sql = "SELECT COUNT(*) AS count FROM application_consent_limits WHERE application_id = $1";
    Ok(tx.sql(sql).bind(application_id).one::<Count>().await?.count > 0)
}

/// The enabled scopes of resources, by resource and name; `kind` is one of the two lists of them.
pub async fn of_resources(
    tx: &mut Tx,
    kind: Links<ApplicationId, ScopeId>,
    application_id: &ApplicationId,
) -> Result<Vec<EnabledScope>> {
    tx.assembled(format!(
        "SELECT s.id, s.name, s.description, s.resource_id, r.name AS resource_name, r.indicator FROM {} e \
         JOIN scopes s ON s.id = e.scope_id JOIN resources r ON r.id = s.resource_id \
         WHERE e.application_id = $1 ORDER BY r.name, r.id, s.name",
        kind.table
    ))
    .bind(application_id)
    .all()
    .await
}

/// The enabled organization scopes, by name.
pub async fn of_organizations(tx: &mut Tx, application_id: &ApplicationId) -> Result<Vec<OrganizationScope>> {
    tx.sql(
        "SELECT s.id, s.name, s.description FROM application_consent_organization_scopes e \
         JOIN organization_scopes s ON s.id = e.organization_scope_id WHERE e.application_id = $1 \
         ORDER BY s.name, s.id",
    )
    .bind(application_id)
    .all()
    .await
}
