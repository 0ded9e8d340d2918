//! `DELETE /api/applications/{id}`.

use crate::http::error::{ApiError, ApiErrorBody};
use crate::http::extract::ids::Id;
use crate::http::extract::management::Caller;
use crate::http::management::refusals::Refused;
use crate::storage::applications;
use axum::http::StatusCode;
use serde_json::json;

/// Deletes an application with its secrets. Its tokens are refused from now on.
#[utoipa::path(
    delete, path = "/api/applications/{id}", tag = "Applications", summary = "Delete an application",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 204, description = "Deleted"),
        Refused,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
    security(("oauth2" = ["all", "applications:write"])),
)]
pub(super) async fn delete_application(caller: Caller, Id(id): Id) -> Result<StatusCode, ApiError> {
    let management = caller.require("applications:write")?;
    let mut tx = management.begin_revision().await?;
    if !applications::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("application", &id));
    }
    let details = json!({ "deletedApplicationId": id });
    management.audit(&mut tx, "Management.Application.Delete", details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
