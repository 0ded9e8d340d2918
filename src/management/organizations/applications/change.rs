//! Adds and removes machine-to-machine applications of an organization: `POST`, `PUT` and `DELETE
//! /api/organizations/{id}/applications`.

use super::super::members::APPLICATIONS;
use crate::refusals::{AccessRefused, BodyRefused, UnknownId};
use crate::relations;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::id::{ApplicationId, OrganizationId};
use claimsmith_domain::management::OrganizationsWrite;
use claimsmith_storage::organizations;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{Tx, applications};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::{Deserialize, Serialize};

/// Machine-to-machine applications to belong to an organization.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"] }))]
pub(super) struct AddApplications {
    /// 1 to 1000.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 1000)]
    application_ids: IdList<ApplicationId, 1>,
}

/// All the applications of an organization.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"] }))]
pub(super) struct ReplaceApplications {
    /// At most 1000.
    #[schema(value_type = Vec<String>, max_items = 1000)]
    application_ids: IdList<ApplicationId, 0>,
}

/// The applications of a request.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "applicationIds": ["b5n8q1w4z7k0x3c6t9r2m"] }))]
pub(super) struct ApplicationIds {
    #[schema(value_type = Vec<String>)]
    application_ids: Vec<ApplicationId>,
}

/// Lets machine-to-machine applications belong to an organization; those that do already are no error.
#[utoipa::path(
    post, path = "/api/organizations/{id}/applications", tag = "Organizations",
    summary = "Add applications to an organization",
    params(("id" = String, Path, description = "The organization")),
    request_body = AddApplications,
    responses(
        (status = 201, description = "The applications asked for", body = ApplicationIds),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such machine-to-machine application", body = ApiErrorBody),
    ),
)]
pub(super) async fn add_organization_applications(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<AddApplications>,
) -> Result<(StatusCode, Json<ApplicationIds>), ApiError> {
    // `Changed::Nothing`: an application's membership in an organization is read for each of its tokens.
    let mut tx = management.begin_revision(Changed::Nothing).await?;
    check(&mut tx, body.application_ids.as_slice()).await?;
    let ids = body.application_ids.as_slice();
    let status = APPLICATIONS.add(tx, &id, ids, "organization or application").await?;
    Ok((status, Json(ApplicationIds { application_ids: body.application_ids.into_given() })))
}

/// Lets these applications belong to an organization and no others.
#[utoipa::path(
    put, path = "/api/organizations/{id}/applications", tag = "Organizations",
    summary = "Replace the applications of an organization",
    params(("id" = String, Path, description = "The organization")),
    request_body = ReplaceApplications,
    responses(
        (status = 204, description = "Replaced"),
        BodyRefused, AccessRefused, UnknownId,
        (status = 422, description = "No such organization, or no such machine-to-machine application", body = ApiErrorBody),
    ),
)]
pub(super) async fn replace_organization_applications(
    management: Management<OrganizationsWrite>,
    Id(id): Id<OrganizationId>,
    JsonBody(body): JsonBody<ReplaceApplications>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin_revision(Changed::Organization(&id)).await?;
    organizations::find(&mut tx, &id).await?.ok_or_else(|| relations::missing("organization"))?;
    check(&mut tx, body.application_ids.as_slice()).await?;
    APPLICATIONS.replace(tx, &id, body.application_ids.as_slice(), "application").await
}

/// Takes an application out of an organization, with all it was there.
#[utoipa::path(
    delete, path = "/api/organizations/{id}/applications/{applicationId}", tag = "Organizations",
    summary = "Remove an application from an organization",
    params(
        ("id" = String, Path, description = "The organization"),
        ("applicationId" = String, Path, description = "The application"),
    ),
    responses(
        (status = 204, description = "Removed"),
        AccessRefused,
        (status = 404, description = "The application does not belong to the organization", body = ApiErrorBody),
    ),
)]
pub(super) async fn remove_organization_application(
    management: Management<OrganizationsWrite>,
    IdPair(id, application_id): IdPair<OrganizationId, ApplicationId>,
) -> Result<StatusCode, ApiError> {
    let tx = management.begin_revision(Changed::Application(&application_id)).await?;
    APPLICATIONS.remove(tx, &id, application_id, "application of the organization").await
}

/// 422 unless these are existing machine-to-machine applications.
async fn check(tx: &mut Tx, application_ids: &[ApplicationId]) -> Result<(), ApiError> {
    let kinds = applications::kinds(tx, application_ids).await?;
    if kinds.len() < application_ids.len() {
        return Err(relations::missing("application"));
    }
    if kinds.values().any(|kind| *kind != ApplicationType::MachineToMachine) {
        return Err(relations::unfit("Only machine-to-machine applications belong to organizations."));
    }
    Ok(())
}
