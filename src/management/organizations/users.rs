//! `/api/organizations/{id}/users`: the members of an organization, and several roles for several of them at once.

use super::members::{MAX_PAIRS, USERS, require_users};
use crate::organization_roles::check;
use crate::parameters::PageParameters;
use crate::refusals::{AccessRefused, BodyRefused, NoSuchPage, UnknownId};
use crate::relations;
use crate::views::held_roles;
use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::organizations::{AddMembers, MemberIds, MemberView, ReplaceMembers, RolesForMembers};
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::event::EventType;
use claimsmith_domain::id::{OrganizationId, OrganizationRoleId, UserId};
use claimsmith_domain::management::{OrganizationsRead, OrganizationsWrite, Recent};
use claimsmith_identity::accounts::user_fields;
use claimsmith_services::webhooks::Event;
use claimsmith_storage::organizations::members::Filter;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{LinkChanges, organizations};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::page::Page;
use claimsmith_web::extract::query::Query;
use serde_json::json;
use std::collections::HashMap;

/// Lists the members of an organization, by id.
#[utoipa::path(
    get, path = "/api/organizations/{id}/users", tag = "Organizations",
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
        .map(|user| MemberView { organization_roles: held_roles(&user.id, &roles), user: user_fields(user) });
    page.answer(total, members.collect())
}

/// Makes users members; being one already is no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/users", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = AddMembers,
    responses(
        (status = 201, description = "The users asked for", body = MemberIds),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization or user", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_users(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<AddMembers>,
) -> Result<(StatusCode, Json<MemberIds>), ApiError> {
    let mut tx = management.begin().await?;
    let added = organizations::members::add(&mut tx, &id, body.user_ids.as_slice()).await;
    let added = added.map_err(|error| relations::from_write(error, "organization or user"))?;
    let status = USERS.commit(tx, &id, LinkChanges::added(added), StatusCode::CREATED).await?;
    Ok((status, Json(MemberIds { user_ids: body.user_ids.into_given() })))
}

/// Replaces the members: exactly these users.
#[utoipa::path(
    put, path = "/api/organizations/{id}/users", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = ReplaceMembers,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization or user", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_users(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<ReplaceMembers>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Organization(&id)).await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization"))?;
    let changes = organizations::members::replace(&mut tx, &id, body.user_ids.as_slice()).await;
    let changes = changes.map_err(|error| relations::from_write(error, "user"))?;
    USERS.commit(tx, &id, changes, StatusCode::NO_CONTENT).await
}

/// Takes a user out of an organization, with all they were there.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/users/{userId}", tag = "Organizations",
    params(
        ("id" = String, Path, description = "The organization"),
        ("userId" = String, Path, description = "The user"),
    ),
    responses(
        (status = 204, description = "Removed"),
        AccessRefused,
        (status = 404, description = "The user is not a member", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_user(
    management: Management<OrganizationsWrite>,
    IdPair(id, user_id): IdPair<OrganizationId, UserId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !organizations::members::remove(&mut tx, &id, &user_id).await? {
        return Err(ApiError::nothing_to_delete("member of the organization", &user_id));
    }
    USERS.commit(tx, &id, LinkChanges::removed(vec![user_id]), StatusCode::NO_CONTENT).await
}

/// Gives roles to members; those that they have already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/users/roles", tag = "Organizations",
    params(("id" = String, Path, description = "The organization")),
    request_body = RolesForMembers,
    responses(
        (status = 201, description = "Given; without a body"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "Somebody is not a member, or there is no such role for users",
            body = ApiErrorBody),
    ),
)]
pub(super) async fn give_roles_to_organization_users(
    management: Management<Recent<OrganizationsWrite>>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<RolesForMembers>,
) -> Result<StatusCode, ApiError> {
    let (user_ids, role_ids) = (body.user_ids.as_slice(), body.organization_role_ids.as_slice());
    if user_ids.len() * role_ids.len() > MAX_PAIRS {
        let details = format!("Error in key path \"userIds\": expected at most {MAX_PAIRS} pairs of user and role");
        return Err(ApiError::invalid_input("body", details));
    }
    let mut tx = management.begin().await?;
    require_users(&mut tx, &id, user_ids).await?;
    check(&mut tx, role_ids, RoleType::User).await?;
    let added = organizations::members::add_roles_to_all(&mut tx, &id, user_ids, role_ids).await?;
    let details = json!({ "organizationId": id, "userIds": user_ids, "organizationRoleIds": role_ids });
    tx.audit(AuditKey::ManagementOrganizationAssignUserRoles, details).await?;
    let mut of_users: HashMap<&UserId, Vec<&str>> = HashMap::new();
    for (user_id, role_id) in &added {
        of_users.entry(user_id).or_default().push(role_id.as_str());
    }
    let events = user_ids.iter().map(|user_id| {
        let added = of_users.get(user_id).map_or(&[][..], Vec::as_slice);
        let event = Event::new(EventType::OrganizationMembershipRolesUpdated, StatusCode::CREATED);
        event.of("organizationId", &id).of("userId", user_id).ids("addedOrganizationRoleIds", added)
    });
    tx.emit_each(&events.collect::<Vec<_>>()).await?;
    tx.commit().await?;
    Ok(StatusCode::CREATED)
}
