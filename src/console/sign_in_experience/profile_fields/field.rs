//! The page of a profile field.

use super::PAGE;
use super::model::{FieldFacts, page_of, path_of};
use super::rules::{body, fields, form as form_of};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::fields::Field;
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::custom_profile_fields::CustomProfileFieldView;
use serde::Deserialize;
use serde_json::Value;

#[derive(Template)]
#[template(path = "sign_in_experience/profile_fields/field.html")]
struct FieldPage {
    frame: Frame,
    field: CustomProfileFieldView,
    fields: Vec<Field>,
    form: Form,
    problem: String,
}

/// Reads the field: its page, and its JSON from the API.
async fn read(caller: &Caller, name: &str) -> Result<(FieldPage, Value), Failure> {
    let shown: Value = caller.get(&path_of(name)).await?;
    let field = CustomProfileFieldView::deserialize(&shown).map_err(|error| Failure::broken(caller, &error))?;
    let frame = Frame::new(caller, Section::SignInExperience);
    let (fields, form) = (fields(field.kind.as_str(), &shown), form_of(field.kind.as_str(), &shown));
    Ok((FieldPage { frame, field, fields, form, problem: String::new() }, shown))
}

pub(super) async fn show_field(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show(&caller, &read(&caller, &name).await?.0)
}

pub(super) async fn save(Path(name): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let (page, shown) = read(&caller, &name).await?;
    let problem = match body(page.field.kind.as_str(), &form, &shown) {
        Err(problem) => problem,
        Ok(body) => match caller.change(Method::PUT, &path_of(&name), body).await {
            Ok(()) => return Ok(done(&page_of(&name), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &FieldPage { form, problem, ..page })
}

async fn deletion(caller: &Caller, name: &str) -> Result<Deletion, Failure> {
    let field: CustomProfileFieldView = caller.get(&path_of(name)).await?;
    Ok(Deletion {
        section: Section::SignInExperience,
        kind: "profile field",
        page: field.page(),
        name: field.name,
        consequences: vec!["Nobody is asked for it any more. What people have entered stays.".to_owned()],
        operation: path_of(name),
        then: PAGE.to_owned(),
    })
}

pub(super) async fn ask_to_delete(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    deletion(&caller, &name).await?.ask(&caller)
}

pub(super) async fn delete(Path(name): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    deletion(&caller, &name).await?.carry_out(&caller, &form).await
}
