//! `/api/applications/{id}/secrets`. A value is shown once, at its creation; the server stores only its SHA-256.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::compose;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite};
use claimsmith_identity::access::built_in;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_services::tokens;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::applications::{self, Application, ApplicationSecret};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{self as storage, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Characters of a secret: 190 bits.
pub(super) const SECRET_CHARS: usize = 32;
/// What lists show instead of a value.
pub(super) const MASK: &str = "********";

/// A new secret.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "2026", "expiresAt": 4_102_444_800_000_i64 }))]
pub(super) struct CreateSecret {
    /// Unique per application.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    name: Text<1, 128>,
    /// Unix milliseconds, in the future; null or nothing never expires.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    expires_at: Option<i64>,
}

/// A secret of an application.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "applicationId": "m0k2x7c5t9r4b8n1q6w3z", "name": "2026", "value": "********",
    "createdAt": 1_760_000_000_000_i64, "expiresAt": 4_102_444_800_000_i64
}))]
pub(super) struct SecretView {
    /// Always `default`.
    tenant_id: &'static str,
    application_id: String,
    name: String,
    /// The value in full in the answer to its creation; `********` everywhere else, since only its SHA-256 is kept.
    value: String,
    /// Unix milliseconds.
    created_at: i64,
    /// Unix milliseconds; null never expires.
    expires_at: Option<i64>,
}

impl SecretView {
    pub(super) fn new(secret: ApplicationSecret, value: String) -> Self {
        Self {
            tenant_id: TENANT,
            application_id: secret.application_id.into(),
            name: secret.name,
            value,
            created_at: secret.created_at,
            expires_at: secret.expires_at,
        }
    }
}

/// Lists the secrets of an application, oldest first, with their values masked.
#[utoipa::path(
    get, path = "/api/applications/{id}/secrets", tag = "Applications", summary = "List the secrets of an application",
    params(("id" = String, Path, description = "The application")),
    responses(
        (status = 200, description = "The secrets; each `value` is `********`", body = Vec<SecretView>),
        AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
    ),
)]
pub(super) async fn list_application_secrets(
    management: Management<ApplicationsRead>,
    Id(id): Id<ApplicationId>,
) -> Result<Json<Vec<SecretView>>, ApiError> {
    let mut tx = management.read().await?;
    applications::find(&mut tx, &id).await?.ok_or_else(|| ApiError::not_found("application", &id))?;
    let secrets = applications::secrets_of(&mut tx, &id).await?;
    Ok(Json(secrets.into_iter().map(|secret| SecretView::new(secret, MASK.to_owned())).collect()))
}

/// Adds a secret. The answer is the only place that shows its value.
#[utoipa::path(
    post, path = "/api/applications/{id}/secrets", tag = "Applications", summary = "Add a secret to an application",
    params(("id" = String, Path, description = "The application")),
    request_body = CreateSecret,
    responses(
        (status = 201, description = "The secret, with its value in full", body = SecretView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such application", body = ApiErrorBody),
        (status = 422, description = "The name is in use, or the application cannot keep a secret", body = ApiErrorBody),
    ),
)]
pub(super) async fn create_application_secret(
    management: Management<ApplicationsWrite>,
    Id(id): Id<ApplicationId>,
    JsonBody(body): JsonBody<CreateSecret>,
) -> Result<(StatusCode, Json<SecretView>), ApiError> {
    let now = management.now();
    let expires_at = body.expires_at;
    refuse_past(expires_at, now)?;
    let value = management.app.random.secret(SECRET_CHARS)?;

    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    let application = find(&mut tx, &id).await?;
    if !application.kind.is_confidential() {
        let message = "Only traditional and machine-to-machine applications have secrets.";
        return Err(ApiError::new(ApiCode::ApplicationInvalidType, message));
    }
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let secret = ApplicationSecret {
        application_id: id,
        name: body.name.into(),
        hash: tokens::hash(&value),
        created_at: now,
        expires_at,
    };
    match applications::insert_secret(&mut tx, &secret).await {
        Err(storage::Error::Conflict) => return Err(name_exists()),
        result => result.map_err(|error| ApiError::from_write(error, "application"))?,
    }
    let details = json!({ "changedApplicationId": secret.application_id, "secretName": secret.name });
    tx.audit(AuditKey::ManagementApplicationCreateSecret, details).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(SecretView::new(secret, value))))
}

/// Deletes a secret; it does not authenticate the application any more.
#[utoipa::path(
    delete, path = "/api/applications/{id}/secrets/{name}", tag = "Applications", summary = "Delete a secret",
    params(
        ("id" = String, Path, description = "The application"),
        ("name" = String, Path, description = "The secret's name"),
    ),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such application or secret", body = ApiErrorBody),
        (status = 422, description = "It is the last secret of the last administrator", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_application_secret(
    management: Management<ApplicationsWrite>,
    IdPair(id, name): IdPair<ApplicationId, String>,
) -> Result<StatusCode, ApiError> {
    let name = compose(&name).into_owned();
    let mut tx = management.begin_revision(Changed::Application(&id)).await?;
    privilege_guard::check_application(&management, &mut tx, &id).await?;
    let administered = Administered::before(&management, &mut tx).await?;
    if !applications::delete_secret(&mut tx, &id, &name).await? {
        return Err(ApiError::nothing_to_delete("secret", &name));
    }
    administered.check(&management, &mut tx).await?;
    let details = json!({ "changedApplicationId": id, "secretName": name });
    tx.audit(AuditKey::ManagementApplicationDeleteSecret, details).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) fn name_exists() -> ApiError {
    ApiError::new(ApiCode::ApplicationSecretNameExists, "The application has a secret of this name.")
}

pub(super) fn refuse_past(expires_at: Option<i64>, now: i64) -> Result<(), ApiError> {
    if expires_at.is_some_and(|end| end <= now) {
        let details = "Error in key path \"expiresAt\": expected a time in the future";
        return Err(ApiError::invalid_input("body", details));
    }
    Ok(())
}

/// The application with that id, to be changed; refuses the server's own applications.
pub(super) async fn find(tx: &mut Tx, id: &ApplicationId) -> Result<Application, ApiError> {
    built_in::refuse_application(id)?;
    applications::find(tx, id).await?.ok_or_else(|| ApiError::not_found("application", id))
}
