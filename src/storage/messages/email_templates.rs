//! The operator's email templates, by language and type.

use crate::{Json, Result, Tx};
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::id::EmailTemplateId;
use serde_json::Value;

const COLUMNS: &str = "id, language_tag, template_type, details, created_at";

/// A template as stored.
#[derive(Clone, Debug, crate::Row)]
pub struct EmailTemplate {
    /// Its id.
    pub id: EmailTemplateId,
    /// Such as `en` or `pt-BR`.
    pub language_tag: String,
    /// The type of message.
    pub template_type: TemplateType,
    /// Subject, content and so on.
    pub details: Json<Value>,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// The filter of a list of templates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'f> {
    /// Only this language.
    pub language_tag: Option<&'f str>,
    /// Only this type.
    pub template_type: Option<TemplateType>,
}

impl Filter<'_> {
    /// The condition with the parameters `$1` and `$2`.
    const CONDITION: &'static str =
        "(CAST($1 AS TEXT) IS NULL OR language_tag = $1) AND (CAST($2 AS TEXT) IS NULL OR template_type = $2)";
}

/// Writes a template. Replaces the one of the same language and type, and keeps its id and creation time.
pub async fn put(tx: &mut Tx, template: &EmailTemplate) -> Result<EmailTemplate> {
    tx.assembled(format!(
        "INSERT INTO email_templates (id, language_tag, template_type, details, created_at) \
         VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (language_tag, template_type) DO UPDATE SET details = excluded.details RETURNING {COLUMNS}"
    ))
    .bind(&template.id)
    .bind(&template.language_tag)
    .bind(template.template_type)
    .bind(&template.details)
    .bind(template.created_at)
    .one()
    .await
}

/// The templates that match, by language and type.
pub async fn list(tx: &mut Tx, filter: Filter<'_>) -> Result<Vec<EmailTemplate>> {
    tx.assembled(format!(
        "SELECT {COLUMNS} FROM email_templates WHERE {} ORDER BY language_tag, template_type",
        Filter::CONDITION
    ))
    .bind(filter.language_tag)
    .bind(filter.template_type)
    .all()
    .await
}

/// One template.
pub async fn find(tx: &mut Tx, id: &EmailTemplateId) -> Result<Option<EmailTemplate>> {
    tx.assembled(format!("SELECT {COLUMNS} FROM email_templates WHERE id = $1")).bind(id).optional().await
}

/// Updates the details of a template. `false` if there is none.
pub async fn update(tx: &mut Tx, id: &EmailTemplateId, details: &Json<Value>) -> Result<bool> {
    let sql = "UPDATE email_templates SET details = COALESCE($1, details) WHERE id = $2";
    Ok(tx.sql(sql).bind(details).bind(id).execute().await? > 0)
}

/// Deletes a template. `false` when there is none.
pub async fn delete(tx: &mut Tx, id: &EmailTemplateId) -> Result<bool> {
    Ok(tx.sql("DELETE FROM email_templates WHERE id = $1").bind(id).execute().await? > 0)
}

/// Deletes the templates that match, and returns their number.
pub async fn delete_all(tx: &mut Tx, filter: Filter<'_>) -> Result<u64> {
    tx.assembled(format!("DELETE FROM email_templates WHERE {}", Filter::CONDITION))
        .bind(filter.language_tag)
        .bind(filter.template_type)
        .execute()
        .await
}
