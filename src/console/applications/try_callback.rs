//! The callback of a trial sign-in: verifies the response, exchanges the code and shows the tokens.

use super::jwt::{self, Decoded};
use super::model::{ApplicationFacts, TypeFacts, read};
use super::try_it::{TokenRefusal, callback_of, end_secret, refuse_machine, secret_of_machine};
use super::try_pending::PendingTrialSignIn;
use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::json;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{Request, header};
use axum::response::Response;
use claimsmith_api::applications::ApplicationDetails;
use data_encoding::BASE64;
use serde_json::Value;
use subtle::ConstantTimeEq;

/// A token of the token response.
struct Token {
    title: &'static str,
    value: String,
    decoded: Option<Decoded>,
}

#[derive(Template)]
#[template(path = "applications/try_tokens.html")]
struct TokensPage {
    frame: Frame,
    app: ApplicationDetails,
    problem: String,
    /// The checks of the response that passed.
    checks: Vec<&'static str>,
    tokens: Vec<Token>,
    /// The token response without its tokens, as JSON.
    answer: String,
    user_info: String,
}

impl TokensPage {
    fn new(caller: &Caller, app: ApplicationDetails) -> Self {
        let frame = Frame::new(caller, Section::Applications);
        let (problem, answer, user_info) = Default::default();
        Self { frame, app, problem, checks: Vec::new(), tokens: Vec::new(), answer, user_info }
    }

    /// Splits the response of the token endpoint into tokens and other members.
    fn fill(&mut self, answer: Value) {
        let Value::Object(mut members) = answer else { return };
        for (name, title) in
            [("id_token", "ID token"), ("access_token", "Access token"), ("refresh_token", "Refresh token")]
        {
            if let Some(Value::String(value)) = members.remove(name) {
                let decoded = jwt::decode(&value);
                self.tokens.push(Token { title, value, decoded });
            }
        }
        self.answer = json::pretty(&Value::Object(members));
    }

    fn token(&self, title: &str) -> Option<&Token> {
        self.tokens.iter().find(|token| token.title == title)
    }
}

/// The redirect URI of the trial.
pub(super) async fn come_back(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let mut page = TokensPage::new(&caller, app);
    let state = caller.query("state").unwrap_or_default();
    // A response whose `state` this browser did not send is rejected (RFC 6749 section 10.12).
    let pending =
        PendingTrialSignIn::of(&caller).filter(|pending| pending.state.as_bytes().ct_eq(state.as_bytes()).into());
    let Some(pending) = pending else {
        page.problem = "This answer is of no trial that this browser has begun. Begin again.".into();
        return show(&caller, &page);
    };
    page.checks.push("The state is the one that was sent.");
    let outcome = finish(&caller, &id, &pending, &mut page).await;
    if let Some((name, _)) = &pending.secret {
        end_secret(&caller, &id, name).await;
    }
    outcome?;
    Ok(PendingTrialSignIn::forget(&caller, &id, show(&caller, &page)?))
}

async fn finish(caller: &Caller, id: &str, pending: &PendingTrialSignIn, page: &mut TokensPage) -> Result<(), Failure> {
    if let Some(error) = caller.query("error") {
        page.problem =
            format!("The server refused: {error}. {}", caller.query("error_description").unwrap_or_default());
        return Ok(());
    }
    let issuer = format!("{}/oidc", caller.console().base_url);
    if caller.query("iss") != Some(issuer.as_str()) {
        page.problem = "The answer is not of this server (RFC 9207).".into();
        return Ok(());
    }
    page.checks.push("The issuer of the answer is this server.");
    let callback = callback_of(caller, id);
    let mut form = vec![
        ("grant_type", "authorization_code"),
        ("code", caller.query("code").unwrap_or_default()),
        ("redirect_uri", &callback),
        ("code_verifier", &pending.verifier),
    ];
    for (name, value) in [("resource", &pending.resource), ("organization_id", &pending.organization)] {
        if !value.is_empty() {
            form.push((name, value));
        }
    }
    let secret = pending.secret.as_ref().map(|(_, value)| value.as_str());
    match ask_for_tokens(caller, &page.app, form, secret).await? {
        Ok(answer) => page.fill(answer),
        Err(refusal) => page.problem = refusal.text,
    }
    let nonce = page.token("ID token").and_then(|token| token.decoded.as_ref()?.payload["nonce"].as_str());
    if nonce == Some(&pending.nonce) {
        page.checks.push("The nonce of the ID token is the one that was sent.");
    }
    if let Some(token) = page.token("Access token").filter(|token| token.decoded.is_none()) {
        page.user_info = user_info(caller, &token.value).await?;
    }
    Ok(())
}

/// Requests tokens with the client credentials grant.
pub(super) async fn ask_as_machine(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let mut page = TokensPage::new(&caller, app);
    let (name, secret) = secret_of_machine(&caller, &id).await?;
    let mut fields = vec![("grant_type", "client_credentials")];
    for (name, field) in [("resource", "resource"), ("scope", "scope"), ("organization_id", "organization")] {
        fields.extend(form.filled(field).map(|value| (name, value)));
    }
    let answer = ask_for_tokens(&caller, &page.app, fields, Some(&secret)).await;
    end_secret(&caller, &id, &name).await;
    match answer? {
        Ok(answer) => page.fill(answer),
        Err(refusal) => return refuse_machine(&caller, &id, form, refusal).await,
    }
    show(&caller, &page)
}

/// Calls the token endpoint, authenticated as the application.
async fn ask_for_tokens(
    caller: &Caller,
    app: &ApplicationDetails,
    mut form: Vec<(&str, &str)>,
    secret: Option<&str>,
) -> Result<Result<Value, TokenRefusal>, Failure> {
    let id = app.application.id.as_str();
    let mut request = Request::post("/oidc/token").header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    match secret {
        Some(secret) if app.application.sends_secret_in_body() => {
            form.extend([("client_id", id), ("client_secret", secret)]);
        }
        Some(secret) => {
            let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let credentials = BASE64.encode(format!("{}:{}", encode(id), encode(secret)).as_bytes());
            request = request.header(header::AUTHORIZATION, format!("Basic {credentials}"));
        }
        None => form.push(("client_id", id)),
    }
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let request = request.body(Body::from(body)).map_err(|error| Failure::broken(caller, &error))?;
    let (is_success, answer) = call(caller, request).await?;
    if is_success {
        return Ok(Ok(answer));
    }
    let [error, description] = ["error", "error_description"].map(|name| answer[name].as_str().unwrap_or_default());
    let text = format!("The token endpoint refused: {error}. {description}");
    Ok(Err(TokenRefusal { error: error.to_owned(), text }))
}

async fn user_info(caller: &Caller, access_token: &str) -> Result<String, Failure> {
    let request = Request::get("/oidc/me").header(header::AUTHORIZATION, format!("Bearer {access_token}"));
    let request = request.body(Body::empty()).map_err(|error| Failure::broken(caller, &error))?;
    let (is_success, answer) = call(caller, request).await?;
    Ok(if is_success { json::pretty(&answer) } else { String::new() })
}

async fn call(caller: &Caller, request: Request<Body>) -> Result<(bool, Value), Failure> {
    let response = caller.console().api.call(caller.operator(), request).await;
    let is_success = response.status().is_success();
    let bytes = caller.bytes(response).await?;
    Ok((is_success, claimsmith_json::read(&bytes, claimsmith_json::INCOMING).unwrap_or_default()))
}
