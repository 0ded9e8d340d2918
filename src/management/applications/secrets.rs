//! `/api/applications/{id}/secrets`. A value is shown once, at its creation; the server stores only its SHA-256.

use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::applications::{CreateSecret, SecretView, UpdateSecret};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::fold::compose;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::{ApplicationsRead, ApplicationsWrite, Recent};
use claimsmith_identity::access::built_in;
use claimsmith_identity::access::privilege_guard::{self, Administered};
use claimsmith_services::tokens;
use claimsmith_storage::applications::{self, Application, ApplicationSecret};
use claimsmith_storage::revisions::Changed;
use claimsmith_storage::{self as storage, Tx};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::{Id, IdPair};
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::json;

/// Characters of a secret: 190 bits.
pub(super) const SECRET_CHARS: usize = 32;
/// What lists show instead of a value.
const MASK: &str = "********";

fn view(secret: ApplicationSecret, value: String) -> SecretView {
    SecretView {
        tenant_id: Tenant,
        application_id: secret.application_id,
        name: secret.name,
        value,
        created_at: secret.created_at,
        expires_at: secret.expires_at,
    }
}

/// Lists the secrets of an application, oldest first, with their values masked.
#[utoipa::path(
    get, path = "/api/applications/{id}/secrets", tag = "Applications",
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
    Ok(Json(secrets.into_iter().map(|secret| view(secret, MASK.to_owned())).collect()))
}

/// Adds a secret.
///
/// The answer is the only place that shows its value.
#[utoipa::path(
    post, path = "/api/applications/{id}/secrets", tag = "Applications",
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
    management: Management<Recent<ApplicationsWrite>>,
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
        return Err(ApiError::new(ApiCode::EntityDbConstraintViolated, message));
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
    Ok((StatusCode::CREATED, Json(view(secret, value))))
}

/// Deletes a secret; it does not authenticate the application any more.
#[utoipa::path(
    delete, path = "/api/applications/{id}/secrets/{name}", tag = "Applications",
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
    management: Management<Recent<ApplicationsWrite>>,
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

fn name_exists() -> ApiError {
    ApiError::new(ApiCode::ApplicationSecretNameExists, "The application has a secret of this name.")
}

fn refuse_past(expires_at: Option<i64>, now: i64) -> Result<(), ApiError> {
    if expires_at.is_some_and(|end| end <= now) {
        let details = "Error in key path \"expiresAt\": expected a time in the future";
        return Err(ApiError::invalid_input("body", details));
    }
    Ok(())
}

/// The application with that id, to be changed; refuses the server's own applications.
async fn find(tx: &mut Tx, id: &ApplicationId) -> Result<Application, ApiError> {
    built_in::refuse_application(id)?;
    applications::find(tx, id).await?.ok_or_else(|| ApiError::not_found("application", id))
}

/// Changes a secret of an application.
#[utoipa::path(
    patch, path = "/api/applications/{id}/secrets/{name}", tag = "Applications",
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
    management: Management<Recent<ApplicationsWrite>>,
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
    if let Some(name) = body.name.0 {
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
    Ok(Json(view(secret, MASK.to_owned())))
}
