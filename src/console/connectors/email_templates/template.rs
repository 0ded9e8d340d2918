//! The page of a template.

use super::PAGE;
use super::model::{EmailTemplate, PLACEHOLDERS, detail_fields, page_of, path_of};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::fields::{Field, body_of, form_of};
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template as Page;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;

#[derive(Page)]
#[template(path = "connectors/email_templates/template.html")]
struct TemplatePage {
    frame: Frame,
    template: EmailTemplate,
    fields: Vec<Field>,
    form: Form,
    problem: String,
}

impl TemplatePage {
    async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        let template = EmailTemplate::read(caller, id).await?;
        let fields = detail_fields();
        let form = form_of(&fields, &template.details);
        let frame = Frame::new(caller, Section::Connectors);
        Ok(Self { frame, template, fields, form, problem: String::new() })
    }
}

pub(super) async fn show_template(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &TemplatePage::read(&caller, &id).await?)
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let page = TemplatePage::read(&caller, &id).await?;
    let problem = match body_of(&page.fields, &form, &page.template.details) {
        Err(problem) => problem,
        Ok(body) => match caller.change(Method::PATCH, &page.template.details_path(), body).await {
            Ok(()) => return Ok(done(&page_of(&id), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &TemplatePage { form, problem, ..page })
}

fn deletion(template: &EmailTemplate) -> Deletion {
    Deletion {
        section: Section::Connectors,
        kind: "e-mail template",
        name: format!("{} {}", template.kind, template.language_tag),
        page: template.page(),
        consequences: vec![
            "These e-mails say what the connector's configuration says, or the built-in text.".to_owned(),
        ],
        operation: path_of(&template.id),
        then: PAGE.to_owned(),
    }
}

pub(super) async fn ask_to_delete(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    deletion(&EmailTemplate::read(&caller, &id).await?).ask(&caller)
}

pub(super) async fn delete(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    deletion(&EmailTemplate::read(&caller, &id).await?).carry_out(&caller, &form).await
}
