//! The texts of a language: the built-in ones, and those that stand in their place.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::{Form, Posted};
use crate::frame::{Frame, done, show, show_as};
use crate::json::{parse_object as parse, pretty};
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::Value;

#[derive(Template)]
#[template(path = "sign_in_experience/phrases.html")]
struct PhrasesPage {
    frame: Frame,
    language: String,
    form: Form,
    problem: String,
}

fn path_of(language: &str) -> String {
    format!("/api/custom-phrases/{}", segment(language))
}

pub(super) async fn show_language(caller: Caller, Path(language): Path<String>) -> Result<Response, Failure> {
    let custom: Option<Value> = caller.get_if_allowed(&path_of(&language)).await?;
    let custom = custom.and_then(|entry| entry.get("translation").cloned());
    let text = custom.map(|texts| pretty(&texts)).unwrap_or_default();
    let form = Form::of(vec![("translation".to_owned(), text)]);
    let frame = Frame::new(&caller, Section::SignInExperience);
    show(&caller, &PhrasesPage { frame, language, form, problem: String::new() })
}

pub(super) async fn save(Path(language): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let problem = match parse(form.raw("translation")) {
        Err(problem) => problem,
        Ok(texts) => match caller.change(Method::PUT, &path_of(&language), texts).await {
            Ok(()) => return Ok(done("/console/sign-in-experience/languages", "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    let frame = Frame::new(&caller, Section::SignInExperience);
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &PhrasesPage { frame, language, form, problem })
}
