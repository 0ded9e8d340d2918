//! "Try it": starts a sign-in with an application from its page, and registers the redirect URI that this needs.

use super::model::{ApplicationFacts, TypeFacts, page_of, path_of, read};
use super::try_pending::{LIFETIME_SECONDS, PendingTrialSignIn};
use crate::answer::{done, see_other, show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::resources::obtainable::{Recipient, obtainable, options};
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::{ApplicationDetails, SecretView};
use claimsmith_domain::documents::application::ApplicationType;
use data_encoding::BASE64URL_NOPAD;
use serde_json::json;
use sha2::{Digest, Sha256};

/// Prefix of the names of temporary client secrets.
const SECRET: &str = "Try it in the console";

/// A refusal of the token endpoint.
pub(super) struct TokenRefusal {
    /// Its code.
    pub(super) error: String,
    /// What is shown of it.
    pub(super) text: String,
}

#[derive(Template)]
#[template(path = "applications/try.html")]
struct TryPage {
    frame: Frame,
    app: ApplicationDetails,
    callback: String,
    is_registered: bool,
    resources: Vec<(String, String)>,
    form: Form,
    problem: String,
}

impl TryPage {
    async fn read(caller: &Caller, id: &str) -> Result<Self, Failure> {
        let app = read(caller, id).await?;
        let resources = resources(caller, app.application.kind()).await?;
        let callback = callback_of(caller, id);
        let is_registered = app.application.redirect_uris().contains(&callback);
        let scope = if app.application.kind().has_users() { "openid profile" } else { "" };
        // The operator already has a session; `login` shows the sign-in page that users see.
        let form =
            Form::of([("scope", scope), ("prompt", "login")].map(|(name, value)| (name.into(), value.into())).into());
        let frame = Frame::new(caller, Section::Applications);
        Ok(Self { frame, app, callback, is_registered, resources, form, problem: String::new() })
    }

    fn prompts() -> &'static [(&'static str, &'static str)] {
        &[
            ("login", "Sign in, whoever is signed in already"),
            ("", "As it comes"),
            ("consent", "Ask for consent (needed for refresh tokens)"),
            ("create", "Register"),
        ]
    }
}

/// The APIs to choose from. The client credentials grant issues tokens only for an API or an organization.
pub(super) async fn resources(caller: &Caller, kind: ApplicationType) -> Result<Vec<(String, String)>, Failure> {
    let resources = obtainable(caller, Recipient::Application(kind)).await?;
    let none = if kind.has_users() { "None: for this server's own endpoints" } else { "None: for an organization" };
    let none = (kind.has_users() || resources.is_empty()).then(|| (String::new(), none.to_owned()));
    Ok(none.into_iter().chain(options(&resources)).collect())
}

/// The redirect URI of the trial.
pub(super) fn callback_of(caller: &Caller, id: &str) -> String {
    format!("{}{}/try/callback", caller.console().base_url, page_of(id))
}

pub(super) async fn show_try(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    show(&caller, &TryPage::read(&caller, &id).await?)
}

/// Shows the form of a program's trial again, with what the token endpoint refused at its field.
pub(super) async fn refuse_machine(
    caller: &Caller,
    id: &str,
    form: Form,
    refusal: TokenRefusal,
) -> Result<Response, Failure> {
    let page = TryPage::read(caller, id).await?;
    let field = match refusal.error.as_str() {
        "invalid_scope" => "scope",
        "invalid_target" => "resource",
        "access_denied" if form.filled("organization").is_some() => "organization",
        // No parameter may contain it, whatever its name.
        _ => {
            ["resource", "scope", "organization"].into_iter().find(|name| form.text(name).contains('\0')).unwrap_or("")
        }
    };
    let problem = if field.is_empty() { refusal.text } else { form.refuse(field, refusal.text) };
    show_as(caller, StatusCode::UNPROCESSABLE_ENTITY, &TryPage { form, problem, ..page })
}

