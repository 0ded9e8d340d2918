//! Creates an email template; never overwrites an existing one.

use super::PAGE;
use super::model::{EmailTemplate, PATH, PLACEHOLDERS, detail_fields, key_fields};
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::fields::{Field, body_of, form_of};
use crate::form::Form;
use crate::frame::Frame;
use crate::json::filled;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template as Page;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};

#[derive(Page)]
#[template(path = "connectors/email_templates/new.html")]
struct NewPage {
    frame: Frame,
    fields: Vec<Field>,
    form: Form,
    problem: String,
}

fn page(caller: &Caller, form: Form, problem: String) -> NewPage {
    let frame = Frame::new(caller, Section::Connectors);
    NewPage { frame, fields: key_fields().into_iter().chain(detail_fields()).collect(), form, problem }
}

pub(super) async fn ask(caller: Caller) -> Result<Response, Failure> {
    let example = json!({ "subject": "Your code: {{code}}", "content": "<p>Your code is <b>{{code}}</b>.</p>" });
    show(&caller, &page(&caller, form_of(&detail_fields(), &example), String::new()))
}

pub(super) async fn submit(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let problem = match create(&caller, &form).await {
        Ok(Ok(template)) => return Ok(done(&template.page(), "created")),
        Ok(Err(problem)) => problem,
        Err(failure) => failure.about_input()?.text(),
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page(&caller, form, problem))
}

/// Creates the template unless one exists for this type and language.
async fn create(caller: &Caller, form: &Form) -> Result<Result<EmailTemplate, String>, Failure> {
    let (kind, language) = (form.text("templateType"), form.text("languageTag"));
    let same = format!("{PATH}?templateType={}&languageTag={}", segment(kind), segment(language));
    let there: Vec<EmailTemplate> = caller.get(&same).await?;
    if let Some(template) = there.first() {
        let problem = format!("There is a template for “{}” in {language} already: change that one.", template.title());
        return Ok(Err(form.refuse("languageTag", problem)));
    }
    let details = match body_of(&detail_fields(), form, &Value::Null) {
        Ok(details) => filled(details),
        Err(problem) => return Ok(Err(problem)),
    };
    let template = json!({ "languageTag": language, "templateType": kind, "details": details });
    let written: Vec<EmailTemplate> = caller.write(Method::PUT, PATH, json!({ "templates": [template] })).await?;
    Ok(written.into_iter().next().ok_or_else(|| "Nothing was written.".to_owned()))
}
