//! Webhooks, events and deliveries as the API describes them.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

/// A webhook.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Hook {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) events: Vec<String>,
    pub(super) config: Config,
    pub(super) enabled: bool,
    pub(super) paused: bool,
    pub(super) disabled_reason: Option<String>,
    pub(super) failing_since: Option<i64>,
    pub(super) ordered: bool,
    pub(super) rate_limit: Option<i64>,
    pub(super) max_concurrency: i64,
    pub(super) signing_key: String,
    pub(super) signing_secret: String,
    pub(super) public_key: Option<String>,
    pub(super) execution_stats: Option<Stats>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Config {
    pub(super) url: String,
    pub(super) headers: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stats {
    pub(super) request_count: i64,
    pub(super) success_count: i64,
}

impl Hook {
    /// Reads a webhook.
    pub(super) async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        caller.get(&format!("{}?includeExecutionStats=true", path_of(id))).await
    }

    /// The path of its page.
    pub(super) fn page(&self) -> String {
        page_of(&self.id)
    }

    /// The most important state: label, and CSS class of its badge.
    pub(super) fn health(&self) -> (&'static str, &'static str) {
        if !self.enabled {
            ("disabled", "bad")
        } else if self.paused {
            ("paused", "warn")
        } else if self.failing_since.is_some() {
            ("failing", "bad")
        } else {
            ("active", "good")
        }
    }
}

/// An event type that webhooks can subscribe to.
#[derive(Deserialize)]
pub(super) struct Event {
    #[serde(rename = "event")]
    pub(super) name: String,
    pub(super) family: Option<String>,
    pub(super) example: Value,
}

/// The events of a family, whose name subscribes to all of them.
pub(super) struct EventGroup {
    pub(super) family: String,
    pub(super) events: Vec<Event>,
}

/// All events by family.
pub(super) async fn groups(caller: &Caller) -> Result<Vec<EventGroup>, Failure> {
    let events: Vec<Event> = caller.get("/api/hooks/events").await?;
    let mut groups: Vec<EventGroup> = Vec::new();
    for event in events {
        let family = event.family.clone().unwrap_or_default();
        match groups.iter_mut().find(|group| group.family == family) {
            Some(group) => group.events.push(event),
            None => groups.push(EventGroup { family, events: vec![event] }),
        }
    }
    Ok(groups)
}

/// The API path of a webhook.
pub(super) fn path_of(id: &str) -> String {
    format!("/api/hooks/{}", segment(id))
}

/// The path of a webhook's page.
pub(super) fn page_of(id: &str) -> String {
    format!("/console/webhooks/hooks/{}", segment(id))
}

/// The request body from a form. Headers are lines of `name: value`.
///
/// The API accepts any text as URL and checks it only on delivery, so the form validates it here.
pub(super) fn body_of(form: &Form) -> Result<Value, String> {
    let url = form.text("url");
    if !Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
        return Err(format!("The URL has to begin with https:// or http://, and to name a server: {url}"));
    }
    let headers = form.lines("headers").into_iter().map(|line| {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        (name.trim().to_owned(), Value::from(value.trim()))
    });
    let rate_limit = crate::json::number(form, "rateLimit");
    let concurrency = crate::json::number(form, "maxConcurrency");
    let mut body = json!({
        "name": form.text("name"),
        "events": form.all("events").collect::<Vec<_>>(),
        "config": { "url": url, "headers": headers.collect::<Map<_, _>>() },
        "ordered": form.is_ticked("ordered"),
        "rateLimit": rate_limit,
    });
    if !concurrency.is_null() {
        body = crate::json::set(&body, [("maxConcurrency", concurrency)]);
    }
    Ok(body)
}
