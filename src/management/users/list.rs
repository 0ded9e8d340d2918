//! `GET /api/users`.

use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, NotSearchable};
use crate::views::UserView;
use axum::extract::RawQuery;
use axum::response::Response;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::id::{OrganizationId, RoleId};
use claimsmith_domain::management::UsersRead;
use claimsmith_storage::users;
use claimsmith_storage::users::list::Filter;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::search;
use serde::Deserialize;

/// The users that a list excludes.
#[derive(Deserialize)]
pub(super) struct Excluded {
    #[serde(rename = "isSuspended")]
    is_suspended: Option<bool>,
    #[serde(rename = "excludeRoleId")]
    role_id: Option<RoleId>,
    #[serde(rename = "excludeOrganizationId")]
    organization_id: Option<OrganizationId>,
}

/// Lists users, newest first.
#[utoipa::path(
    get, path = "/api/users", tag = "Users", summary = "List users",
    params(
        SearchParameters,
        ("excludeRoleId" = Option<String>, Query, description = "Without those who hold this role"),
        ("excludeOrganizationId" = Option<String>, Query, description = "Without members of this organization"),
        ("isSuspended" = Option<bool>, Query, description = "Those who are suspended, or those who are not"),
        PageParameters,
    ),
    responses(
        (status = 200, description = "The page", body = Vec<UserView>, headers(
            ("Total-Number" = i64, description = "How many there are in all"),
            ("Link" = String, description = "URLs of the first, previous, next and last page"),
        )),
        AccessRefused, NotSearchable,
    ),
)]
pub(super) async fn list_users(
    management: Management<UsersRead>,
    page: Page,
    RawQuery(query): RawQuery,
    Filters(excluded): Filters<Excluded>,
) -> Result<Response, ApiError> {
    let filter = filter_of(query.as_deref(), excluded)?;
    let mut tx = management.read().await?;
    let total = users::list::count(&mut tx, &filter).await.map_err(ApiError::from_search)?;
    let users = users::list::list(&mut tx, &filter, page.slice()).await.map_err(ApiError::from_search)?;
    page.answer(total, users.into_iter().map(UserView::from).collect())
}

/// The filter of a query.
pub(super) fn filter_of(query: Option<&str>, excluded: Excluded) -> Result<Filter, ApiError> {
    if excluded.role_id.is_some() && excluded.organization_id.is_some() {
        let message = "Input is invalid: name a role or an organization, not both.";
        return Err(ApiError::new(ApiCode::RequestInvalidInput, message));
    }
    Ok(Filter {
        search: search::parse(query, &users::list::FIELDS)?,
        without_role: excluded.role_id,
        outside_organization: excluded.organization_id,
        is_suspended: excluded.is_suspended,
    })
}
