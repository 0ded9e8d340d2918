//! `/console/resources/create`.

use crate::answer::{done, show_as};
use crate::caller::{Caller, without_nulls};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::resources::ResourceView;
use serde_json::{Value, json};

#[derive(Template)]
#[template(path = "resources/create.html")]
struct CreatePage {
    frame: Frame,
    fields: Form,
    alert: String,
}

pub(super) async fn show_form(caller: Caller) -> Result<Response, Failure> {
    let fields = Form::of(vec![("accessTokenTtl".to_owned(), "3600".to_owned())]);
    let frame = Frame::new(&caller, Section::Resources);
    show_as(&caller, StatusCode::OK, &CreatePage { frame, fields, alert: String::new() })
}

pub(super) async fn create_resource(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = without_nulls(json!({
        "name": form.text("name"),
        "indicator": form.text("indicator"),
        "accessTokenTtl": seconds(&form),
    }));
    match caller.write::<ResourceView>(Method::POST, "/api/resources", body).await {
        Ok(resource) => Ok(done(&format!("/console/resources/{}", resource.id), "created")),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            let frame = Frame::new(&caller, Section::Resources);
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &CreatePage { frame, fields: form, alert })
        }
    }
}

/// The access token lifetime in seconds. Text that is not a number is sent unchanged, so that the API reports it.
pub(super) fn seconds(form: &Form) -> Value {
    form.filled("accessTokenTtl")
        .map_or(Value::Null, |text| text.parse::<i64>().map_or_else(|_| text.into(), Into::into))
}
