//! `PATCH /api/applications/{id}/secrets/{name}`: changes name or expiry. The value stays, and is not shown.

use super::secrets::{MASK, SecretView, find, name_exists, refuse_past};
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::compose;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::ApplicationsWrite;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_json::present;
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{self as storage, applications};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::IdPair;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// What is to change; what is left out stays.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::option_option, reason = "left out, null and a time are three things")]
#[schema(example = json!({ "name": "2026" }))]
pub(super) struct UpdateSecret {
    /// Unique per application.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = String, required = false, min_length = 1, max_length = 128)]
    name: Option<Text<1, 128>>,
    /// Unix milliseconds, in the future; null never expires.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<i64>)]
    expires_at: Option<Option<i64>>,
}

/// Changes a secret of an application.
#[utoipa::path(
    patch, path = "/api/applications/{id}/secrets/{name}", tag = "Applications", summary = "Change a secret",
    params(
        ("id" = String, Path, description = "The application"),
        ("name" = String, Path, description = "The secret's name"),
    ),
    request_body = UpdateSecret,
    responses(
        (status = 200, description = "The secret; its `value` is `********`", body = SecretView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application or secret", body = ApiErrorBody),
        (status = 422, description = "The name is in use, or it is the last secret of the last administrator and would end", body = ApiErrorBody),
    ),
)]
pub(super) async fn update_application_secret(
    management: Management<ApplicationsWrite>,
    IdPair(id, name): IdPair<ApplicationId, String>,
    JsonBody(body): JsonBody<UpdateSecret>,
) -> Result<Json<SecretView>, ApiError> {
    let name = compose(&name).into_owned();
    refuse_past(body.expires_at.flatten(), management.now())?;
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    find(&mut tx, &id).await?;
    let found = applications::secrets_of(&mut tx, &id).await?.into_iter().find(|secret| secret.name == name);
    let mut secret = found.ok_or_else(|| ApiError::nothing_to_change("secret", &name))?;
    // Extending an expired secret is like creating one.
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    if let Some(expires_at) = body.expires_at {
        secret.expires_at = expires_at;
    }
    if let Some(name) = body.name {
        secret.name = name.into();
    }
    match applications::update_secret(&mut tx, &name, &secret).await {
        Err(storage::Error::Conflict) => return Err(name_exists()),
        result => result?,
    };
    administered.check(&management, &mut tx).await?;
    let details = json!({ "changedApplicationId": id, "secretName": name, "newSecretName": secret.name });
    tx.audit(AuditKey::ManagementApplicationUpdateSecret, details).await?;
    tx.commit().await?;
    Ok(Json(SecretView::new(secret, MASK.to_owned())))
}
