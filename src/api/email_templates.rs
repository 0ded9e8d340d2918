//! Bodies of `/api/email-templates`.

use crate::tenant::Tenant;
use claimsmith_domain::documents::bounded_vec::BoundedVec;
use claimsmith_domain::documents::connector::templates::TemplateDetails;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::id::EmailTemplateId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What e-mails of one type say in one language.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "tenantId": "default", "id": "e7t2m9p4w1z8k5x0q3v6b", "languageTag": "en", "templateType": "SignIn",
    "details": { "subject": "Your code for {{application.name}}", "content": "<p>{{code}}</p>" },
    "createdAt": 1_760_000_000_000_i64
}))]
pub struct EmailTemplateView {
    /// Always `default`.
    pub tenant_id: Tenant,
    pub id: EmailTemplateId,
    /// Such as `en` or `pt-BR`.
    pub language_tag: String,
    /// What the e-mail is for.
    #[schema(value_type = String)]
    pub template_type: TemplateType,
    /// What it says.
    #[schema(value_type = TemplateDetails)]
    pub details: Value,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// Maximum templates of one request.
const MAX_TEMPLATES: usize = 1000;

/// Templates to write.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "templates": [{
    "languageTag": "en", "templateType": "SignIn",
    "details": { "subject": "Your code for {{application.name}}", "content": "<p>{{code}}</p>" }
}] }))]
pub struct ReplaceTemplates {
    #[schema(value_type = Vec<NewTemplate>)]
    pub templates: BoundedVec<NewTemplate, MAX_TEMPLATES>,
}

/// What e-mails of one type say in one language.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewTemplate {
    /// Such as `en` or `pt-BR`.
    #[schema(value_type = String, max_length = 35)]
    pub language_tag: LanguageTag,
    /// What the e-mail is for.
    pub template_type: TemplateType,
    /// What it says.
    pub details: TemplateDetails,
}

/// How many were deleted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "rowCount": 2 }))]
pub struct DeletedTemplates {
    pub row_count: u64,
}
