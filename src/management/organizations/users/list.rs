//! `GET /api/organizations/{id}/users`.

use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use crate::views::HeldRoleView;
use axum::response::Response;
use claimsmith_api::users::UserFields;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId};
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_identity::accounts::user_fields;
use claimsmith_storage::organizations;
use claimsmith_storage::organizations::members::Filter;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde::Serialize;

/// A member of an organization.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "q3v8k1znw2pd", "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": null,
    "name": "Ada Lovelace", "avatar": null, "customData": { "plan": "gold" }, "identities": {}, "lastSignInAt": null,
    "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_000_000_000_i64,
    "profile": { "givenName": "Ada", "familyName": "Lovelace", "locale": "en-GB" }, "applicationId": null,
    "cimdClientId": null, "isSuspended": false,
    "organizationRoles": [{ "id": "h3g8j1k6l4q9w2z7x0c5v", "name": "editor" }]
}))]
pub(super) struct MemberView {
    #[serde(flatten)]
    user: UserFields,
    /// What they are in this organization.
    organization_roles: Vec<HeldRoleView>,
}

/// Lists the members of an organization, by id.
#[utoipa::path(
    get, path = "/api/organizations/{id}/users", tag = "Organizations", summary = "List the members of an organization",
    params(
        ("id" = String, Path, description = "The organization"),
        ("q" = Option<String>, Query,
            description = "Part of the id, the user name, the email address, the phone number or the name"),
        ("organizationRoleId" = Option<String>, Query, description = "A role that they have there"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The page", body = Vec<MemberView>),
        AccessRefused, NoSuchPage,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_organization_users(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationId>,
    query: Query,
    page: Page,
) -> Result<Response, ApiError> {
    let part = query.one("q")?;
    let role_id = query.one("organizationRoleId")?.map(OrganizationRoleId::from);
    let wanted = Filter { part, role_id: role_id.as_ref() };
    let mut tx = management.read().await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("organization", &id))?;
    let total = organizations::members::count(&mut tx, &id, wanted).await.map_err(ApiError::from_search)?;
    let users =
        organizations::members::list(&mut tx, &id, wanted, page.slice()).await.map_err(ApiError::from_search)?;
    let user_ids: Vec<_> = users.iter().map(|user| &user.id).collect();
    let roles = organizations::members::roles_of(&mut tx, &id, &user_ids).await?;
    let members = users
        .into_iter()
        .map(|user| MemberView { organization_roles: HeldRoleView::of(&user.id, &roles), user: user_fields(user) });
    page.answer(total, members.collect())
}
