//! Creates a webhook: its URL and events.

use super::model::{EventGroup, HookFacts, body_of, groups};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::hooks::HookView;

#[derive(Template)]
#[template(path = "webhooks/new.html")]
struct NewPage {
    frame: Frame,
    groups: Vec<EventGroup>,
    form: Form,
    problem: String,
}

impl NewPage {
    fn is_chosen(&self, event: &str) -> bool {
        self.form.all("events").any(|chosen| chosen == event)
    }
}

pub(super) async fn ask(caller: Caller) -> Result<Response, Failure> {
    let groups = groups(&caller).await?;
    let url = caller.query("url").unwrap_or_default().to_owned();
    let form = Form::of(vec![("url".to_owned(), url)]);
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &NewPage { frame, groups, form, problem: String::new() })
}

pub(super) async fn submit(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let problem = match body_of(&form) {
        Err(problem) => problem,
        Ok(body) => match caller.write::<HookView>(Method::POST, "/api/hooks", body).await {
            Ok(hook) => return Ok(done(&hook.page(), "created")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    let groups = groups(&caller).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &NewPage { frame, groups, form, problem })
}
