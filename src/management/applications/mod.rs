//! `/api/applications`: the routes, and the operations on applications.

mod access_control;
mod admin;
mod client_authentication;
mod consent_organizations;
mod consent_scopes;
mod custom_data;
mod metadata;
mod organizations;
mod roles;
mod secrets;
mod sign_in_experience;
mod token_preview;

use crate::describe::routes;
use crate::parameters::{OptionalPageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use crate::views::IntoView;
use axum::Json;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::applications::{
    ApplicationDetails, ApplicationView, CreateApplication, CreatedApplication, UpdateApplication,
};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::documents::client_authentication::{AuthMethod, ClientAssertionAudience};
use claimsmith_domain::id::{ApplicationId, OrganizationId, RoleId};
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite, RecentIfAsked};
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_services::app::App;
use claimsmith_services::tokens;
use claimsmith_storage::applications::{self, Application, Filter};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::OptionalPage;
use claimsmith_web::extract::patch::PatchBody;
use claimsmith_web::extract::search;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_application, self::list_applications))
        .routes(routes!(self::show_application, self::update_application, self::delete_application))
        .routes(routes!(secrets::list_application_secrets, secrets::create_application_secret))
        .routes(routes!(secrets::update_application_secret, secrets::delete_application_secret))
        .routes(routes!(
            roles::list_application_roles,
            roles::assign_application_roles,
            roles::replace_application_roles
        ))
        .routes(routes!(roles::remove_application_role))
        .routes(routes!(custom_data::merge_application_custom_data))
        .routes(routes!(token_preview::preview_token))
        .routes(routes!(organizations::list_application_organizations))
        .routes(routes!(
            access_control::show_application_access_control,
            access_control::replace_application_access_control
        ))
        .routes(routes!(
            consent_scopes::show_application_consent_scopes,
            consent_scopes::enable_application_consent_scopes
        ))
        .routes(routes!(consent_scopes::disable_application_consent_scope))
        .routes(routes!(
            consent_organizations::list_consent_organizations,
            consent_organizations::add_consent_organizations,
            consent_organizations::replace_consent_organizations
        ))
        .routes(routes!(consent_organizations::remove_consent_organization))
        .routes(routes!(
            sign_in_experience::show_application_sign_in_experience,
            sign_in_experience::put_application_sign_in_experience
        ))
}

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
    get, path = "/api/applications", tag = "Applications",
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
    page.answer(total, found.into_iter().map(IntoView::<ApplicationView>::into_view).collect())
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

/// Creates an application.
///
/// The answer is the only place that shows its first secret.
#[utoipa::path(
    post, path = "/api/applications", tag = "Applications",
    request_body = CreateApplication,
    responses(
        (status = 200, description = "The application, with its first secret if it can keep one",
            body = CreatedApplication),
        BodyRefused, AccessRefused,
        (status = 422, description = "A redirect URI has a wildcard, a third-party application is to exchange tokens, or one that is not native is to use the device flow", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_application(
    management: Management<RecentIfAsked<ApplicationsWrite>>,
    JsonBody(body): JsonBody<CreateApplication>,
) -> Result<Json<CreatedApplication>, ApiError> {
    let none = (&OidcClientMetadata::default(), &CustomClientMetadata::default());
    let given = (&body.oidc_client_metadata, &body.custom_client_metadata);
    metadata::check(body.r#type, body.is_third_party, none, given)?;
    if metadata::changes_ways_in(none, given) || body.r#type.is_confidential() {
        // A confidential application gets a secret.
        management.demand_recent()?;
    }
    if body.is_third_party && body.r#type == ApplicationType::MachineToMachine {
        let code = ApiCode::ApplicationInvalidThirdPartyApplicationType;
        let message = "A machine-to-machine application cannot be a third party's.";
        return Err(ApiError::new(code, message));
    }
    // An application with another registered method could not use a secret.
    let has_secret = body.r#type.is_confidential()
        && body.oidc_client_metadata.token_endpoint_auth_method != Some(AuthMethod::PrivateKeyJwt);
    let application = Application {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
        kind: body.r#type,
        oidc_client_metadata: claimsmith_storage::Json(body.oidc_client_metadata),
        custom_client_metadata: claimsmith_storage::Json(body.custom_client_metadata),
        custom_data: claimsmith_storage::Json(Value::Object(body.custom_data)),
        is_third_party: body.is_third_party,
        app_level_access_control_enabled: false,
        created_at: management.now(),
    };
    let secret = if has_secret { Some(management.app.random.secret(secrets::SECRET_CHARS)?) } else { None };

    let mut tx = management.begin_revision(Changed::Application(&application.id)).await?;
    applications::insert(&mut tx, &application).await?;
    metadata::begin_line(&management, &mut tx, &application).await?;
    if application.is_third_party {
        claimsmith_storage::consent_scopes::limit(&mut tx, &application.id).await?;
    }
    if let Some(value) = &secret {
        let stored = applications::ApplicationSecret {
            application_id: application.id.clone(),
            name: tokens::DEFAULT_SECRET.to_owned(),
            hash: tokens::hash(value),
            created_at: application.created_at,
            expires_at: None,
        };
        applications::insert_secret(&mut tx, &stored).await?;
    }
    let details = json!({ "createdApplicationId": application.id, "type": application.kind });
    tx.audit(AuditKey::ManagementApplicationCreate, details).await?;
    tx.commit().await?;
    Ok(Json(CreatedApplication { application: application.into_view(), secret }))
}

/// Shows an application.
#[utoipa::path(
    get, path = "/api/applications/{id}", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 200, description = "The application", body = ApplicationDetails),
        AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_application(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
) -> Result<Json<ApplicationDetails>, ApiError> {
    let mut tx = management.read().await?;
    let application = applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    let is_admin = admin::is_admin(&management, &mut tx, &id).await?;
    Ok(Json(ApplicationDetails { application: application.into_view(), is_admin }))
}

