//! The client secrets of an application: each is shown once and has a name and an optional expiry.

use super::model::{ApplicationFacts, TypeFacts, page_of, path_of, read};
use crate::answer::{done, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::{ApplicationDetails, SecretView};
use serde_json::json;

#[derive(Template)]
#[template(path = "applications/secrets.html")]
struct SecretsPage {
    frame: Frame,
    app: ApplicationDetails,
    secrets: Vec<SecretView>,
    /// The secret that was just created.
    made: Option<SecretView>,
    form: Form,
    problem: String,
}

impl SecretsPage {
    async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        let app = read(caller, id).await?;
        let secrets = caller.get(&format!("{}/secrets", path_of(id))).await?;
        let frame = Frame::new(caller, Section::Applications);
        Ok(Self { frame, app, secrets, made: None, form: Form::default(), problem: String::new() })
    }

    fn path(&self, secret: &SecretView) -> String {
        format!("{}/secrets/{}", self.app.application.page(), segment(&secret.name))
    }

    /// Whether the form of this secret was sent and is shown again.
    fn is_sent(&self, secret: &SecretView) -> bool {
        self.frame.caller.form().is_some() && self.frame.caller.path() == self.path(secret)
    }

    fn until(secret: &SecretView) -> String {
        json::as_day(secret.expires_at)
    }
}

#[derive(Template)]
#[template(path = "applications/secret_delete.html")]
struct DeletePage {
    frame: Frame,
    app: ApplicationDetails,
    name: String,
    problem: String,
}

pub(super) async fn show_secrets(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &SecretsPage::read(&caller, &id).await?)
}

pub(super) async fn create(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let body = json::filled(json!({ "name": form.text("name"), "expiresAt": json::day(&form, "expiresAt") }));
    let made = caller.write(Method::POST, &format!("{}/secrets", path_of(&id)), body).await;
    respond(&caller, &id, form, made.map(Some)).await
}

pub(super) async fn change(
    Path((id, name)): Path<(String, String)>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let mut body = json!({ "expiresAt": json::day(&form, "until") });
    if form.text("newName") != name {
        body = json!({ "name": form.text("newName"), "expiresAt": json::day(&form, "until") });
    }
    let path = format!("{}/secrets/{}", path_of(&id), segment(&name));
    match caller.change(Method::PATCH, &path, body).await {
        Ok(()) => Ok(done(&format!("{}/secrets", page_of(&id)), "saved")),
        Err(failure) => respond(&caller, &id, Form::default(), Err(failure)).await,
    }
}

async fn respond(
    caller: &Caller,
    id: &str,
    form: Form,
    made: Result<Option<SecretView>, Failure>,
) -> Result<Response, Failure> {
    match made {
        Ok(made) => {
            let page = SecretsPage::read(caller, id).await?;
            show(caller, &SecretsPage { made, ..page })
        }
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let page = SecretsPage::read(caller, id).await?;
            show_as(caller, StatusCode::UNPROCESSABLE_ENTITY, &SecretsPage { form, problem, ..page })
        }
    }
}

pub(super) async fn ask_to_delete(
    caller: Caller,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let frame = Frame::new(&caller, Section::Applications);
    show(&caller, &DeletePage { frame, app, name, problem: String::new() })
}

pub(super) async fn delete(
    Path((id, name)): Path<(String, String)>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let problem = if form.text("name") == name.trim() {
        match caller.delete(&format!("{}/secrets/{}", path_of(&id), segment(&name))).await {
            Ok(()) => return Ok(done(&format!("{}/secrets", page_of(&id)), "deleted")),
            Err(failure) => failure.about_input()?.text(),
        }
    } else {
        form.refuse("name", "That is not its name. Nothing was deleted.")
    };
    let app = read(&caller, &id).await?;
    let frame = Frame::new(&caller, Section::Applications);
    show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &DeletePage { frame, app, name, problem })
}
