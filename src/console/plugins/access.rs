//! `/console/plugins/{name}/access`: the names of a plugin's secrets, and the HTTP hosts that it may reach.

use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::plugins::model::Plugin;
use crate::plugins::{api, page, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::plugins::PluginSecretView;
use claimsmith_domain::documents::plugin::CacheStatistics;
use serde_json::{Map, Value, json};

#[derive(Template)]
#[template(path = "plugins/access.html")]
struct AccessPage {
    frame: Frame,
    plugin: Plugin,
    secrets: Vec<PluginSecretView>,
    /// The submitted form, after an error.
    sent: Form,
    alert: String,
}

impl AccessPage {
    fn asked(&self) -> Option<&Value> {
        self.plugin.view.deployment.as_ref()?.http.declared.as_ref()
    }

    fn granted(&self) -> Option<&Value> {
        self.plugin.view.deployment.as_ref()?.http.granted.as_ref()
    }

    fn asked_cache(&self) -> Option<&Value> {
        self.plugin.view.deployment.as_ref()?.cache.declared.as_ref().filter(|cache| cache.is_object())
    }

    fn granted_cache(&self) -> Option<&Value> {
        self.plugin.view.deployment.as_ref()?.cache.granted.as_ref()
    }

    /// What calls did with the cache, on this node.
    fn cache_use(&self) -> String {
        let CacheStatistics { hits, misses, writes, evicted, refused } = self.plugin.statistics.cache;
        format!("{hits} hits, {misses} misses, {writes} writes, {evicted} evicted, {refused} refused")
    }

    /// The value of a field of the cache grant.
    fn shown_cache(&self, name: &str) -> String {
        if let Some(sent) = self.sent.filled(name) {
            return sent.to_owned();
        }
        let member = name.trim_start_matches("cache-");
        let found = self.granted_cache().or(self.asked_cache()).and_then(|cache| cache.get(member));
        found.map(text_of).unwrap_or_default()
    }

    /// Whether the box for http is ticked: as submitted, else as granted, else as declared.
    fn is_plain(&self) -> bool {
        self.is_ticked("plain", "hosts", self.granted().or(self.asked()))
    }

    /// The same of entries of everybody.
    fn is_for_everybody(&self) -> bool {
        self.is_ticked("everybody", "cache-entries", self.granted_cache().or(self.asked_cache()))
    }

    /// A box that is not ticked is not sent, so another field of its form says whether the form was.
    fn is_ticked(&self, name: &str, beside: &str, capability: Option<&Value>) -> bool {
        let was_sent = self.sent.fields().iter().any(|(known, _)| known == beside);
        if was_sent { self.sent.is_ticked(name) } else { says(capability, name) }
    }

    /// The value of a grant field: submitted, else granted, else declared by the plugin.
    fn shown(&self, name: &str) -> String {
        if let Some(sent) = self.sent.filled(name) {
            return sent.to_owned();
        }
        let found = self.granted().or(self.asked()).and_then(|reach| reach.get(name));
        found.map(text_of).unwrap_or_default()
    }

    fn secret_path(&self) -> String {
        format!("{}/secrets/API_KEY", api(&self.plugin.name))
    }

    fn grant_path(&self) -> String {
        format!("{}/grants/http", api(&self.plugin.name))
    }

    /// The declared hosts that are not granted.
    fn missing(&self) -> Vec<String> {
        let hosts = |reach: Option<&Value>| match reach.and_then(|reach| reach.get("hosts")).and_then(Value::as_array) {
            Some(hosts) => hosts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            None => Vec::new(),
        };
        let granted = hosts(self.granted());
        hosts(self.asked()).into_iter().filter(|host| !granted.contains(host)).collect()
    }
}

/// Whether a member is true.
fn says(capability: Option<&Value>, member: &str) -> bool {
    capability.and_then(|capability| capability.get(member)) == Some(&Value::Bool(true))
}

/// A list as lines; other values as JSON.
fn text_of(value: &Value) -> String {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// A one-line summary of an HTTP grant.
fn in_words(reach: &Value) -> String {
    let list = |name: &str| reach.get(name).map(text_of).unwrap_or_default().replace('\n', ", ");
    let methods = list("methods");
    let methods = if methods.is_empty() { "GET".to_owned() } else { methods };
    let plain = if says(Some(reach), "plain") { ", also over http" } else { "" };
    format!("{methods} to {}{plain}", list("hosts"))
}

/// A one-line summary of a cache grant.
fn cache_in_words(cache: &Value) -> String {
    let number = |name: &str| cache.get(name).map(text_of).unwrap_or_default();
    let everybody = if says(Some(cache), "everybody") { ", also shared entries" } else { "" };
    format!("{} entries, {} KiB{everybody}", number("entries"), number("kib"))
}

async fn show_page(caller: &Caller, name: &str, sent: Form, alert: String) -> Result<Response, Failure> {
    let plugin = read(caller, name).await?;
    let secrets = caller.get_if_allowed(&format!("{}/secrets", api(name))).await?.unwrap_or_default();
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Plugins);
    show_as(caller, status, &AccessPage { frame, plugin, secrets, sent, alert })
}

pub(super) async fn show_access(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    show_page(&caller, &name, Form::default(), String::new()).await
}

pub(super) async fn save_access(Path(name): Path<String>, posted: Posted) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let secret = |name: &str, secret: &str| format!("{}/secrets/{}", api(name), segment(secret));
    let (grant, cache) = (format!("{}/grants/http", api(&name)), format!("{}/grants/cache", api(&name)));
    let seen = form.filled("etag");
    if form.text("act") == "set-secret" && form.filled("secret").is_none() {
        let alert = form.refuse("secret", "A secret needs a name.");
        return show_page(&caller, &name, form, alert).await;
    }
    let (word, changed) = match form.text("act") {
        "set-secret" => {
            let body = json!({ "value": form.raw("value") });
            ("saved", caller.write_if(Method::PUT, &secret(&name, form.text("secret")), body, seen).await.map(drop))
        }
        "delete-secret" => ("deleted", caller.delete_if(&secret(&name, form.text("secret")), seen).await),
        "withdraw" => ("removed", caller.delete_if(&grant, seen).await),
        "withdraw-cache" => ("removed", caller.delete_if(&cache, seen).await),
        "grant-cache" => match asked_cache_grant(&form) {
            Ok(body) => ("saved", caller.write_if(Method::PUT, &cache, body, seen).await.map(drop)),
            Err(alert) => return show_page(&caller, &name, form, alert).await,
        },
        _ => match asked_grant(&form) {
            Ok(body) => ("saved", caller.write_if(Method::PUT, &grant, body, seen).await.map(drop)),
            Err(alert) => return show_page(&caller, &name, form, alert).await,
        },
    };
    match changed {
        Ok(()) => Ok(done(&page(&name, "access"), word)),
        Err(failure) => {
            let alert = failure.into_part()?.text();
            // Does not echo the value of a secret; it must be typed again.
            let kept = form.fields().iter().filter(|(name, _)| name != "value").cloned().collect();
            show_page(&caller, &name, Form::of(kept), alert).await
        }
    }
}

