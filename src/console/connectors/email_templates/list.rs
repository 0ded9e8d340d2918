//! The list of email templates, optionally filtered.

use super::PAGE;
use super::model::{EmailTemplate, KINDS, PATH};
use crate::answer::show_as;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::fields::Options;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template as Page;
use axum::http::StatusCode;
use axum::response::Response;

#[derive(Page)]
#[template(path = "connectors/email_templates/list.html")]
struct ListPage {
    frame: Frame,
    templates: Vec<EmailTemplate>,
    kind: String,
    language: String,
    problem: String,
}

impl ListPage {
    fn is_filtered(&self) -> bool {
        !(self.kind.is_empty() && self.language.is_empty())
    }

    fn kinds() -> Options {
        KINDS
    }
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let asked = |name| caller.query(name).unwrap_or_default().to_owned();
    let (kind, language) = (asked("templateType"), asked("languageTag"));
    let filters = [("templateType", &kind), ("languageTag", &language)].into_iter();
    let filters: Vec<_> = filters.filter(|(_, value)| !value.is_empty()).collect();
    let query: Vec<_> = filters.iter().map(|(name, value)| format!("{name}={}", segment(value))).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    let (status, templates, problem) = match caller.get(&format!("{PATH}{mark}{}", query.join("&"))).await {
        Ok(templates) => (StatusCode::OK, templates, String::new()),
        Err(failure) => (StatusCode::UNPROCESSABLE_ENTITY, Vec::new(), failure.about_input()?.text()),
    };
    let frame = Frame::new(&caller, Section::Connectors);
    show_as(&caller, status, &ListPage { frame, templates, kind, language, problem })
}
