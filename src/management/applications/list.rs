//! `GET /api/applications`.

use crate::parameters::{OptionalPageParameters, SearchParameters};
use crate::refusals::{AccessRefused, NotSearchable};
use crate::views::ApplicationView;
use axum::extract::RawQuery;
use axum::response::Response;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::client_authentication::ClientAssertionAudience;
use claimsmith_domain::id::{OrganizationId, RoleId};
use claimsmith_domain::management::ApplicationsRead;
use claimsmith_storage::applications::{self, Filter};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::search;
use serde::Deserialize;
use std::collections::BTreeSet;

/// The filters of a list of applications, beside `types`.
#[derive(Deserialize)]
pub(super) struct ApplicationFilter {
    #[serde(rename = "excludeRoleId")]
    without_role: Option<RoleId>,
    #[serde(rename = "excludeOrganizationId")]
    outside_organization: Option<OrganizationId>,
    #[serde(rename = "isThirdParty")]
    is_third_party: Option<bool>,
    #[serde(rename = "clientAssertionAudience")]
    assertion_audience: Option<ClientAssertionAudience>,
}

/// Types of the reference API that do not exist here. Clients ask for them, and get none.
const FOREIGN_TYPES: [&str; 2] = ["Protected", "SAML"];

/// Lists applications, newest first; all of them when no page is asked for.
#[utoipa::path(
    get, path = "/api/applications", tag = "Applications", summary = "List applications",
    params(
        SearchParameters, OptionalPageParameters,
        ("types" = Option<Vec<String>>, Query, description = "Only applications of this type; may be repeated"),
        ("excludeRoleId" = Option<String>, Query, description = "Only applications that do not hold this role"),
        ("excludeOrganizationId" = Option<String>, Query,
            description = "Only applications that do not belong to this organization; not beside `excludeRoleId`"),
        ("isThirdParty" = Option<bool>, Query, description = "Only those of somebody else, or only the others"),
        ("clientAssertionAudience" = Option<ClientAssertionAudience>, Query,
            description = "Only those whose client assertions may name an endpoint (`legacy`), or only the others"),
    ),
    responses(
        (status = 200, description = "The applications", body = Vec<ApplicationView>),
        AccessRefused, NotSearchable,
    ),
)]
pub(super) async fn list_applications(
    management: Management<ApplicationsRead>,
    page: OptionalPage,
    RawQuery(query): RawQuery,
    Filters(filter): Filters<ApplicationFilter>,
) -> Result<Response, ApiError> {
    let query = query.as_deref();
    if filter.without_role.is_some() && filter.outside_organization.is_some() {
        let message = "Input is invalid: name a role or an organization, not both.";
        return Err(ApiError::new(ApiCode::RequestInvalidInput, message));
    }
    let filter = Filter {
        search: search::parse(query, &applications::FIELDS)?,
        kinds: kinds(query)?,
        without_role: filter.without_role,
        outside_organization: filter.outside_organization,
        is_third_party: filter.is_third_party,
        assertion_audience: filter.assertion_audience,
    };
    let mut tx = management.read().await?;
    let total = applications::count(&mut tx, &filter).await.map_err(ApiError::from_search)?;
    let found = applications::list(&mut tx, &filter, page.slice()).await.map_err(ApiError::from_search)?;
    page.answer(total, found.into_iter().map(ApplicationView::from).collect())
}

/// `types`, which may be repeated.
fn kinds(query: Option<&str>) -> Result<Vec<String>, ApiError> {
    let mut kinds = BTreeSet::new();
    for (_, name) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()).filter(|(name, _)| name == "types") {
        if ApplicationType::parse(&name).is_none() && !FOREIGN_TYPES.contains(&name.as_ref()) {
            let details = "Error in key path \"types\": expected a type of applications";
            return Err(ApiError::invalid_input("query", details));
        }
        kinds.insert(name.into_owned());
    }
    Ok(kinds.into_iter().collect())
}
