//! Adds and removes members of an organization: `POST`, `PUT` and `DELETE /api/organizations/{id}/users`.

use super::super::members::USERS;
use crate::refusals::{AccessRefused, BodyRefused, UnknownId};
use crate::relations;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::id::{OrganizationId, UserId};
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{LinkChanges, organizations};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::{Deserialize, Serialize};

/// Users to become members.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"] }))]
pub(super) struct AddMembers {
    /// 1 to 1000.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    user_ids: IdList<UserId, 1>,
}

/// All the members.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"] }))]
pub(super) struct ReplaceMembers {
    /// At most 1000.
    #[schema(value_type = Vec<String>, max_items = 1000)]
    user_ids: IdList<UserId, 0>,
}

/// The users of a request.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "userIds": ["q3v8k1znw2pd"] }))]
pub(super) struct MemberIds {
    #[schema(value_type = Vec<String>)]
    user_ids: Vec<UserId>,
}

/// Makes users members; being one already is no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/users", tag = "Organizations", summary = "Add members to an organization",
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
    put, path = "/api/organizations/{id}/users", tag = "Organizations", summary = "Replace the members of an organization",
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
    summary = "Remove a member from an organization",
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
