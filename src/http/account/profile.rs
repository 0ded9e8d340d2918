//! `PATCH /api/my-account/profile`.

use axum::Json;
use claimsmith_domain::profile::Profile;
use claimsmith_identity::own_account::profile;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::account::OwnChange;
use claimsmith_web::extract::json::JsonBody;
use serde_json::{Map, Value};

/// Merges standard claims into the profile, and returns it.
pub(super) async fn merge(account: OwnChange, JsonBody(body): JsonBody<Profile>) -> Result<Json<Value>, ApiError> {
    account.demand("profile")?;
    let keys = Map::from(body);
    if keys.contains_key("address") {
        account.demand("address")?;
    }
    let mut merged = profile::merge(&account.owner, keys).await?;
    if !account.has("address")
        && let Some(members) = merged.as_object_mut()
    {
        members.remove("address");
    }
    Ok(Json(merged))
}