fn changes_ways_in(change: &UpdateApplication, application: &Application) -> bool {
    let before = (&application.oidc_client_metadata.0, &application.custom_client_metadata.0);
    let after = (
        change.oidc_client_metadata.as_ref().unwrap_or(before.0),
        change.custom_client_metadata.as_ref().unwrap_or(before.1),
    );
    metadata::changes_ways_in(before, after)
        || change.is_admin.is_some()
        || change.app_level_access_control_enabled.is_some()
}

fn apply(change: UpdateApplication, application: &mut Application) {
    if let Some(name) = change.name.0 {
        application.name = name.into();
    }
    if let Some(description) = change.description {
        application.description = description.map(Into::into);
    }
    if let Some(metadata) = change.oidc_client_metadata {
        application.oidc_client_metadata.0 = metadata;
    }
    if let Some(metadata) = change.custom_client_metadata {
        application.custom_client_metadata.0 = metadata;
    }
    if let Some(data) = change.custom_data {
        application.custom_data.0 = Value::Object(data);
    }
    if let Some(enabled) = change.app_level_access_control_enabled.0 {
        application.app_level_access_control_enabled = enabled;
    }
}

/// Changes an application.
#[utoipa::path(
    patch, path = "/api/applications/{id}", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    request_body = UpdateApplication,
    responses(
        (status = 200, description = "The application", body = ApplicationView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "A redirect URI has a wildcard, the device flow is to change, a third-party application is to exchange tokens, one with users to be an administrator, the last administrator to be none, or access control has no rule", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_application(
    management: Management<RecentIfAsked<ApplicationsWrite>>,
    Id(id): Id<ApplicationId>,
    body: PatchBody<UpdateApplication>,
) -> Result<Json<ApplicationView>, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    let mut application =
        applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_change("application", &id))?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let body = body.over(&json!({
        "oidcClientMetadata": application.oidc_client_metadata.0,
        "customClientMetadata": application.custom_client_metadata.0,
    }))?;
    if changes_ways_in(&body, &application) {
        management.demand_recent()?;
    }
    let is_admin = body.is_admin.0;
    let controls_access = body.app_level_access_control_enabled.0 == Some(true);
    // Another authentication method, or other keys, may lock an administrator out.
    let may_end_administration = is_admin.is_some() || body.oidc_client_metadata.is_some();
    let administered =
        if may_end_administration { Some(Administered::before(&management, &mut tx).await?) } else { None };
    let (oidc, custom) = (application.oidc_client_metadata.0.clone(), application.custom_client_metadata.0.clone());
    apply(body, &mut application);
    let Application { kind, oidc_client_metadata, custom_client_metadata, is_third_party, .. } = &application;
    metadata::check(*kind, *is_third_party, (&oidc, &custom), (oidc_client_metadata, custom_client_metadata))?;
    metadata::check_device_flow(custom.is_device_flow, custom_client_metadata.0.is_device_flow)?;
    if controls_access {
        access_control::check_enabled(&mut tx, &application).await?;
    }
    applications::update(&mut tx, &application).await?;
    metadata::begin_line(&management, &mut tx, &application).await?;
    if let Some(wanted) = is_admin {
        admin::set_admin(&management, &mut tx, &application, wanted).await?;
    }
    if let Some(administered) = administered {
        administered.check(&management, &mut tx).await?;
    }
    let details = json!({ "changedApplicationId": id, "isAdmin": is_admin });
    tx.audit(AuditKey::ManagementApplicationUpdate, details).await?;
    tx.commit().await?;
    Ok(Json(application.into_view()))
}

/// Deletes an application with its secrets.
///
/// Its tokens are refused from now on.
#[utoipa::path(
    delete, path = "/api/applications/{id}", tag = "Applications",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "It is the last administrator", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_application(
    management: Management<ApplicationsWrite>,
    Id(id): Id<ApplicationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    if !applications::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("application", &id));
    }
    administered.check(&management, &mut tx).await?;
    let details = json!({ "deletedApplicationId": id });
    tx.audit(AuditKey::ManagementApplicationDelete, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
