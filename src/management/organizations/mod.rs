//! `/api/organizations`: the routes, and the operations on organizations.

mod application_roles;
mod applications;
mod chosen_roles;
mod jit;
mod jit_sso_connectors;
mod members;
mod user_roles;
mod users;

use crate::describe::routes;
use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organizations::{
    CreateOrganization, FeaturedMemberView, ListedOrganization, OrganizationView, UpdateOrganization,
};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::OrganizationId;
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite};
use claimsmith_services::app::App;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::members::FeaturedUser;
use claimsmith_storage::organizations::{self, Organization};
use claimsmith_storage::revisions::Changed;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::patch::PatchBody;
use claimsmith_web::extract::query::Query;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_organization, self::list_organizations))
        .routes(routes!(self::show_organization, self::update_organization, self::delete_organization))
        .routes(routes!(
            users::list_organization_users,
            users::add_organization_users,
            users::replace_organization_users
        ))
        .routes(routes!(users::remove_organization_user))
        .routes(routes!(users::give_roles_to_organization_users))
        .routes(routes!(
            user_roles::list_organization_user_roles,
            user_roles::add_organization_user_roles,
            user_roles::replace_organization_user_roles
        ))
        .routes(routes!(user_roles::remove_organization_user_role))
        .routes(routes!(user_roles::list_organization_user_scopes))
        .routes(routes!(
            applications::list_organization_applications,
            applications::add_organization_applications,
            applications::replace_organization_applications
        ))
        .routes(routes!(applications::remove_organization_application))
        .routes(routes!(applications::give_roles_to_organization_applications))
        .routes(routes!(
            application_roles::list_organization_application_roles,
            application_roles::add_organization_application_roles,
            application_roles::replace_organization_application_roles
        ))
        .routes(routes!(application_roles::remove_organization_application_role))
        .routes(routes!(
            jit::list_organization_jit_email_domains,
            jit::add_organization_jit_email_domain,
            jit::replace_organization_jit_email_domains
        ))
        .routes(routes!(jit::remove_organization_jit_email_domain))
        .routes(routes!(
            jit::list_organization_jit_roles,
            jit::add_organization_jit_roles,
            jit::replace_organization_jit_roles
        ))
        .routes(routes!(jit::remove_organization_jit_role))
        .routes(routes!(
            jit_sso_connectors::list_organization_jit_sso_connectors,
            jit_sso_connectors::add_organization_jit_sso_connectors,
            jit_sso_connectors::replace_organization_jit_sso_connectors
        ))
        .routes(routes!(jit_sso_connectors::remove_organization_jit_sso_connector))
}

/// Lists organizations, newest first.
#[utoipa::path(
    get, path = "/api/organizations", tag = "Organizations",
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
        organization: organization.into_view(),
    }
}

fn featured(user: &FeaturedUser) -> FeaturedMemberView {
    FeaturedMemberView { id: user.id.clone(), avatar: user.avatar.clone(), name: user.name.clone() }
}

/// Creates an organization.
#[utoipa::path(
    post, path = "/api/organizations", tag = "Organizations",
    request_body = CreateOrganization,
    responses(
        (status = 201, description = "The organization", body = OrganizationView),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn create_organization(
    management: Management<OrganizationsWrite>,
    JsonBody(body): JsonBody<CreateOrganization>,
) -> Result<(StatusCode, Json<OrganizationView>), ApiError> {
    let organization = Organization {
        id: management.app.random.id(12)?.into(),
        name: body.name.into(),
        description: body.description.map(Into::into),
        custom_data: claimsmith_storage::Json(Value::Object(body.custom_data)),
        is_mfa_required: body.is_mfa_required,
        color: claimsmith_storage::Json(body.color.unwrap_or_default()),
        branding: claimsmith_storage::Json(body.branding.unwrap_or_default()),
        custom_css: body.custom_css.map(Into::into),
        created_at: management.now(),
    };
    let mut tx = management.begin().await?;
    organizations::insert(&mut tx, &organization).await?;
    let details = json!({ "organizationId": organization.id });
    tx.audit(AuditKey::ManagementOrganizationCreate, details).await?;
    let view: OrganizationView = organization.into_view();
    let event = Event::new(EventType::OrganizationCreated, StatusCode::CREATED).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Shows an organization.
#[utoipa::path(
    get, path = "/api/organizations/{id}", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    responses(
        (status = 200, description = "The organization", body = OrganizationView),
        AccessRefused,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_organization(
    management: Management<OrganizationsRead>,
    Id(id): Id<OrganizationId>,
) -> Result<Json<OrganizationView>, ApiError> {
    let organization = organizations::find(&mut management.read().await?, &id).await?;
    Ok(Json(organization.ok_or_else(|| ApiError::not_found("organization", &id))?.into_view()))
}

fn apply(change: UpdateOrganization, organization: &mut Organization) {
    if let Some(name) = change.name.0 {
        organization.name = name.into();
    }
    if let Some(description) = change.description {
        organization.description = description.map(Into::into);
    }
    if let Some(data) = change.custom_data {
        organization.custom_data.0 = Value::Object(data);
    }
    if let Some(required) = change.is_mfa_required.0 {
        organization.is_mfa_required = required;
    }
    if let Some(color) = change.color {
        organization.color.0 = color;
    }
    if let Some(branding) = change.branding {
        organization.branding.0 = branding;
    }
    if let Some(css) = change.custom_css {
        organization.custom_css = css.map(Into::into);
    }
}

/// Changes an organization.
#[utoipa::path(
    patch, path = "/api/organizations/{id}", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = UpdateOrganization,
    responses(
        (status = 200, description = "The organization", body = OrganizationView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_organization(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    body: PatchBody<UpdateOrganization>,
) -> Result<Json<OrganizationView>, ApiError> {
    // Plugins get the organization in the context of its members.
    let mut tx = management.begin_revision(Changed::Organization(&id)).await?;
    let organization = organizations::find(&mut tx, &id).await?;
    let mut organization = organization.ok_or_else(|| ApiError::nothing_to_change("organization", &id))?;
    let before = json!({ "color": organization.color.0, "branding": organization.branding.0 });
    apply(body.over(&before)?, &mut organization);
    organizations::update(&mut tx, &organization).await?;
    let details = json!({ "organizationId": id });
    tx.audit(AuditKey::ManagementOrganizationUpdate, details).await?;
    let view: OrganizationView = organization.into_view();
    let event = Event::new(EventType::OrganizationDataUpdated, StatusCode::OK).data(&view)?;
    tx.emit(&event).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Deletes an organization with its memberships and invitations.
///
/// No more tokens are issued for it.
#[utoipa::path(
    delete, path = "/api/organizations/{id}", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_organization(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Organization(&id)).await?;
    if !organizations::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("organization", &id));
    }
    tx.audit(AuditKey::ManagementOrganizationDelete, json!({ "organizationId": id })).await?;
    tx.emit(&Event::new(EventType::OrganizationDeleted, StatusCode::NO_CONTENT)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
