//! Creates a profile field of a given type.

use super::PAGE;
use super::model::{PATH, Type};
use super::rules::{body, fields, form as form_of};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::fields::{Field, FieldKind};
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};

#[derive(Template)]
#[template(path = "sign_in_experience/profile_fields/new.html")]
struct NewPage {
    frame: Frame,
    kind: &'static Type,
    fields: Vec<Field>,
    form: Form,
    problem: String,
}

fn page(caller: &Caller, name: &str, form: Form, problem: String) -> Result<NewPage, Failure> {
    let kind = Type::find(name).ok_or_else(|| Failure::missing(caller))?;
    let hint = "Letters and digits; it cannot be changed. A standard claim such as birthdate is kept in the profile.";
    let key = Field::new("name", "Name", FieldKind::Text).hint(hint).required();
    let fields = [key].into_iter().chain(fields(name, &Value::Null)).collect();
    Ok(NewPage { frame: Frame::new(caller, Section::SignInExperience), kind, fields, form, problem })
}

pub(super) async fn ask(caller: Caller, Path(kind): Path<String>) -> Result<Response, Failure> {
    // The parts that are selected by default.
    let part = |name: &&str| json!({ "name": name, "enabled": true, "required": true });
    let names = match kind.as_str() {
        "Address" => &["streetAddress", "locality", "postalCode", "country"][..],
        "Fullname" => &["givenName", "familyName"],
        _ => &[],
    };
    let parts: Vec<_> = names.iter().map(part).collect();
    let form = form_of(&kind, &json!({ "config": { "parts": parts } }));
    show(&caller, &page(&caller, &kind, form, String::new())?)
}

pub(super) async fn submit(Path(kind): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let mut page = page(&caller, &kind, form, String::new())?;
    page.problem = match body(&kind, &page.form, &Value::Null) {
        Err(problem) => problem,
        Ok(mut body) => {
            body["name"] = page.form.text("name").into();
            match caller.change(Method::POST, PATH, body).await {
                Ok(()) => return Ok(done(PAGE, "created")),
                Err(failure) => failure.about_input()?.text(),
            }
        }
    };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
}
