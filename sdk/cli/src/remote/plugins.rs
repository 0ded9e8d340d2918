//! `claimsmith plugin list`, `show`, `enable`, `disable`, `close-breaker` and `delete`.

use super::{Remote, WRITE, view};
use crate::terminal::{print_line, printable};
use reqwest::Method;
use serde_json::{Value, json};

pub(crate) async fn list(remote: &Remote) -> anyhow::Result<()> {
    let answer = remote.get(&[]).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let plugins = answer.json()?;
    let rows: Vec<_> = view::items(&plugins).iter().map(row).collect();
    print_line(&view::table(
        &["NAME", "SOURCE", "KIND", "STATE", "VERSION", "DIGEST", "ORDER", "CALLS", "LAST ERROR"],
        &rows,
    ));
    Ok(())
}

fn row(plugin: &Value) -> Vec<String> {
    let text = |pointer| view::text(plugin, pointer);
    // One line per plugin: `show` has the rest of an error.
    let error: String = plugin
        .get("lastError")
        .and_then(Value::as_str)
        .map_or_else(|| "-".to_owned(), |error| printable(error.lines().next().unwrap_or_default()));
    vec![
        text("/name"),
        text("/source"),
        text("/kind"),
        state(plugin),
        text("/deployment/activeVersion"),
        view::digest(plugin, "/digest"),
        text("/order"),
        text("/statistics/calls"),
        error,
    ]
}

/// The state; of a plugin that is not called since it kept failing, that.
fn state(plugin: &Value) -> String {
    match plugin.pointer("/breaker/state").and_then(Value::as_str) {
        None | Some("closed") => view::text(plugin, "/state"),
        Some(breaker) => format!("{}, breaker {breaker}", view::text(plugin, "/state")),
    }
}

pub(crate) async fn show(remote: &Remote, name: &str) -> anyhow::Result<()> {
    let answer = remote.get(&[name]).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let plugin = answer.json()?;
    let text = |pointer| view::text(&plugin, pointer);
    let mut lines = vec![
        ("name", text("/name")),
        ("source", text("/source")),
        ("kind", text("/kind")),
        ("state", text("/state")),
        ("digest", text("/digest")),
        ("signed by", text("/signedBy")),
        ("size", text("/size")),
        ("world", text("/world")),
        ("imports", text("/imports")),
        ("order", text("/order")),
        ("on error", text("/onError")),
    ];
    lines.extend(match plugin.get("kind").and_then(Value::as_str) {
        Some("webhook-transform") => vec![("events", text("/events")), ("hooks", text("/hooks"))],
        // Connectors name it.
        Some("message") => Vec::new(),
        _ => vec![
            ("token kinds", text("/tokenKinds")),
            ("grant types", text("/grantTypes")),
            ("applications", text("/applications")),
            ("resources", text("/resources")),
        ],
    });
    lines.extend([
        ("limits", text("/limits")),
        ("environment", text("/environment")),
        ("secrets", text("/secrets")),
        ("calls", text("/statistics/calls")),
        ("  denied", text("/statistics/denied")),
        ("  failed", text("/statistics/failed")),
        ("  mean ms", text("/statistics/meanMs")),
        ("  max ms", text("/statistics/maxMs")),
        ("last error", text("/lastError")),
    ]);
    if plugin.pointer("/capabilities/cache").is_some_and(Value::is_object) {
        let counts = ["hits", "misses", "writes", "evicted", "refused"];
        let counts = counts.map(|name| format!("{name} {}", view::text(&plugin, &format!("/statistics/cache/{name}"))));
        lines.push(("cache", counts.join(", ")));
    }
    if plugin.get("signatureProblem").is_some_and(Value::is_string) {
        lines.push(("signature", text("/signatureProblem")));
    }
    lines.extend(breaker(&plugin).into_iter().flatten());
    if plugin.get("refusesTokens") == Some(&Value::Bool(true)) {
        lines.push(("", "tokens that it applies to are refused until it loads".to_owned()));
    }
    if plugin.get("holdsDeliveries") == Some(&Value::Bool(true)) {
        lines.push(("", "webhook deliveries that it applies to are not sent until it loads".to_owned()));
    }
    if plugin.get("deployment").is_some_and(Value::is_object) {
        lines.extend([
            ("version", text("/deployment/activeVersion")),
            ("latest", text("/deployment/latestVersion")),
            ("applied by", text("/deployment/appliedBy")),
            ("serving nodes", serving(&plugin)),
            ("http declared", text("/deployment/http/declared")),
            ("http granted", text("/deployment/http/granted")),
            ("cache declared", text("/deployment/cache/declared")),
            ("cache granted", text("/deployment/cache/granted")),
            ("created", view::time(&plugin, "/deployment/createdAt")),
            ("updated", view::time(&plugin, "/deployment/updatedAt")),
            ("etag", answer.etag.unwrap_or_else(|| "-".to_owned())),
        ]);
    }
    print_line(&view::pairs(&lines));
    Ok(())
}

/// How many of the nodes serve it, and which do not yet.
fn serving(plugin: &Value) -> String {
    let text = |pointer| view::text(plugin, pointer);
    let counts = format!("{} of {}", text("/deployment/nodes/serving"), text("/deployment/nodes/all"));
    match text("/deployment/nodes/missing").as_str() {
        "-" => counts,
        missing => format!("{counts}; missing: {missing}"),
    }
}

/// What an open circuit breaker says, and whether the previous version could answer.
fn breaker(plugin: &Value) -> Option<Vec<(&'static str, String)>> {
    let breaker = plugin.get("breaker")?;
    let text = |pointer| view::text(breaker, pointer);
    let mut lines = Vec::new();
    if breaker.get("state").and_then(Value::as_str).is_some_and(|state| state != "closed") {
        let everybody = breaker.get("isForEverybody") == Some(&Value::Bool(true));
        lines.extend([
            ("breaker", text("/state")),
            ("  for", if everybody { "everybody".to_owned() } else { text("/onlyFor") }),
            ("  users", text("/users")),
            ("  reason", text("/reason")),
            ("  since", view::time(breaker, "/since")),
            ("  next probe", view::time(breaker, "/nextProbeAt")),
        ]);
    }
    if breaker.get("previousVersionProblem").is_some_and(Value::is_string) {
        lines.push(("  on_error holds", text("/previousVersionProblem")));
    }
    Some(lines)
}

pub(crate) async fn enable(remote: &Remote, name: &str, enabled: bool) -> anyhow::Result<()> {
    let request = remote.request(Method::PATCH, &[name])?.json(&json!({ "enabled": enabled }));
    let answer = remote.ask(WRITE, request).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let word = if enabled { "enabled" } else { "disabled" };
    print_line(&format!("{name} is {word}; state: {}", view::text(&answer.json()?, "/state")));
    Ok(())
}

pub(crate) async fn close_breaker(remote: &Remote, name: &str) -> anyhow::Result<()> {
    let answer = remote.ask(WRITE, remote.request(Method::POST, &[name, "breaker", "close"])?).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    print_line(&format!("{name} is called; state: {}", view::text(&answer.json()?, "/state")));
    Ok(())
}

pub(crate) async fn delete(remote: &Remote, name: &str, version: Option<&str>) -> anyhow::Result<()> {
    let (parts, gone) = match version {
        Some(id) => (vec![name, "versions", id], format!("version {id} of {name} was deleted")),
        None => (vec![name], format!("{name} was deleted")),
    };
    remote.ask(WRITE, remote.request(Method::DELETE, &parts)?).await?;
    if !remote.json {
        print_line(&gone);
    }
    Ok(())
}
