//! Deleting an application: a page that asks for its name, and the form that deletes it.

use super::model::{ApplicationFacts, path_of, read};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::applications::ApplicationDetails;

#[derive(Template)]
#[template(path = "applications/delete.html")]
struct DeletePage {
    frame: Frame,
    app: ApplicationDetails,
    problem: String,
}

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let frame = Frame::new(&caller, Section::Applications);
    show(&caller, &DeletePage { frame, app, problem: String::new() })
}

pub(super) async fn delete(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let problem = if form.text("name") == app.application.name.trim() {
        match caller.delete(&path_of(&id)).await {
            Ok(()) => return Ok(done("/console/applications", "deleted")),
            Err(failure) => failure.about_input()?.text(),
        }
    } else {
        form.refuse("name", "That is not its name. Nothing was deleted.")
    };
    let frame = Frame::new(&caller, Section::Applications);
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &DeletePage { frame, app, problem })
}
