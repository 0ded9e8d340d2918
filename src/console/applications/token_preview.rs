//! The token preview: which claims an application would get now for a user, and which plugin adds each.

use super::model::{ApplicationFacts, TypeFacts, path_of, read};
use crate::answer::{show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::ApplicationDetails;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Preview {
    outcome: String,
    grant_type: String,
    format: Option<String>,
    expires_in: Option<u64>,
    scope: Option<String>,
    standard_claims: Option<Map<String, Value>>,
    claims: Option<Map<String, Value>>,
    plugins: Vec<Plugin>,
    skipped: Vec<Skipped>,
    refusal: Option<PreviewRefusal>,
    assumed: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Plugin {
    name: String,
    outcome: String,
    effect: String,
    message: Option<String>,
    added: Map<String, Value>,
    changed: Map<String, Value>,
    dropped: Vec<String>,
    logs: Vec<Log>,
    duration_us: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Log {
    level: String,
    message: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Skipped {
    name: String,
    message: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PreviewRefusal {
    error: String,
    description: Option<String>,
    plugin: Option<String>,
}

/// A claim, and the plugin that set it.
struct Claim {
    name: String,
    value: String,
    plugin: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct User {
    id: String,
    name: Option<String>,
    username: Option<String>,
    primary_email: Option<String>,
}

impl User {
    fn title(&self) -> &str {
        self.name.as_deref().or(self.username.as_deref()).or(self.primary_email.as_deref()).unwrap_or(&self.id)
    }
}

#[derive(Template)]
#[template(path = "applications/token_preview.html")]
struct PreviewPage {
    frame: Frame,
    app: ApplicationDetails,
    form: Form,
    resources: Vec<(String, String)>,
    /// Matching users to choose from if the search is ambiguous.
    users: Vec<User>,
    preview: Option<Preview>,
    claims: Vec<Claim>,
    command: String,
    problem: String,
}

impl PreviewPage {
    fn grants(&self) -> &'static [(&'static str, &'static str)] {
        if self.app.application.kind().has_users() {
            &[
                ("", "What the choices below suggest"),
                ("authorization_code", "Signing in (authorization code)"),
                ("refresh_token", "Refresh token"),
                ("urn:ietf:params:oauth:grant-type:device_code", "Device"),
                (EXCHANGE, "Token exchange (impersonation)"),
            ]
        } else {
            &[
                ("", "What the choices below suggest"),
                ("client_credentials", "Client credentials"),
                (EXCHANGE, "Token exchange"),
            ]
        }
    }

    fn kinds() -> &'static [(&'static str, &'static str)] {
        &[("access-token", "Access token"), ("id-token", "ID token")]
    }

    fn assumed(word: &str) -> &str {
        match word {
            "signIn" => "somebody signs in (the plugins are not told how)",
            "consent" => "the person agrees to share their data",
            "actorToken" => "the actor's token is valid",
            other => other,
        }
    }

    fn milliseconds(microseconds: u64) -> String {
        format!("{}.{:02} ms", microseconds / 1000, microseconds % 1000 / 10)
    }
}

pub(super) async fn show_preview(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let names = ["user", "kind", "grant", "resource", "organization", "scope", "context", "actor", "run"];
    let fields = names.map(|name| (name.to_owned(), caller.query(name).unwrap_or_default().to_owned()));
    let form = Form::of(fields.into());
    // The form is sent as a query, and its problems are shown like those of others.
    let caller = caller.with_form(form.clone());
    let app = read(&caller, &id).await?;
    let resources = super::try_it::resources(&caller, app.application.kind()).await?;
    let frame = Frame::new(&caller, Section::Applications);
    let mut page = PreviewPage {
        frame,
        app,
        form,
        resources,
        users: Vec::new(),
        preview: None,
        claims: Vec::new(),
        command: String::new(),
        problem: String::new(),
    };
    if page.form.text("run").is_empty() {
        return show(&caller, &page);
    }
    let user = match find_user(&caller, page.form.text("user")).await? {
        Ok(user) => user,
        Err(users) => {
            let problem = "This could be several people, or nobody: choose one, or type an id.";
            page.problem = page.form.refuse("user", problem);
            page.users = users;
            return show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page);
        }
    };
    let body = match body_of(&page.form, user.as_deref()) {
        Ok(body) => body,
        Err(problem) => {
            page.problem = problem;
            return show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page);
        }
    };
    let path = format!("{}/token-preview", path_of(&id));
    page.command = page.frame.command("POST", &path, &body.to_string());
    match caller.write::<Preview>(Method::POST, &path, body).await {
        Ok(preview) => {
            page.claims = explain(&preview);
            page.preview = Some(preview);
            show(&caller, &page)
        }
        Err(failure) => {
            page.problem = failure.about_input()?.text();
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

/// Finds a user by id, or by a search text that identifies one user. Otherwise returns the matching users.
async fn find_user(caller: &Caller, text: &str) -> Result<Result<Option<String>, Vec<User>>, Failure> {
    if text.is_empty() {
        return Ok(Ok(None));
    }
    if let Some(user) = caller.get_if_allowed::<User>(&format!("/api/users/{}", segment(text))).await? {
        return Ok(Ok(Some(user.id)));
    }
    let path = format!("/api/users?search={}&page=1&page_size=10", segment(&format!("%{text}%")));
    let found: Option<Vec<User>> = caller.get_if_allowed(&path).await?;
    // If the operator may not search users, the text is sent as the id, and the API decides.
    let Some(mut found) = found else { return Ok(Ok(Some(text.to_owned()))) };
    let is_meant = |user: &User| user.username.as_deref() == Some(text) || user.primary_email.as_deref() == Some(text);
    let meant = found.iter().position(is_meant).or_else(|| (found.len() == 1).then_some(0));
    Ok(match meant {
        Some(position) => Ok(Some(found.swap_remove(position).id)),
        None => Err(found),
    })
}

fn body_of(form: &Form, user: Option<&str>) -> Result<Value, String> {
    let context = if form.text("context").is_empty() { Value::Null } else { json::object(form, "context")? };
    Ok(json::filled(json!({
        "userId": user,
        "tokenKind": json::text(form, "kind"),
        "grantType": json::text(form, "grant"),
        "resource": json::text(form, "resource"),
        "organizationId": json::text(form, "organization"),
        "scope": json::text(form, "scope"),
        "subjectTokenContext": context,
        "actorId": json::text(form, "actor"),
    })))
}

/// Each claim of the token, with the last plugin that set it.
fn explain(preview: &Preview) -> Vec<Claim> {
    let claims = preview.claims.iter().flatten();
    let claims = claims.map(|(name, value)| {
        let set = |plugin: &&Plugin| {
            plugin.effect == "merged" && (plugin.added.contains_key(name) || plugin.changed.contains_key(name))
        };
        let plugin = preview.plugins.iter().rev().find(set).map(|plugin| plugin.name.clone());
        Claim { name: name.clone(), value: value.to_string(), plugin }
    });
    let mut claims: Vec<_> = claims.collect();
    claims.sort_by_key(|claim| claim.plugin.is_none());
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_plugin_that_set_a_claim_is_named() -> Result<(), serde_json::Error> {
        let preview: Preview = serde_json::from_value(json!({
            "claims": { "iss": "x", "tier": "gold", "lost": 1 },
            "plugins": [
                { "name": "a", "effect": "merged", "added": { "tier": "silver" } },
                { "name": "b", "effect": "merged", "changed": { "tier": { "before": "silver", "after": "gold" } } },
                { "name": "c", "effect": "ignored", "added": { "lost": 1 } },
            ],
        }))?;
        let claims = explain(&preview);
        let plugins: Vec<_> = claims.iter().map(|claim| (claim.name.as_str(), claim.plugin.as_deref())).collect();
        assert_eq!(plugins, [("tier", Some("b")), ("iss", None), ("lost", None)]);
        Ok(())
    }
}
