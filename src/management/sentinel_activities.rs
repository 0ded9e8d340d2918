//! `POST /api/sentinel-activities/delete`: ends lock-outs.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::http::StatusCode;
use claimsmith_api::sentinel_activities::Unlock;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::management::{BySupport, UsersWrite};
use claimsmith_identity::access::privilege_guard;
use claimsmith_identity::interaction::unlock;
use claimsmith_services::app::App;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(self::delete_sentinel_activities))
}

/// Forgets the failed attempts to sign in with these, whether anybody has them or not: they are not locked any more.
///
/// Those of somebody who administers are forgotten for administrators alone.
#[utoipa::path(
    post, path = "/api/sentinel-activities/delete", tag = "Users",
    request_body = Unlock,
    responses((status = 204, description = "Unlocked"), BodyRefused, AccessRefused),
)]
pub(super) async fn delete_sentinel_activities(
    management: Management<BySupport<UsersWrite>>,
    JsonBody(body): JsonBody<Unlock>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    for target in body.targets.iter() {
        let holders = unlock::holders(&mut tx, target.as_str()).await?;
        // Clearing lockouts repeatedly allows unlimited guesses, so those of administrators are protected.
        for user_id in &holders {
            privilege_guard::check_user(&management, &mut tx, user_id).await?;
        }
        unlock::unlock(&mut tx, target.as_str(), &holders).await?;
    }
    tx.audit(AuditKey::ManagementSentinelActivityDelete, json!({ "targetType": "User", "targets": body.targets }))
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
