//! `GET /api/organizations`.

use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, NoSuchPage};
use crate::views::OrganizationView;
use axum::response::Response;
use claimsmith_domain::management::OrganizationsRead;
use claimsmith_storage::organizations::members::FeaturedUser;
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde::Serialize;

/// An organization, and some of its members if they were asked for.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "o6r2g9a4n1z8", "name": "Acme", "description": "A customer",
    "customData": { "plan": "gold" }, "isMfaRequired": false, "color": { "primaryColor": "#0055aa" },
    "branding": { "logoUrl": "https://acme.example.com/logo.png" }, "customCss": null,
    "createdAt": 1_760_000_000_000_i64, "usersCount": 1,
    "featuredUsers": [{ "id": "q3v8k1znw2pd", "avatar": null, "name": "Ada Lovelace" }]
}))]
pub(super) struct ListedOrganization {
    #[serde(flatten)]
    organization: OrganizationView,
    /// How many members it has; with `showFeatured`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    users_count: Option<i64>,
    /// At most three of them; with `showFeatured`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<FeaturedMemberView>, required = false)]
    featured_users: Option<Vec<FeaturedMemberView>>,
}

/// A member of an organization.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct FeaturedMemberView {
    id: String,
    avatar: Option<String>,
    name: Option<String>,
}

/// Lists organizations, newest first.
#[utoipa::path(
    get, path = "/api/organizations", tag = "Organizations", summary = "List organizations",
    params(
        ("q" = Option<String>, Query, description = "Part of the id or the name, in any case"),
        ("showFeatured" = Option<bool>, Query, description = "Whether members are counted, and three of them shown"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The page", body = Vec<ListedOrganization>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NoSuchPage,
    ),
)]
pub(super) async fn list_organizations(
    management: Management<OrganizationsRead>,
    query: Query,
    page: Page,
) -> Result<Response, ApiError> {
    let (part, show_featured) = (query.one("q")?, query.flag("showFeatured")?);
    let mut tx = management.read().await?;
    let total = organizations::count(&mut tx, part).await.map_err(ApiError::from_search)?;
    let found = organizations::list(&mut tx, part, page.slice()).await.map_err(ApiError::from_search)?;
    let users = if show_featured {
        let ids: Vec<_> = found.iter().map(|one| &one.id).collect();
        Some(organizations::members::featured(&mut tx, &ids).await?)
    } else {
        None
    };
    page.answer(total, found.into_iter().map(|one| view(one, users.as_deref())).collect())
}

fn view(organization: Organization, users: Option<&[FeaturedUser]>) -> ListedOrganization {
    let members: Option<Vec<&FeaturedUser>> =
        users.map(|users| users.iter().filter(|user| user.organization_id == organization.id).collect());
    ListedOrganization {
        users_count: members.as_ref().map(|members| members.first().map_or(0, |member| member.total)),
        featured_users: members.map(|members| members.into_iter().map(featured).collect()),
        organization: organization.into(),
    }
}

fn featured(user: &FeaturedUser) -> FeaturedMemberView {
    FeaturedMemberView { id: user.id.to_string(), avatar: user.avatar.clone(), name: user.name.clone() }
}
