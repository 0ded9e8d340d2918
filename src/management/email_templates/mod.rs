//! `/api/email-templates`: the operator's own texts of emails, by language and type.

mod change;
mod delete;
mod list;
mod replace;
mod view;

use crate::describe::routes;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_services::app::App;
use claimsmith_storage::messages::email_templates::Filter;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::query::Query;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this family.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_email_templates, replace::replace_email_templates, delete::delete_email_templates))
        .routes(routes!(list::show_email_template, delete::delete_email_template))
        .routes(routes!(change::change_email_template))
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
