//! `GET /api/applications`.

use super::ApplicationView;
use crate::domain::application::ApplicationType;
use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::management::Caller;
use crate::http::extract::page::OptionalPage;
use crate::http::extract::query::{self, Query};
use crate::http::management::refusals::Refused;
use crate::storage::applications::{self, Filter};
use axum::http::StatusCode;
use axum::response::Response;
use std::collections::BTreeSet;

/// Types that other servers of this API shape have. Clients ask for them; nothing here is of them.
const FOREIGN_TYPES: [&str; 2] = ["Protected", "SAML"];

/// Lists applications, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/applications", tag = "Applications", summary = "List applications",
    params(
        ("page" = Option<u32>, Query, description = "From 1"),
        ("page_size" = Option<u32>, Query, description = "1 to 100"),
        ("types" = Option<Vec<String>>, Query, description = "Only applications of this type; may be repeated"),
        ("excludeRoleId" = Option<String>, Query, description = "Only applications that do not hold this role"),
        ("excludeOrganizationId" = Option<String>, Query,
            description = "Only applications that do not belong to this organization; not beside `excludeRoleId`"),
        ("isThirdParty" = Option<bool>, Query, description = "Only those of somebody else, or only the others"),
    ),
    responses(
        (status = 200, description = "The applications", body = Vec<ApplicationView>),
        (status = 400, description = "No such page, or a parameter that is not understood", body = ApiErrorBody),
        Refused,
    ),
    security(("oauth2" = ["all", "applications:read"])),
)]
pub(super) async fn list_applications(caller: Caller, page: OptionalPage, query: Query) -> Result<Response, ApiError> {
    let management = caller.require("applications:read")?;
    let wanted = filter(&query)?;
    let mut tx = management.read().await?;
    let total = applications::count(&mut tx, &wanted).await?;
    let found = applications::list(&mut tx, &wanted, page.slice()).await?;
    page.answer(total, found.into_iter().map(ApplicationView::from).collect())
}

fn filter(query: &Query) -> Result<Filter, ApiError> {
    let mut kinds = BTreeSet::new();
    for name in query.all("types") {
        if ApplicationType::parse(name).is_none() && !FOREIGN_TYPES.contains(&name) {
            return Err(query::invalid("types", "expected a type of applications"));
        }
        kinds.insert(name.to_owned());
    }
    let not_of_role = query.one("excludeRoleId")?.map(str::to_owned);
    let not_of_organization = query.one("excludeOrganizationId")?.map(str::to_owned);
    if not_of_role.is_some() && not_of_organization.is_some() {
        let message = "excludeRoleId and excludeOrganizationId cannot be used together.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "request.invalid_input", message));
    }
    Ok(Filter { kinds: kinds.into_iter().collect(), not_of_role, is_third_party: query.boolean("isThirdParty")? })
}
