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
use serde::Deserialize;
use serde_json::json;

const PATH: &str = "/api/hook-receivers";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HookReceiver {
    id: String,
    url: String,
    status: u16,
    created_at: i64,
    expires_at: i64,
}

impl HookReceiver {
    fn page(&self) -> String {
        page_of(&self.id)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Arrived {
    received_at: i64,
    headers: Vec<(String, String)>,
    body: String,
    status: u16,
    hook_id: Option<String>,
    is_signature_valid: Option<bool>,
}

impl Arrived {
    fn pretty(&self) -> String {
        json::pretty_text(&self.body)
    }

    fn is_valid(&self) -> bool {
        self.is_signature_valid == Some(true)
    }

    fn is_invalid(&self) -> bool {
        self.is_signature_valid == Some(false)
    }
}

#[derive(Template)]
#[template(path = "webhooks/receivers.html")]
struct ListPage {
    frame: Frame,
    receivers: Vec<HookReceiver>,
    problem: String,
}

#[derive(Template)]
#[template(path = "webhooks/receiver.html")]
struct ReceiverPage {
    frame: Frame,
    receiver: HookReceiver,
    requests: Vec<Arrived>,
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
    match caller.write::<HookReceiver>(Method::POST, PATH, json!({})).await {
        Ok(receiver) => Ok(done(&receiver.page(), "created")),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let receivers = caller.get(PATH).await?;
            let frame = Frame::new(&caller, Section::Webhooks);
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &ListPage { frame, receivers, problem })
        }
    }
}

pub(super) async fn show_requests(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let receivers: Vec<HookReceiver> = caller.get(PATH).await?;
    let Some(receiver) = receivers.into_iter().find(|receiver| receiver.id == id) else {
        return Err(Failure::missing(&caller));
    };
    let requests = caller.get(&format!("{PATH}/{}/requests", segment(&id))).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &ReceiverPage { frame, receiver, requests })
}

/// Sets the status of its responses.
pub(super) async fn change(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json!({ "status": json::number(&form, "status") });
    caller.change(Method::PATCH, &format!("{PATH}/{}", segment(&id)), body).await?;
    Ok(done(&page_of(&id), "saved"))
}

pub(super) async fn delete(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    caller.delete(&format!("{PATH}/{}", segment(&id))).await?;
    Ok(done("/console/webhooks/receivers", "deleted"))
}
