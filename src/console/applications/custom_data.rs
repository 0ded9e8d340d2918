//! The custom data of an application: an object of the operator's own.

use super::model::{Application, path_of};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Posted;
use crate::frame::{Frame, done, show, show_as};
use crate::json;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;

#[derive(Template)]
#[template(path = "applications/data.html")]
struct DataPage {
    frame: Frame,
    app: Application,
    text: String,
    problem: String,
}

pub(super) async fn show_data(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = Application::read(&caller, &id).await?;
    let text = json::pretty(&app.custom_data);
    let frame = Frame::new(&caller, Section::Applications);
    show(&caller, &DataPage { frame, app, text, problem: String::new() })
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let app = Application::read(&caller, &id).await?;
    let problem = match json::object(&form, "customData") {
        Err(problem) => problem,
        Ok(data) => match caller.change(Method::PATCH, &path_of(&id), json!({ "customData": data })).await {
            Ok(()) => return Ok(done(&format!("{}/data", app.page()), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    let frame = Frame::new(&caller, Section::Applications);
    let text = form.raw("customData").to_owned();
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &DataPage { frame, app, text, problem })
}
