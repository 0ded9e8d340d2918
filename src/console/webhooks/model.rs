//! Webhooks, events and deliveries as the API describes them.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use claimsmith_api::hooks::{HookEvent, HookView};
use claimsmith_domain::documents::uri_rule::UriRule;
use claimsmith_domain::event_pattern::EventPattern;
use serde_json::{Map, Value, json};

/// What screens say of a webhook.
pub(super) trait HookFacts {
    /// The path of its page.
    fn page(&self) -> String;
    /// The URL of its deliveries.
    fn url(&self) -> &str;
    /// The events that it subscribes to.
    fn subscriptions(&self) -> String;
    /// The most important state: label, and CSS class of its badge.
    fn health(&self) -> (&'static str, &'static str);
}

impl HookFacts for HookView {
    fn page(&self) -> String {
        page_of(&self.id)
    }

    fn url(&self) -> &str {
        self.config["url"].as_str().unwrap_or_default()
    }

    fn subscriptions(&self) -> String {
        self.events.iter().map(EventPattern::to_string).collect::<Vec<_>>().join(", ")
    }

    fn health(&self) -> (&'static str, &'static str) {
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

/// Reads a webhook.
pub(super) async fn read(caller: &Caller, id: &str) -> Result<HookView, Failure> {
    caller.get(&format!("{}?includeExecutionStats=true", path_of(id))).await
}

/// The events of a family, whose name subscribes to all of them.
pub(super) struct EventGroup {
    pub(super) family: String,
    pub(super) events: Vec<HookEvent>,
}

/// All events by family.
pub(super) async fn groups(caller: &Caller) -> Result<Vec<EventGroup>, Failure> {
    let events: Vec<HookEvent> = caller.get("/api/hooks/events").await?;
    let mut groups: Vec<EventGroup> = Vec::new();
    for event in events {
        let family = event.event.family().map_or(String::new(), |family| format!("{family}.*"));
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
/// The API accepts a stored URL unchanged, whatever it is; the form does not.
pub(super) fn body_of(form: &Form) -> Result<Value, String> {
    let url = form.text("url");
    if UriRule::Delivery.fault(url).is_some() {
        let problem = "The URL has to begin with https:// or http://, and to name a server.";
        return Err(form.refuse("url", problem));
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
