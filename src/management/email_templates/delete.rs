//! `DELETE /api/email-templates/{id}`, and of all templates that match a query.

use super::NamedTemplates;
use crate::refusals::AccessRefused;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::EmailTemplateId;
use claimsmith_domain::management::Everything;
use claimsmith_storage::messages::email_templates;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;
use serde::Serialize;
use serde_json::json;

/// How many were deleted.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "rowCount": 2 }))]
pub(super) struct DeletedTemplates {
    row_count: u64,
}

/// Deletes a template of e-mails; the connector's own, or the built-in one, is sent again.
#[utoipa::path(
    delete, path = "/api/email-templates/{id}", tag = "Email templates", summary = "Delete an email template",
    params(("id" = String, Path, description = "The template")),
    responses(
        (status = 204, description = "Deleted"),
        AccessRefused,
        (status = 404, description = "No such template", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_email_template(
    management: Management<Everything>,
    Id(id): Id<EmailTemplateId>,
) -> Result<StatusCode, ApiError> {
    let mut tx = management.begin().await?;
    if !email_templates::delete(&mut tx, &id).await? {
        return Err(ApiError::nothing_to_delete("email template", &id));
    }
    tx.audit(AuditKey::ManagementEmailTemplateDelete, json!({ "emailTemplateId": id })).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the templates of a language, of a type, or of both together.
#[utoipa::path(
    delete, path = "/api/email-templates", tag = "Email templates", summary = "Delete email templates",
    params(
        ("languageTag" = Option<String>, Query, description = "Those of this language"),
        ("templateType" = Option<String>, Query, description = "Those of this type"),
    ),
    responses(
        (status = 200, description = "How many they were", body = DeletedTemplates),
        (status = 400, description = "No such language or type", body = ApiErrorBody),
        AccessRefused,
        (status = 422, description = "Neither a language nor a type is named", body = ApiErrorBody),
    ),
)]
pub(super) async fn delete_email_templates(
    management: Management<Everything>,
    query: Query,
) -> Result<Json<DeletedTemplates>, ApiError> {
    let named = NamedTemplates::of(&query)?;
    if named.language_tag.is_none() && named.template_type.is_none() {
        let message = "Name a languageTag or a templateType.";
        return Err(ApiError::new(ApiCode::RequestInvalidInputUnprocessable, message));
    }
    let mut tx = management.begin().await?;
    let row_count = email_templates::delete_all(&mut tx, named.filter()).await?;
    let details = json!({
        "languageTag": named.language_tag, "templateType": named.template_type, "rowCount": row_count,
    });
    tx.audit(AuditKey::ManagementEmailTemplateDeleteAll, details).await?;
    tx.commit().await?;
    Ok(Json(DeletedTemplates { row_count }))
}
