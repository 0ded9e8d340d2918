//! `GET /api/email-templates` and `GET /api/email-templates/{id}`.

use super::NamedTemplates;
use super::view::EmailTemplateView;
use crate::refusals::AccessRefused;
use axum::Json;
use claimsmith_domain::id::EmailTemplateId;
use claimsmith_domain::management::ConfigsRead;
use claimsmith_storage::messages::email_templates;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;

/// Lists templates of e-mails, by language and type.
#[utoipa::path(
    get, path = "/api/email-templates", tag = "Email templates", summary = "List email templates",
    params(
        ("languageTag" = Option<String>, Query, description = "Those of this language alone"),
        ("templateType" = Option<String>, Query, description = "Those of this type alone"),
    ),
    responses(
        (status = 200, description = "The templates", body = Vec<EmailTemplateView>),
        (status = 400, description = "No such language or type", body = ApiErrorBody),
        AccessRefused,
    ),
)]
pub(super) async fn list_email_templates(
    management: Management<ConfigsRead>,
    query: Query,
) -> Result<Json<Vec<EmailTemplateView>>, ApiError> {
    let named = NamedTemplates::of(&query)?;
    let found = email_templates::list(&mut management.read().await?, named.filter()).await?;
    Ok(Json(found.into_iter().map(EmailTemplateView::from).collect()))
}

/// Shows a template of e-mails.
#[utoipa::path(
    get, path = "/api/email-templates/{id}", tag = "Email templates", summary = "Show an email template",
    params(("id" = String, Path, description = "The template")),
    responses(
        (status = 200, description = "The template", body = EmailTemplateView),
        AccessRefused,
        (status = 404, description = "No such template", body = ApiErrorBody),
    ),
)]
pub(super) async fn show_email_template(
    management: Management<ConfigsRead>,
    Id(id): Id<EmailTemplateId>,
) -> Result<Json<EmailTemplateView>, ApiError> {
    let found = email_templates::find(&mut management.read().await?, &id).await?;
    Ok(Json(found.ok_or_else(|| ApiError::not_found("email template", &id))?.into()))
}
