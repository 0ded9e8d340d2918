//! `GET /api/users/{userId}/sign-in-state`: whether a user can sign in, and if not, why.

use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_api::users::sign_in::{ObstacleReason, ObstacleView, PluginRefusalView, SignInStateView};
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::{LogsRead, UsersRead};
use claimsmith_identity::interaction::sign_in_state::{Obstacle, SignInState, sign_in_state};
use claimsmith_storage::audit::{self, Filter, StoredAuditEntry};
use claimsmith_storage::{self as storage, Slice, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use serde_json::Value;

/// How far back a refused token is looked for: a day, in milliseconds.
const DAY_MS: i64 = 86_400_000;
/// The beginning of the keys of the token endpoint.
const TOKENS: &str = "ExchangeTokenBy.";

/// Tells whether a user can sign in, and what stands in the way: for those who help users.
#[utoipa::path(
    get, path = "/api/users/{userId}/sign-in-state", tag = "Users",
    params(("userId" = String, Path, description = "The user")),
    responses(
        (status = 200, description = "The state at this moment", body = SignInStateView),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_sign_in_state(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
) -> Result<Json<SignInStateView>, ApiError> {
    let (mut tx, now) = (management.read().await?, management.now());
    let user = super::find(&mut tx, &id).await?;
    let SignInState { obstacles, administers } = sign_in_state(&management.app, &mut tx, &user, now).await?;
    let last_refusal = if management.holds::<LogsRead>() { last_refusal(&mut tx, &id, now).await? } else { None };
    Ok(Json(SignInStateView {
        can_sign_in: obstacles.is_empty(),
        obstacles: obstacles.into_iter().map(view).collect(),
        administers,
        last_refusal,
    }))
}

fn view(obstacle: Obstacle) -> ObstacleView {
    let none = |reason| ObstacleView {
        reason,
        identifier: None,
        factor: None,
        failures: None,
        until: None,
        missing: Vec::new(),
    };
    match obstacle {
        Obstacle::Suspended => none(ObstacleReason::Suspended),
        Obstacle::NoWay { missing } => {
            let missing = missing.into_iter().map(str::to_owned).collect();
            ObstacleView { missing, ..none(ObstacleReason::NoWay) }
        }
        Obstacle::Locked { identifier, failures, until } => ObstacleView {
            identifier: Some(identifier),
            failures: Some(failures),
            until: Some(until),
            ..none(ObstacleReason::Locked)
        },
        Obstacle::FactorLocked { factor, failures, until } => ObstacleView {
            factor: Some(factor),
            failures: Some(failures),
            until: Some(until),
            ..none(ObstacleReason::FactorLocked)
        },
    }
}

/// The refusal of the user's last token, if a plugin refused it.
async fn last_refusal(tx: &mut Tx, id: &UserId, now: i64) -> storage::Result<Option<PluginRefusalView>> {
    let wanted = Filter {
        user_id: Some(id.clone()),
        key_prefix: Some(TOKENS.to_owned()),
        from: Some(now - DAY_MS),
        ..Filter::default()
    };
    let newest = audit::list(tx, &wanted, Slice { limit: 1, offset: 0 }).await?;
    Ok(newest.first().and_then(refusal))
}

fn refusal(entry: &StoredAuditEntry) -> Option<PluginRefusalView> {
    let text = |name: &str| entry.payload.get(name).and_then(Value::as_str).map(str::to_owned);
    if text("result").as_deref() != Some("Error") {
        return None;
    }
    Some(PluginRefusalView {
        plugin: text("plugin")?,
        version: text("pluginVersion"),
        error: text("pluginError"),
        at: entry.created_at,
        request_id: text("requestId"),
        log_id: entry.id.clone(),
    })
}
