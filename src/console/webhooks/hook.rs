//! The page of a webhook.

use super::model::{self, EventGroup, HookFacts, body_of, groups, page_of, path_of};
use super::transforms::{self, TransformFacts};
use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json::{FormBuilder, short};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::hooks::HookView;
use claimsmith_api::plugins::PluginStatus;
use serde_json::{Value, json};

#[derive(Template)]
#[template(path = "webhooks/hook.html")]
struct HookPage {
    frame: Frame,
    hook: HookView,
    groups: Vec<EventGroup>,
    transforms: Vec<PluginStatus>,
    form: Form,
    problem: String,
}

impl HookPage {
    async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        let hook = model::read(caller, id).await?;
        let groups = groups(caller).await?;
        let transforms = transforms::read(caller).await?;
        let form = form_of(&hook);
        let frame = Frame::new(caller, Section::Webhooks);
        Ok(Self { frame, hook, groups, transforms, form, problem: String::new() })
    }

    fn is_chosen(&self, event: &str) -> bool {
        self.form.all("events").any(|chosen| chosen == event)
    }

    fn examples() -> [(&'static str, &'static str, &'static str); 3] {
        [
            ("Node.js", "npm install standardwebhooks", include_str!("../templates/webhooks/verify_node.txt")),
            ("Python", "pip install standardwebhooks", include_str!("../templates/webhooks/verify_python.txt")),
            (
                "Go",
                "go get github.com/standard-webhooks/standard-webhooks/libraries/go",
                include_str!("../templates/webhooks/verify_go.txt"),
            ),
        ]
    }
}

#[derive(Template)]
#[template(path = "webhooks/delete.html")]
struct DeletePage {
    frame: Frame,
    hook: HookView,
    problem: String,
}

fn form_of(hook: &HookView) -> Form {
    let headers = hook.config["headers"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| format!("{name}: {}", short(value)));
    let headers = headers.collect::<Vec<_>>().join("\n");
    let filled = FormBuilder::default()
        .value("name", &hook.name.as_str().into())
        .value("url", &hook.url().into())
        .value("headers", &headers.into())
        .value("rateLimit", &hook.rate_limit.map_or(Value::Null, Value::from))
        .value("maxConcurrency", &hook.max_concurrency.into())
        .tick("ordered", hook.ordered);
    let filled = hook.events.iter().fold(filled, |filled, event| filled.value("events", &event.to_string().into()));
    filled.form()
}

pub(super) async fn show_hook(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &HookPage::read(&caller, &id).await?)
}

pub(super) async fn save(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let problem = match body_of(&form) {
        Err(problem) => problem,
        Ok(body) => match caller.change(Method::PATCH, &path_of(&id), body).await {
            Ok(()) => return Ok(done(&page_of(&id), "saved")),
            Err(failure) => failure.about_input()?.text(),
        },
    };
    let page = HookPage { form, problem, ..HookPage::read(&caller, &id).await? };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// Pauses, resumes, disables or enables a webhook.
pub(super) async fn pause(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = match form.text("do") {
        "pause" => json!({ "paused": true }),
        "resume" => json!({ "paused": false }),
        "disable" => json!({ "enabled": false }),
        _ => json!({ "enabled": true }),
    };
    caller.change(Method::PATCH, &path_of(&id), body).await?;
    Ok(done(&page_of(&id), "saved"))
}

/// Sends an example event, signed like a real delivery.
pub(super) async fn test(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let hook = model::read(&caller, &id).await?;
    let config = json!({ "url": hook.url(), "headers": hook.config["headers"] });
    let body = json!({ "events": [form.text("event")], "config": config });
    match caller.change(Method::POST, &format!("{}/test", path_of(&id)), body).await {
        Ok(()) => Ok(done(&page_of(&id), "sent")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let page = HookPage { problem, ..HookPage::read(&caller, &id).await? };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

pub(super) async fn rotate(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    caller.change(Method::PATCH, &format!("{}/signing-key", path_of(&id)), json!({})).await?;
    Ok(done(&page_of(&id), "rotated"))
}

pub(super) async fn ask_to_delete(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let hook = model::read(&caller, &id).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &DeletePage { frame, hook, problem: String::new() })
}

pub(super) async fn delete(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let hook = model::read(&caller, &id).await?;
    if form.text("name") == hook.name.trim() {
        caller.delete(&path_of(&id)).await?;
        return Ok(done("/console/webhooks", "deleted"));
    }
    let problem = form.refuse("name", "That is not its name. Nothing was deleted.");
    let frame = Frame::new(&caller, Section::Webhooks);
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &DeletePage { frame, hook, problem })
}
