//! `/api/roles`: the routes, the operations on roles, and what the other files of this folder share.

mod holders;
mod scopes;

use crate::describe::routes;
use crate::parameters::{PageParameters, SearchParameters};
use crate::refusals::{AccessRefused, BodyRefused, NotSearchable};
use crate::views::IntoView;
use axum::Json;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::resources::ScopeView;
use claimsmith_api::roles::{
    CreateRole, FeaturedApplicationView, FeaturedUserView, RoleUsageView, RoleView, UpdateRole,
};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::{self, RoleType};
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{ApplicationId, RoleId, UserId};
use claimsmith_domain::management::{RecentIfAsked, RolesRead, RolesWrite};
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_services::app::App;
use claimsmith_services::webhooks::Event;
use claimsmith_storage as storage;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::roles::usage::{FeaturedApplication, FeaturedUser};
use claimsmith_storage::roles::{self, Filter, Role};
use claimsmith_storage::{Tx, resources};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::filters::Filters;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::search;
use serde::Deserialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::create_role, self::list_roles))
        .routes(routes!(self::show_role, self::update_role, self::delete_role))
        .routes(routes!(scopes::list_role_scopes, scopes::add_role_scopes))
        .routes(routes!(scopes::remove_role_scope))
        .routes(routes!(holders::list_role_users, holders::assign_role_to_users))
        .routes(routes!(holders::remove_role_from_user))
        .routes(routes!(holders::list_role_applications, holders::assign_role_to_applications))
        .routes(routes!(holders::remove_role_from_application))
}

async fn find(tx: &mut Tx, id: &RoleId) -> Result<Role, ApiError> {
    roles::find(tx, id).await?.ok_or_else(|| ApiError::not_found("role", id))
}

fn name_in_use() -> ApiError {
    ApiError::new(ApiCode::RoleNameInUse, "This role name is already in use.")
}

/// Refuses the names of built-in roles, which only the server creates and changes.
fn refuse_internal(name: &str) -> Result<(), ApiError> {
    if role::is_internal(name) {
        let message = "Roles whose names start with \"#internal:\" are the server's own.";
        return Err(ApiError::new(ApiCode::RoleInternalRoleViolation, message));
    }
    Ok(())
}

/// The filters of a list of roles.
#[derive(Deserialize)]
pub(super) struct RoleFilter {
    r#type: Option<RoleType>,
    #[serde(rename = "excludeUserId")]
    without_user: Option<UserId>,
    #[serde(rename = "excludeApplicationId")]
    without_application: Option<ApplicationId>,
}

/// Lists roles, newest first.
#[utoipa::path(
    get, path = "/api/roles", tag = "Roles",
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
            .map(|user| FeaturedUserView { id: user.id.clone(), avatar: user.avatar.clone(), name: user.name.clone() })
            .collect(),
        applications_count: applications.first().map_or(0, |one| one.total),
        featured_applications: applications
            .into_iter()
            .map(|one| FeaturedApplicationView { id: one.id.clone(), name: one.name.clone(), r#type: one.kind })
            .collect(),
        role: role.into_view(),
    }
}

