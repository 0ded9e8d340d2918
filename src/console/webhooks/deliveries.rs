//! The deliveries of a webhook with their attempts, and sending them again.

use super::model::{Hook, page_of, path_of};
use crate::answer::{done, show};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::Method;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Delivery {
    id: String,
    event: String,
    state: String,
    attempts: i64,
    created_at: i64,
    next_attempt_at: Option<i64>,
    note: Option<String>,
    body: String,
    headers: Vec<(String, String)>,
    log: Vec<Attempt>,
    transforms: Vec<Transformed>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Attempt {
    number: i64,
    started_at: String,
    duration_ms: i64,
    status: Option<i64>,
    error: Option<String>,
    response_body: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Transformed {
    plugin: String,
    outcome: String,
}

impl Delivery {
    fn class(&self) -> &'static str {
        match self.state.as_str() {
            "delivered" => "good",
            "dead" => "bad",
            "pending" => "warn",
            _ => "",
        }
    }

    fn pretty(&self) -> String {
        crate::json::pretty_text(&self.body)
    }
}

#[derive(Template)]
#[template(path = "webhooks/deliveries.html")]
struct ListPage {
    frame: Frame,
    hook: Hook,
    list: List<Delivery>,
    state: String,
    event: String,
}

impl ListPage {
    fn states() -> &'static [(&'static str, &'static str)] {
        &[
            ("", "All states"),
            ("pending", "pending"),
            ("delivered", "delivered"),
            ("dead", "dead"),
            ("dropped", "dropped"),
        ]
    }

    fn page_of(&self, delivery: &Delivery) -> String {
        format!("{}/deliveries/{}", self.hook.page(), segment(&delivery.id))
    }
}

#[derive(Template)]
#[template(path = "webhooks/delivery.html")]
struct DeliveryPage {
    frame: Frame,
    hook: Hook,
    delivery: Delivery,
}

pub(super) async fn show_list(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let hook = Hook::read(&caller, &id).await?;
    let [state, event] = ["state", "q"].map(|name| caller.query(name).unwrap_or_default().to_owned());
    let filters = [("state", &state), ("event", &event)];
    let filters = filters.into_iter().filter(|(_, value)| !value.is_empty());
    let filters = filters.map(|(name, value)| format!("{name}={}", segment(value))).collect::<Vec<_>>().join("&");
    let path = format!("{}/deliveries?{filters}", path_of(&id));
    let list = caller.list(path.trim_end_matches('?'), caller.paging()).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &ListPage { frame, hook, list, state, event })
}

pub(super) async fn show_delivery(
    caller: Caller,
    Path((id, delivery_id)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let hook = Hook::read(&caller, &id).await?;
    let delivery = caller.get(&format!("{}/deliveries/{}", path_of(&id), segment(&delivery_id))).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &DeliveryPage { frame, hook, delivery })
}

pub(super) async fn replay(
    Path((id, delivery_id)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let delivery_id = segment(&delivery_id);
    let path = format!("{}/deliveries/{delivery_id}/replay", path_of(&id));
    caller.change(Method::POST, &path, json!({})).await?;
    Ok(done(&format!("{}/deliveries/{delivery_id}", page_of(&id)), "replayed"))
}

pub(super) async fn replay_failed(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    let path = format!("{}/deliveries/replay", path_of(&id));
    caller.change(Method::POST, &path, json!({ "states": ["dead"] })).await?;
    Ok(done(&format!("{}/deliveries", page_of(&id)), "replayed"))
}
