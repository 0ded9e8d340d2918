//! `GET /api/sign-in-exp/username-policy/case-sensitivity-conflicts`: usernames that differ only in case.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Management;
use serde::Serialize;

/// User names that differ in case alone. There are none: they are unique whatever their case.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "totalConflicts": 0, "samples": [] }))]
pub(super) struct CaseConflicts {
    /// Always 0.
    total_conflicts: u32,
    /// Always empty.
    samples: Vec<String>,
}

/// Shows which user names differ in case alone. There are none: they are unique whatever their case.
#[utoipa::path(
    get, path = "/api/sign-in-exp/username-policy/case-sensitivity-conflicts", tag = "Sign-in experience",
    summary = "Show user names that differ in case alone",
    responses(
        (status = 200, description = "None", body = CaseConflicts),
        AccessRefused,
    ),
)]
pub(super) async fn show_case_conflicts(_: Management<ConfigsRead>) -> Result<Json<CaseConflicts>, ApiError> {
    Ok(Json(CaseConflicts { total_conflicts: 0, samples: Vec::new() }))
}
