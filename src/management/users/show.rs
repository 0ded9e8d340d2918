//! `GET /api/users/{userId}`.

use crate::refusals::AccessRefused;
use crate::views::UserView;
use axum::Json;
use claimsmith_domain::id::UserId;
use claimsmith_domain::management::UsersRead;
use claimsmith_services::tokens::context;
use claimsmith_storage::users::{self, sso_identities};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;
use serde::Serialize;
use serde_json::Value;

/// A user, with what was asked for beside.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "q3v8k1znw2pd", "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": null,
    "name": "Ada Lovelace", "avatar": null, "customData": { "plan": "gold" }, "identities": {}, "lastSignInAt": null,
    "createdAt": 1_760_000_000_000_i64, "updatedAt": 1_760_000_000_000_i64, "profile": { "givenName": "Ada" },
    "applicationId": null, "cimdClientId": null, "isSuspended": false, "hasPassword": true, "ssoIdentities": []
}))]
pub(super) struct ShownUser {
    #[serde(flatten)]
    user: UserView,
    /// Identities at enterprise connectors, if they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Object>, required = false)]
    sso_identities: Option<Vec<Value>>,
}

/// Shows a user.
#[utoipa::path(
    get, path = "/api/users/{userId}", tag = "Users", summary = "Show a user",
    params(
        ("userId" = String, Path, description = "The user"),
        ("includeSsoIdentities" = Option<bool>, Query, description = "Whether `ssoIdentities` is part of the answer"),
    ),
    responses(
        (status = 200, description = "The user", body = ShownUser),
        (status = 400, description = "No such question", body = ApiErrorBody),
        AccessRefused,
        (status = 404, description = "No such user", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_user(
    management: Management<UsersRead>,
    Id(id): Id<UserId>,
    query: Query,
) -> Result<Json<ShownUser>, ApiError> {
    let wants_identities = query.flag("includeSsoIdentities")?;
    let mut tx = management.read().await?;
    let user = users::find(&mut tx, &id).await?;
    let user = user.ok_or_else(|| ApiError::unknown_user(&id))?.into();
    let sso_identities = if wants_identities {
        Some(sso_identities::of_user(&mut tx, &id).await?.iter().map(context::sso_identity).collect())
    } else {
        None
    };
    Ok(Json(ShownUser { user, sso_identities }))
}
