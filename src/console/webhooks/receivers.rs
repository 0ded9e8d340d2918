//! Test receivers for webhooks: a URL of this server, and the requests that arrive there.

use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::hook_receivers::{HookReceiverView, ReceivedView};
use serde_json::json;

const PATH: &str = "/api/hook-receivers";

#[derive(Template)]
#[template(path = "webhooks/receivers.html")]
struct ListPage {
    frame: Frame,
    receivers: Vec<HookReceiverView>,
    problem: String,
}

#[derive(Template)]
#[template(path = "webhooks/receiver.html")]
struct ReceiverPage {
    frame: Frame,
    receiver: HookReceiverView,
    requests: Vec<ReceivedView>,
    /// The status in the form.
    status: String,
    problem: String,
}

fn page_of(id: &str) -> String {
    format!("/console/webhooks/receivers/{}", segment(id))
}

pub(super) async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let receivers = caller.get(PATH).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &ListPage { frame, receivers, problem: String::new() })
}

pub(super) async fn create(Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    match caller.write::<HookReceiverView>(Method::POST, PATH, json!({})).await {
        Ok(receiver) => Ok(done(&page_of(&receiver.id), "created")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let receivers = caller.get(PATH).await?;
            let frame = Frame::new(&caller, Section::Webhooks);
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &ListPage { frame, receivers, problem })
        }
    }
}

pub(super) async fn show_requests(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &page(&caller, &id, None, String::new()).await?)
}

async fn page(caller: &Caller, id: &str, status: Option<&str>, problem: String) -> Result<ReceiverPage, Failure> {
    let receivers: Vec<HookReceiverView> = caller.get(PATH).await?;
    let Some(receiver) = receivers.into_iter().find(|receiver| *receiver.id == *id) else {
        return Err(Failure::missing(caller));
    };
    let requests = caller.get(&format!("{PATH}/{}/requests", segment(id))).await?;
    let frame = Frame::new(caller, Section::Webhooks);
    let status = status.map_or_else(|| receiver.status.to_string(), str::to_owned);
    Ok(ReceiverPage { frame, receiver, requests, status, problem })
}

/// Sets the status of its responses.
pub(super) async fn change(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "status": json::number(&form, "status") });
    match caller.change(Method::PATCH, &format!("{PATH}/{}", segment(&id)), body).await {
        Ok(()) => Ok(done(&page_of(&id), "saved")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let shown = page(&caller, &id, Some(form.text("status")), problem).await?;
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &shown)
        }
    }
}

pub(super) async fn delete(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    caller.delete(&format!("{PATH}/{}", segment(&id))).await?;
    Ok(done("/console/webhooks/receivers", "deleted"))
}
