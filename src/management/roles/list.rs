//! `GET /api/roles`: roles, with the number of their holders and some examples.

use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, NotSearchable};
use crate::views::RoleView;
use axum::extract::RawQuery;
use axum::response::Response;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::management::RolesRead;
use claimsmith_storage::roles::usage::{FeaturedApplication, FeaturedUser};
use claimsmith_storage::roles::{self, Filter, Role};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::search;
use serde::{Deserialize, Serialize};

/// The filters of a list of roles.
#[derive(Deserialize)]
pub(super) struct RoleFilter {
    r#type: Option<RoleType>,
    #[serde(rename = "excludeUserId")]
    without_user: Option<UserId>,
    #[serde(rename = "excludeApplicationId")]
    without_application: Option<ApplicationId>,
}

/// A role with its use.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "r1t6y3u8i0p5a2s7d4f9g", "name": "support", "description": "Helps customers",
    "type": "User", "isDefault": false, "usersCount": 1,
    "featuredUsers": [{ "id": "q3v8k1znw2pd", "avatar": null, "name": "Ada Lovelace" }], "applicationsCount": 0,
    "featuredApplications": []
}))]
pub(super) struct RoleUsageView {
    #[serde(flatten)]
    role: RoleView,
    /// How many users hold it.
    users_count: i64,
    /// At most three of them.
    featured_users: Vec<FeaturedUserView>,
    /// How many applications hold it.
    applications_count: i64,
    /// At most three of them.
    featured_applications: Vec<FeaturedApplicationView>,
}

/// A user who holds a role.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct FeaturedUserView {
    id: String,
    avatar: Option<String>,
    name: Option<String>,
}

/// An application that holds a role.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct FeaturedApplicationView {
    id: String,
    name: String,
    r#type: ApplicationType,
}

/// Lists roles, newest first.
#[utoipa::path(
    get, path = "/api/roles", tag = "Roles", summary = "List roles",
    params(
        SearchParameters, PageParameters,
        ("type" = Option<RoleType>, Query, description = "Only roles for these holders"),
        ("excludeUserId" = Option<String>, Query, description = "Only roles that this user does not hold"),
        ("excludeApplicationId" = Option<String>, Query, description = "Only roles that this application does not hold"),
    ),
    responses(
        (status = 200, description = "The page", body = Vec<RoleUsageView>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NotSearchable,
    ),
)]
pub(super) async fn list_roles(
    management: Management<RolesRead>,
    page: Page,
    RawQuery(query): RawQuery,
    Filters(filter): Filters<RoleFilter>,
) -> Result<Response, ApiError> {
    let filter = Filter {
        search: search::parse(query.as_deref(), &roles::FIELDS)?,
        kind: filter.r#type,
        without_user: filter.without_user,
        without_application: filter.without_application,
    };
    let mut tx = management.read().await?;
    let total = roles::count(&mut tx, &filter).await.map_err(ApiError::from_search)?;
    let roles = roles::list(&mut tx, &filter, page.slice()).await.map_err(ApiError::from_search)?;
    let ids: Vec<_> = roles.iter().map(|role| &role.id).collect();
    let users = roles::usage::users(&mut tx, &ids).await?;
    let applications = roles::usage::applications(&mut tx, &ids).await?;
    page.answer(total, roles.into_iter().map(|role| view(role, &users, &applications)).collect())
}

fn view(role: Role, users: &[FeaturedUser], applications: &[FeaturedApplication]) -> RoleUsageView {
    let users: Vec<_> = users.iter().filter(|user| user.role_id == role.id).collect();
    let applications: Vec<_> = applications.iter().filter(|one| one.role_id == role.id).collect();
    RoleUsageView {
        users_count: users.first().map_or(0, |user| user.total),
        featured_users: users
            .into_iter()
            .map(|user| FeaturedUserView {
                id: user.id.to_string(),
                avatar: user.avatar.clone(),
                name: user.name.clone(),
            })
            .collect(),
        applications_count: applications.first().map_or(0, |one| one.total),
        featured_applications: applications
            .into_iter()
            .map(|one| FeaturedApplicationView { id: one.id.to_string(), name: one.name.clone(), r#type: one.kind })
            .collect(),
        role: role.into(),
    }
}
