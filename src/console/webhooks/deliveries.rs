//! The deliveries of a webhook with their attempts, and sending them again.

use super::model::{self, HookFacts, page_of, path_of};
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
use claimsmith_api::hooks::{DeliveryDetails, DeliveryView, HookView, State};
use serde_json::json;

/// What screens say of the state of a delivery.
trait StateFacts {
    /// The CSS class of its badge.
    fn class(self) -> &'static str;
}

impl StateFacts for State {
    fn class(self) -> &'static str {
        match self {
            Self::Delivered => "good",
            Self::Dead => "bad",
            Self::Pending => "warn",
            Self::Dropped => "",
        }
    }
}

#[derive(Template)]
#[template(path = "webhooks/deliveries.html")]
struct ListPage {
    frame: Frame,
    hook: HookView,
    list: List<DeliveryView>,
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

    fn page_of(&self, delivery: &DeliveryView) -> String {
        format!("{}/deliveries/{}", self.hook.page(), segment(&delivery.id))
    }
}

#[derive(Template)]
#[template(path = "webhooks/delivery.html")]
struct DeliveryPage {
    frame: Frame,
    hook: HookView,
    details: DeliveryDetails,
}

pub(super) async fn show_list(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let hook = model::read(&caller, &id).await?;
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
    let hook = model::read(&caller, &id).await?;
    let details = caller.get(&format!("{}/deliveries/{}", path_of(&id), segment(&delivery_id))).await?;
    let frame = Frame::new(&caller, Section::Webhooks);
    show(&caller, &DeliveryPage { frame, hook, details })
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
