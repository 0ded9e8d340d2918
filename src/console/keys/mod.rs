//! `/console/keys`: the signing keys by algorithm; rotates an algorithm's key and deletes a retired key.

use crate::Console;
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use axum::routing::get;
use claimsmith_api::configs::KeyView;
use claimsmith_domain::key_status::KeyStatus;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const KEYS: &str = "/api/configs/oidc/private-keys";

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/keys", get(show_list))
        .route("/console/keys/rotate", get(ask_rotation).post(rotate))
        .route("/console/keys/{id}/delete", get(ask_deletion).post(delete))
}

/// What screens say of a signing key.
trait KeyFacts {
    /// The label of the state, and the CSS class of its badge.
    fn state(&self) -> (&'static str, &'static str);
    fn may_go(&self) -> bool;
    fn delete_path(&self) -> String;
}

impl KeyFacts for KeyView {
    fn state(&self) -> (&'static str, &'static str) {
        match self.status {
            KeyStatus::Current => ("Signs", "good"),
            KeyStatus::Next => ("Published, will sign", "warn"),
            KeyStatus::Previous => ("Retired", ""),
        }
    }

    fn may_go(&self) -> bool {
        self.status == KeyStatus::Previous
    }

    fn delete_path(&self) -> String {
        format!("/console/keys/{}/delete", segment(&self.id))
    }
}

async fn load(caller: &Caller) -> Result<BTreeMap<&'static str, Vec<KeyView>>, Failure> {
    let keys: Vec<KeyView> = caller.get(KEYS).await?;
    let mut lines: BTreeMap<&'static str, Vec<KeyView>> = BTreeMap::new();
    for key in keys {
        lines.entry(key.signing_key_algorithm.as_str()).or_default().push(key);
    }
    Ok(lines)
}

#[derive(Template)]
#[template(path = "keys/list.html")]
struct ListPage {
    frame: Frame,
    lines: BTreeMap<&'static str, Vec<KeyView>>,
}

async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let lines = load(&caller).await?;
    show(&caller, &ListPage { frame: Frame::new(&caller, Section::Keys), lines })
}

#[derive(Template)]
#[template(path = "keys/rotate.html")]
struct RotatePage {
    frame: Frame,
    algorithm: String,
    grace: String,
    problem: String,
}

impl RotatePage {
    fn command(&self) -> String {
        let body = rotation(&self.algorithm, &self.grace).unwrap_or_default().to_string();
        self.frame.command("POST", format!("{KEYS}/rotate"), &body)
    }
}

async fn ask_rotation(caller: Caller) -> Result<Response, Failure> {
    let algorithm = caller.query("algorithm").unwrap_or("ES256").to_owned();
    let frame = Frame::new(&caller, Section::Keys);
    show(&caller, &RotatePage { frame, algorithm, grace: String::new(), problem: String::new() })
}

async fn rotate(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let (algorithm, grace) = (form.text("algorithm").to_owned(), form.text("grace").to_owned());
    let problem = match rotation(&algorithm, &grace) {
        Some(body) => match caller.change(Method::POST, &format!("{KEYS}/rotate"), body).await {
            Ok(()) => return Ok(done("/console/keys", "rotated")),
            Err(failure) => failure.about_input()?.text(),
        },
        None => form.refuse("grace", "The delay is a number of minutes."),
    };
    let page = RotatePage { frame: Frame::new(&caller, Section::Keys), algorithm, grace, problem };
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// The body of a rotation. Converts minutes to seconds; without a delay, the server's setting applies.
fn rotation(algorithm: &str, grace: &str) -> Option<Value> {
    if grace.is_empty() {
        return Some(json!({ "signingKeyAlgorithm": algorithm }));
    }
    let seconds = grace.parse::<u32>().ok()?.checked_mul(60)?;
    Some(json!({ "signingKeyAlgorithm": algorithm, "rotationGracePeriod": seconds }))
}

#[derive(Template)]
#[template(path = "keys/delete.html")]
struct DeletePage {
    frame: Frame,
    key: KeyView,
    problem: &'static str,
}

async fn find(caller: &Caller, id: &str) -> Result<KeyView, Failure> {
    let found = load(caller).await?.into_values().flatten().find(|key| key.id == id);
    found.ok_or_else(|| Failure::page(caller, StatusCode::NOT_FOUND, "There is no such key."))
}

async fn ask_deletion(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let key = find(&caller, &id).await?;
    show(&caller, &DeletePage { frame: Frame::new(&caller, Section::Keys), key, problem: "" })
}

async fn delete(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let key = find(&caller, &id).await?;
    if !is_named(&form, &key.id) {
        let problem = "Type the first eight characters of the key.";
        form.refuse("name", problem);
        let page = DeletePage { frame: Frame::new(&caller, Section::Keys), key, problem };
        return show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    caller.delete(&format!("{KEYS}/{}", segment(&id))).await?;
    Ok(done("/console/keys", "deleted"))
}

/// Whether the form contains at least the first eight characters of the key id; a whole id is too long to type.
fn is_named(form: &Form, id: &str) -> bool {
    let name = form.text("name");
    name.chars().count() >= 8 && id.starts_with(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_takes_minutes_or_the_setting() {
        assert_eq!(rotation("ES256", ""), Some(json!({ "signingKeyAlgorithm": "ES256" })));
        let after_two = json!({ "signingKeyAlgorithm": "RS256", "rotationGracePeriod": 120 });
        assert_eq!(rotation("RS256", "2"), Some(after_two));
        for wrong in ["soon", "-1", "4294967295"] {
            assert_eq!(rotation("ES256", wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_key_is_named_by_its_beginning() {
        for (name, fits) in
            [("NzbLsXh8", true), ("NzbLsXh8uDCc", true), ("Nzb", false), ("xxxxxxxx", false), ("", false)]
        {
            let form = Form::of(vec![("name".to_owned(), name.to_owned())]);
            assert_eq!(is_named(&form, "NzbLsXh8uDCc"), fits, "{name}");
        }
    }
}
