//! `/api/organization-scopes`: a file per operation; here is how an organization scope is shown.

mod create;
mod delete;
mod list;
mod show;
mod update;

use crate::app::App;
use crate::http::management::describe::routes;
use crate::storage::organizations::scopes::OrganizationScope;
use crate::tokens::context::TENANT;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create::create_organization_scope, list::list_organization_scopes)).routes(
        routes!(show::show_organization_scope, update::update_organization_scope, delete::delete_organization_scope),
    )
}

/// What somebody may do within an organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "v2b7n4m9k1x6c3z8q0w5t", "name": "publish", "description": "Publish pages"
}))]
pub struct OrganizationScopeView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Unique.
    name: String,
    description: Option<String>,
}

impl From<OrganizationScope> for OrganizationScopeView {
    fn from(scope: OrganizationScope) -> Self {
        Self { tenant_id: TENANT, id: scope.id, name: scope.name, description: scope.description }
    }
}
