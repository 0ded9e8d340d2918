//! `/api/email-templates`: the operator's own texts of emails, by language and type.

use crate::describe::routes;
use crate::refusals::{AccessRefused, BodyRefused};
use crate::views::IntoView;
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::email_templates::{DeletedTemplates, EmailTemplateView, ReplaceTemplates};
use claimsmith_api::tenant::Tenant;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::connector::templates::TemplateDetails;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::id::EmailTemplateId;
use claimsmith_domain::management::{ConfigsRead, Everything};
use claimsmith_services::app::App;
use claimsmith_storage::Json as Stored;
use claimsmith_storage::messages::email_templates::{self, EmailTemplate, Filter};
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::{JsonBody, deserialize};
use claimsmith_web::extract::management::Management;
use claimsmith_web::extract::query::Query;
use serde_json::{Map, Value, json};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(self::list_email_templates, self::replace_email_templates, self::delete_email_templates))
        .routes(routes!(self::show_email_template, self::delete_email_template))
        .routes(routes!(self::change_email_template))
}

/// The templates that match a query.
struct NamedTemplates {
    language_tag: Option<LanguageTag>,
    template_type: Option<TemplateType>,
}

impl NamedTemplates {
    fn of(query: &Query) -> Result<Self, ApiError> {
        let invalid = |name: &str, problem: &str| {
            ApiError::invalid_input("query", format!("Error in key path \"{name}\": {problem}"))
        };
        let language_tag = match query.one("languageTag")? {
            Some(tag) => {
                Some(LanguageTag::try_from(tag.to_owned()).map_err(|problem| invalid("languageTag", problem))?)
            }
            None => None,
        };
        let template_type = match query.one("templateType")? {
            Some(name) => {
                Some(TemplateType::parse(name).ok_or_else(|| invalid("templateType", "there is no such type"))?)
            }
            None => None,
        };
        Ok(Self { language_tag, template_type })
    }

    fn filter(&self) -> Filter<'_> {
        Filter { language_tag: self.language_tag.as_ref().map(LanguageTag::as_str), template_type: self.template_type }
    }
}

/// Lists templates of e-mails, by language and type.
#[utoipa::path(
    get, path = "/api/email-templates", tag = "Email templates",
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
    Ok(Json(found.into_iter().map(EmailTemplate::into_view).collect()))
}

/// Shows a template of e-mails.
#[utoipa::path(
    get, path = "/api/email-templates/{id}", tag = "Email templates",
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
    Ok(Json(found.ok_or_else(|| ApiError::not_found("email template", &id))?.into_view()))
}

/// Writes templates of e-mails, each in the place of the one there was for its language and type.
#[utoipa::path(
    put, path = "/api/email-templates", tag = "Email templates",
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
    Ok(Json(written.into_iter().map(EmailTemplate::into_view).collect()))
}

/// Changes what a template says: what is left out stays, and null takes away.
#[utoipa::path(
    patch, path = "/api/email-templates/{id}/details", tag = "Email templates",
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
    let mut template = found.ok_or_else(|| ApiError::not_found("email template", &id))?;
    let Value::Object(members) = &mut template.details.0 else { return Err(ApiError::unreadable("email template")) };
    for (name, value) in body {
        if value.is_null() {
            members.remove(&name);
        } else {
            members.insert(name, value);
        }
    }
    let details: TemplateDetails = deserialize(template.details.0.clone())?;
    template.details.0 = serde_json::to_value(&details)?;
    email_templates::update(&mut tx, &id, &template.details).await?;
    tx.audit(AuditKey::ManagementEmailTemplateUpdate, json!({ "emailTemplateId": id })).await?;
    tx.commit().await?;
    Ok(Json(template.into_view()))
}

/// Deletes a template of e-mails; the connector's own, or the built-in one, is sent again.
#[utoipa::path(
    delete, path = "/api/email-templates/{id}", tag = "Email templates",
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
    delete, path = "/api/email-templates", tag = "Email templates",
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
        return Err(ApiError::new(ApiCode::ConnectorEmailConnectorBulkDeletionNoFilter, message));
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

impl IntoView<EmailTemplateView> for EmailTemplate {
    fn into_view(self) -> EmailTemplateView {
        EmailTemplateView {
            tenant_id: Tenant,
            id: self.id,
            language_tag: self.language_tag,
            template_type: self.template_type,
            details: self.details.0,
            created_at: self.created_at,
        }
    }
}