/// Creates a role.
#[utoipa::path(
    post, path = "/api/roles", tag = "Roles",
    request_body = CreateRole,
    responses(
        (status = 200, description = "The role", body = RoleView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such scope", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_role(
    management: Management<RecentIfAsked<RolesWrite>>,
    JsonBody(body): JsonBody<CreateRole>,
) -> Result<Json<RoleView>, ApiError> {
    refuse_internal(body.name.as_str())?;
    if body.is_default {
        // A default role is granted to every new user.
        management.demand_recent()?;
    }
    let role = Role {
        id: management.app.random.id(21)?.into(),
        name: body.name.into(),
        description: body.description.into(),
        kind: body.r#type,
        is_default: body.is_default,
        created_at: management.now(),
    };
    let scope_ids = body.scope_ids.as_ref().map_or(&[][..], IdList::as_slice);

    let mut tx = management.begin_revision(Changed::Nothing).await?;
    match roles::insert(&mut tx, &role).await {
        Err(storage::Error::Conflict) => return Err(name_in_use()),
        result => result?,
    }
    scopes::check(&management, &mut tx, &role, scope_ids).await?;
    let carried = roles::add_scopes_to_new(&mut tx, &role.id, scope_ids).await;
    carried.map_err(|error| ApiError::from_write(error, "scope"))?;
    let details = json!({ "roleId": role.id, "scopeIds": scope_ids });
    tx.audit(AuditKey::ManagementRoleCreate, details).await?;
    if !scope_ids.is_empty() {
        let scopes: Vec<ScopeView> =
            resources::scopes_of_role(&mut tx, &role.id).await?.into_iter().map(IntoView::into_view).collect();
        let event = Event::new(EventType::RoleScopesUpdated, StatusCode::OK).of("roleId", &role.id).data(&scopes)?;
        tx.emit(&event).await?;
    }
    let view: RoleView = role.into_view();
    tx.emit(&Event::new(EventType::RoleCreated, StatusCode::OK).data(&view)?).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Shows a role.
#[utoipa::path(
    get, path = "/api/roles/{id}", tag = "Roles",
    params(("id" = String, Path, description = "The role")),
    responses(
        (status = 200, description = "The role", body = RoleView),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_role(
    management: Management<RolesRead>,
    Id(id): Id<RoleId>,
) -> Result<Json<RoleView>, ApiError> {
    let role = find(&mut management.read().await?, &id).await?;
    Ok(Json(role.into_view()))
}

fn apply(change: UpdateRole, role: &mut Role) {
    if let Some(name) = change.name.0 {
        role.name = name.into();
    }
    if let Some(description) = change.description.0 {
        role.description = description.into();
    }
    if let Some(is_default) = change.is_default.0 {
        role.is_default = is_default;
    }
}

/// Changes a role.
#[utoipa::path(
    patch, path = "/api/roles/{id}", tag = "Roles",
    params(("id" = String, Path, description = "The role")),
    request_body = UpdateRole,
    responses(
        (status = 200, description = "The role", body = RoleView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
        (status = 422, description = "The name is in use", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_role(
    management: Management<RecentIfAsked<RolesWrite>>,
    Id(id): Id<RoleId>,
    JsonBody(body): JsonBody<UpdateRole>,
) -> Result<Json<RoleView>, ApiError> {
    let mut tx = management.begin_revision(Changed::Role(&id)).await?;
    let mut role = roles::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_change("role", &id))?;
    refuse_internal(&role.name)?;
    privilege_guard::check_role(&management, &mut tx, &id).await?;
    if body.name.as_ref().is_some_and(|name| name.as_str() != role.name) {
        privilege_guard::check_role_renamed(&management, &mut tx, &id).await?;
    }
    if body.is_default.0 == Some(true) && !role.is_default {
        // A default role is granted to every new user.
        management.demand_recent()?;
    }
    apply(body, &mut role);
    refuse_internal(&role.name)?;
    match roles::update(&mut tx, &role).await {
        Err(claimsmith_storage::Error::Conflict) => return Err(name_in_use()),
        result => result?,
    }
    tx.audit(AuditKey::ManagementRoleUpdate, json!({ "roleId": id })).await?;
    let view: RoleView = role.into_view();
    tx.emit(&Event::new(EventType::RoleDataUpdated, StatusCode::OK).data(&view)?).await?;
    tx.commit().await?;
    Ok(Json(view))
}

/// Deletes a role; users and applications lose it.
#[utoipa::path(
    delete, path = "/api/roles/{id}", tag = "Roles",
    params(("id" = String, Path, description = "The role")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such role", body = ApiErrorBody),
        (status = 422, description = "It is what makes the last administrator", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_role(
    management: Management<RolesWrite>,
    Id(id): Id<RoleId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Role(&id)).await?;
    let role = roles::find(&mut tx, &id).await?.ok_or_else(|| ApiError::nothing_to_delete("role", &id))?;
    refuse_internal(&role.name)?;
    privilege_guard::check_role(&management, &mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    roles::delete(&mut tx, &id).await?;
    administered.check(&management, &mut tx).await?;
    tx.audit(AuditKey::ManagementRoleDelete, json!({ "roleId": id })).await?;
    tx.emit(&Event::new(EventType::RoleDeleted, StatusCode::NO_CONTENT)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
