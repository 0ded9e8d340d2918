//! The custom data of an application: a free-form JSON object.

use super::model::{ApplicationFacts, TypeFacts, path_of, read};
use crate::answer::{show, show_as};
use crate::caller::Caller;
use crate::custom_data;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::applications::ApplicationDetails;

#[derive(Template)]
#[template(path = "applications/data.html")]
struct DataPage {
    frame: Frame,
    app: ApplicationDetails,
    text: String,
    problem: String,
}

pub(super) async fn show_data(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let text = json::pretty(&app.application.custom_data);
    let frame = Frame::new(&caller, Section::Applications);
    show(&caller, &DataPage { frame, app, text, problem: String::new() })
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let next = format!("{}/data", app.application.page());
    let problem = match custom_data::save(&caller, &form, &path_of(&id), &next).await? {
        Ok(answer) => return Ok(answer),
        Err(problem) => problem,
    };
    let frame = Frame::new(&caller, Section::Applications);
    let text = form.raw("customData").to_owned();
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &DataPage { frame, app, text, problem })
}