/// The HTTP grant from the form.
fn asked_grant(form: &Form) -> Result<Value, String> {
    let mut grant = Map::new();
    for name in ["hosts", "methods"] {
        let lines = form.lines(name);
        if !lines.is_empty() {
            grant.insert(name.to_owned(), json!(lines));
        }
    }
    for name in ["calls", "kib", "ms"] {
        if let Some(number) = number_in(form, name)? {
            grant.insert(name.to_owned(), json!(number));
        }
    }
    if form.is_ticked("plain") {
        grant.insert("plain".to_owned(), json!(true));
    }
    Ok(Value::Object(grant))
}

/// The cache grant from the form.
fn asked_cache_grant(form: &Form) -> Result<Value, String> {
    let mut grant = Map::from_iter([("everybody".to_owned(), json!(form.is_ticked("everybody")))]);
    for (name, member) in [("cache-entries", "entries"), ("cache-kib", "kib")] {
        if let Some(number) = number_in(form, name)? {
            grant.insert(member.to_owned(), json!(number));
        }
    }
    Ok(Value::Object(grant))
}

fn number_in(form: &Form, name: &str) -> Result<Option<u32>, String> {
    let Some(text) = form.filled(name) else { return Ok(None) };
    let wrong = |_| form.refuse(name, format!("“{text}” is not a whole number."));
    text.parse().map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_is_told_in_words() {
        assert_eq!(in_words(&json!({ "hosts": ["a.com", "b.com"] })), "GET to a.com, b.com");
        assert_eq!(in_words(&json!({ "hosts": ["a.com"], "methods": ["GET", "POST"] })), "GET, POST to a.com");
    }
}