/// Starts the trial: redirects the browser to the authorization endpoint.
pub(super) async fn begin(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let page = TryPage::read(&caller, &id).await?;
    if !page.is_registered || page.app.application.has_keys_alone() || !page.app.application.kind().has_users() {
        let problem = "The redirect URI of the trial has to be registered first.".to_owned();
        return show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &TryPage { form, problem, ..page });
    }
    let [state, nonce, verifier] = [secret(&caller)?, secret(&caller)?, secret(&caller)?];
    let temporary = if page.app.application.kind().is_confidential() {
        Some(make_secret(&caller, &id, &state).await?)
    } else {
        None
    };
    let pending = PendingTrialSignIn {
        state,
        nonce,
        verifier,
        resource: form.text("resource").to_owned(),
        organization: form.text("organization").to_owned(),
        secret: temporary,
    };
    Ok(pending.keep(&caller, &id, see_other(&address_of(&page, &form, &pending))))
}

/// The URL of the authorization request (RFC 6749 section 4.1.1, RFC 7636).
fn address_of(page: &TryPage, form: &Form, pending: &PendingTrialSignIn) -> String {
    let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(&pending.verifier));
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs([
        ("client_id", page.app.application.id.as_str()),
        ("redirect_uri", &page.callback),
        ("response_type", "code"),
        ("scope", form.text("scope")),
        ("state", &pending.state),
        ("nonce", &pending.nonce),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ]);
    for name in ["resource", "prompt"] {
        if let Some(value) = form.filled(name) {
            query.append_pair(name, value);
        }
    }
    format!("{}/oidc/auth?{}", page.frame.caller.console().base_url, query.finish())
}

/// An unguessable value.
fn secret(caller: &Caller) -> Result<String, Failure> {
    let failed = || Failure::page(caller, StatusCode::SERVICE_UNAVAILABLE, "There are no random bytes just now.");
    caller.console().api.secret().ok_or_else(failed)
}

/// Creates a client secret for one trial. It is deleted afterwards, and expires shortly after in any case.
pub(super) async fn make_secret(caller: &Caller, id: &str, unique: &str) -> Result<(String, String), Failure> {
    let path = format!("{}/secrets", path_of(id));
    let old: Vec<SecretView> = caller.get(&path).await?;
    for secret in old.iter().filter(|secret| secret.name.starts_with(SECRET)) {
        caller.delete(&format!("{path}/{}", segment(&secret.name))).await?;
    }
    let name = format!("{SECRET} {}", unique.chars().take(8).collect::<String>());
    let made: SecretView = caller.write(Method::POST, &path, json!({ "name": name })).await?;
    let ends = made.created_at + LIFETIME_SECONDS * 1000;
    caller.change(Method::PATCH, &format!("{path}/{}", segment(&name)), json!({ "expiresAt": ends })).await?;
    Ok((made.name, made.value))
}

/// Deletes the temporary secret. If this fails, the secret expires.
pub(super) async fn end_secret(caller: &Caller, id: &str, name: &str) {
    drop(caller.delete(&format!("{}/secrets/{}", path_of(id), segment(name))).await);
}

/// Creates a temporary secret with a unique name for a machine-to-machine application, which has no sign-in.
pub(super) async fn secret_of_machine(caller: &Caller, id: &str) -> Result<(String, String), Failure> {
    let unique = secret(caller)?;
    make_secret(caller, id, &unique).await
}

/// Adds the redirect URI of the trial to the application, or removes it.
pub(super) async fn change_redirect_uri(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let callback = callback_of(&caller, &id);
    let is_wanted = form.text("do") == "add";
    let mut uris: Vec<_> = app.application.redirect_uris().iter().filter(|uri| **uri != callback).collect();
    if is_wanted {
        uris.push(&callback);
    }
    let metadata = json::set(&json!(app.application.oidc_client_metadata), [("redirectUris", json!(uris))]);
    match caller.change(Method::PATCH, &path_of(&id), json!({ "oidcClientMetadata": metadata })).await {
        Ok(()) => Ok(done(&format!("{}/try", app.application.page()), if is_wanted { "added" } else { "removed" })),
        Err(failure) => {
            let problem = failure.about_input()?.text();
            let page = TryPage { problem, ..TryPage::read(&caller, &id).await? };
            show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}
