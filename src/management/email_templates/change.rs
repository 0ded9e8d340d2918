//! `PATCH /api/email-templates/{id}/details`.

use super::view::EmailTemplateView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::connector::templates::TemplateDetails;
use claimsmith_domain::id::EmailTemplateId;
use claimsmith_domain::management::Everything;
use claimsmith_runtime::json::{self, INCOMING};
use claimsmith_storage::messages::email_templates;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde_json::{Map, Value, json};

/// Changes what a template says: what is left out stays, and null takes away.
#[utoipa::path(
    patch, path = "/api/email-templates/{id}/details", tag = "Email templates", summary = "Change an email template",
    params(("id" = String, Path, description = "The template")),
    request_body(content = Object, example = json!({ "subject": "Your code" })),
    responses(
        (status = 200, description = "The template", body = EmailTemplateView),
        BodyRefused, AccessRefused,
        (status = 404, description = "No such template", body = ApiErrorBody),
    ),
)]
pub(super) async fn change_email_template(
    management: Management<Everything>,
    Id(id): Id<EmailTemplateId>,
    JsonBody(body): JsonBody<Map<String, Value>>,
) -> Result<Json<EmailTemplateView>, ApiError> {
    let mut tx = management.begin().await?;
    // Serializes changes, so that each is based on the one before.
    EXPERIENCE.lock(&mut tx).await?;
    let found = email_templates::find(&mut tx, &id).await?;
    let mut template = found.ok_or_else(|| ApiError::nothing_to_change("email template", &id))?;
    let Value::Object(members) = &mut template.details.0 else { return Err(ApiError::unreadable("email template")) };
    for (name, value) in body {
        if value.is_null() {
            members.remove(&name);
        } else {
            members.insert(name, value);
        }
    }
    let text = template.details.to_string();
    let details: TemplateDetails =
        json::read(text.as_bytes(), INCOMING).map_err(|error| ApiError::invalid_input("body", error.to_string()))?;
    template.details.0 = serde_json::to_value(&details)?;
    email_templates::update(&mut tx, &id, &template.details).await?;
    tx.audit(AuditKey::ManagementEmailTemplateUpdate, json!({ "emailTemplateId": id })).await?;
    tx.commit().await?;
    Ok(Json(template.into()))
}
