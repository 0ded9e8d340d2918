//! How a template is shown.

use claimsmith_domain::documents::connector::templates::TemplateDetails;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_services::tokens::context::TENANT;
use claimsmith_storage::messages::email_templates::EmailTemplate;
use serde::Serialize;
use serde_json::Value;

/// What e-mails of one type say in one language.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e7t2m9p4w1z8k5x0q3v6b", "languageTag": "en", "templateType": "SignIn",
    "details": { "subject": "Your code for {{application.name}}", "content": "<p>{{code}}</p>" },
    "createdAt": 1_760_000_000_000_i64
}))]
pub(super) struct EmailTemplateView {
    /// Always `default`.
    tenant_id: &'static str,
    id: String,
    /// Such as `en` or `pt-BR`.
    language_tag: String,
    /// What the e-mail is for.
    #[schema(value_type = String)]
    template_type: TemplateType,
    /// What it says.
    #[schema(value_type = TemplateDetails)]
    details: Value,
    /// Unix milliseconds.
    created_at: i64,
}

impl From<EmailTemplate> for EmailTemplateView {
    fn from(template: EmailTemplate) -> Self {
        Self {
            tenant_id: TENANT,
            id: template.id.into(),
            language_tag: template.language_tag,
            template_type: template.template_type,
            details: template.details.0,
            created_at: template.created_at,
        }
    }
}
