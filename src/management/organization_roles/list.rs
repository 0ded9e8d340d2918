//! `GET /api/organization-roles`: the roles, with their scopes.

use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use crate::views::OrganizationRoleView;
use axum::response::Response;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::role_scopes::{CarriedResourceScope, CarriedScope};
use claimsmith_storage::organizations::roles::OrganizationRole;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde::Serialize;

/// An organization role with what it carries.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor", "description": "Edits what is published",
    "type": "User", "scopes": [{ "id": "v2b7n4m9k1x6c3z8q0w5t", "name": "publish" }],
    "resourceScopes": [
        {
            "id": "s4c9o2p7e0k5x1b6n3m8q", "name": "orders:read",
            "resource": { "id": "e8r3s6o1u9c4z7b2k5m0x", "name": "Orders" }
        }
    ]
}))]
pub(super) struct OrganizationRoleWithScopes {
    #[serde(flatten)]
    role: OrganizationRoleView,
    scopes: Vec<CarriedScopeView>,
    resource_scopes: Vec<CarriedResourceScopeView>,
}

/// An organization scope of a role.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct CarriedScopeView {
    id: String,
    name: String,
}

/// A scope of a resource that a role carries.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct CarriedResourceScopeView {
    id: String,
    name: String,
    resource: CarriedResource,
}

/// The resource of such a scope.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct CarriedResource {
    id: String,
    name: String,
}

/// Lists organization roles by name.
#[utoipa::path(
    get, path = "/api/organization-roles", tag = "Organization roles", summary = "List organization roles",
    params(
        ("q" = Option<String>, Query, description = "Part of the id, the name or the description, in any case"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The page", body = Vec<OrganizationRoleWithScopes>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NoSuchPage,
    ),
)]
pub(super) async fn list_organization_roles(
    management: Management<OrganizationsRead>,
    query: Query,
    page: Page,
) -> Result<Response, ApiError> {
    let part = query.one("q")?;
    let mut tx = management.read().await?;
    let total = organizations::roles::count(&mut tx, part).await.map_err(ApiError::from_search)?;
    let roles = organizations::roles::list(&mut tx, part, page.slice()).await.map_err(ApiError::from_search)?;
    let ids: Vec<_> = roles.iter().map(|role| &role.id).collect();
    let scopes = organizations::role_scopes::carried(&mut tx, &ids).await?;
    let resource_scopes = organizations::role_scopes::carried_of_resources(&mut tx, &ids).await?;
    page.answer(total, roles.into_iter().map(|role| view(role, &scopes, &resource_scopes)).collect())
}

fn view(
    role: OrganizationRole,
    scopes: &[CarriedScope],
    resource_scopes: &[CarriedResourceScope],
) -> OrganizationRoleWithScopes {
    let scopes = scopes.iter().filter(|scope| scope.role_id == role.id);
    let resource_scopes = resource_scopes.iter().filter(|scope| scope.role_id == role.id);
    OrganizationRoleWithScopes {
        scopes: scopes.map(|scope| CarriedScopeView { id: scope.id.to_string(), name: scope.name.clone() }).collect(),
        resource_scopes: resource_scopes
            .map(|scope| CarriedResourceScopeView {
                id: scope.id.to_string(),
                name: scope.name.clone(),
                resource: CarriedResource { id: scope.resource_id.to_string(), name: scope.resource_name.clone() },
            })
            .collect(),
        role: role.into(),
    }
}
