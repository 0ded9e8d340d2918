//! `PUT /api/email-templates`.

use super::view::EmailTemplateView;
use crate::refusals::{AccessRefused, BodyRefused};
use axum::Json;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::bounded_vec::BoundedVec;
use claimsmith_domain::documents::connector::templates::TemplateDetails;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::management::Everything;
use claimsmith_storage::Json as Stored;
use claimsmith_storage::messages::email_templates::{self, EmailTemplate};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;
use serde::Deserialize;
use serde_json::json;

/// Maximum templates of one request.
const MAX_TEMPLATES: usize = 1000;

/// Templates to write.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(example = json!({ "templates": [{
    "languageTag": "en", "templateType": "SignIn",
    "details": { "subject": "Your code for {{application.name}}", "content": "<p>{{code}}</p>" }
}] }))]
pub(super) struct ReplaceTemplates {
    #[schema(value_type = Vec<NewTemplate>)]
    templates: BoundedVec<NewTemplate, MAX_TEMPLATES>,
}

/// What e-mails of one type say in one language.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewTemplate {
    /// Such as `en` or `pt-BR`.
    #[schema(value_type = String, max_length = 35)]
    language_tag: LanguageTag,
    /// What the e-mail is for.
    template_type: TemplateType,
    /// What it says.
    details: TemplateDetails,
}

/// Writes templates of e-mails, each in the place of the one there was for its language and type.
#[utoipa::path(
    put, path = "/api/email-templates", tag = "Email templates", summary = "Replace email templates",
    request_body = ReplaceTemplates,
    responses(
        (status = 200, description = "The templates", body = Vec<EmailTemplateView>),
        BodyRefused, AccessRefused,
    ),
)]
pub(super) async fn replace_email_templates(
    management: Management<Everything>,
    JsonBody(body): JsonBody<ReplaceTemplates>,
) -> Result<Json<Vec<EmailTemplateView>>, ApiError> {
    let mut rows = Vec::with_capacity(body.templates.len());
    for template in body.templates.iter() {
        rows.push(EmailTemplate {
            id: management.app.random.id(21)?.into(),
            language_tag: template.language_tag.as_str().to_owned(),
            template_type: template.template_type,
            details: Stored(serde_json::to_value(&template.details)?),
            created_at: management.now(),
        });
    }
    // Rows are locked in a fixed order, to avoid deadlocks.
    rows.sort_by_cached_key(|row| (row.language_tag.clone(), row.template_type.as_str()));
    let mut tx = management.begin().await?;
    let mut written = Vec::with_capacity(rows.len());
    for row in &rows {
        written.push(email_templates::put(&mut tx, row).await?);
    }
    let ids: Vec<&str> = written.iter().map(|template| template.id.as_str()).collect();
    tx.audit(AuditKey::ManagementEmailTemplateReplace, json!({ "emailTemplateIds": ids })).await?;
    tx.commit().await?;
    Ok(Json(written.into_iter().map(EmailTemplateView::from).collect()))
}
