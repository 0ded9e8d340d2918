//! The output of the demo: requests as sent, answers as received, tokens shortened, secrets hidden.

use anyhow::Context;
use claimsmith_cli::terminal::print_line;
use data_encoding::BASE64URL_NOPAD;
use reqwest::{Client, RequestBuilder};
use serde_json::Value;

/// Characters of a token that are shown.
const SHOWN_TOKEN_CHARS: usize = 24;

/// Sends requests to one server and prints them.
pub(super) struct DemoClient {
    address: String,
    client: Client,
}

impl DemoClient {
    pub(super) fn new(address: &str) -> Self {
        Self { address: address.to_owned(), client: Client::new() }
    }

    /// Posts a form, with HTTP Basic credentials if given.
    pub(super) async fn form(
        &self,
        path: &str,
        credentials: Option<(&str, &str)>,
        parameters: &[(&str, &str)],
    ) -> anyhow::Result<Value> {
        show_form(path, credentials.map(|(id, _)| id), parameters);
        let mut request = self.client.post(format!("{}{path}", self.address)).form(parameters);
        if let Some((id, secret)) = credentials {
            request = request.basic_auth(id, Some(secret));
        }
        self.answer(request, true).await
    }

    /// Posts a form that the server must refuse.
    pub(super) async fn form_refused(&self, path: &str, parameters: &[(&str, &str)]) -> anyhow::Result<Value> {
        print_line(&format!("    POST {path}   (the same request again)"));
        self.answer(self.client.post(format!("{}{path}", self.address)).form(parameters), false).await
    }

    /// Posts JSON with a bearer token.
    pub(super) async fn json(&self, path: &str, token: &str, body: &Value) -> anyhow::Result<Value> {
        print_line(&format!("    POST {path}\n    Authorization: Bearer {}", short(token)));
        show_json(body)?;
        self.answer(self.client.post(format!("{}{path}", self.address)).bearer_auth(token).json(body), true).await
    }

    async fn answer(&self, request: RequestBuilder, expected: bool) -> anyhow::Result<Value> {
        let answer = request.send().await?;
        let status = answer.status();
        let body: Value = answer.json().await.context("the answer is not JSON")?;
        print_line(&format!("\n    {status}"));
        show_json(&shortened(&body))?;
        anyhow::ensure!(status.is_success() == expected, "the demo stops: the server answered {status}");
        Ok(body)
    }
}

/// Prints the title of the next chapter.
pub(super) fn chapter(title: &str) {
    print_line(&format!("\n{title}\n"));
}

/// A string member of a response; an error if it is not a string.
pub(super) fn text(answer: &Value, name: &str) -> anyhow::Result<String> {
    let text = answer.get(name).and_then(Value::as_str);
    text.map(str::to_owned).with_context(|| format!("the answer has no {name}"))
}

/// Prints the header and the claims of a JWT.
pub(super) fn show_token(token: &str) -> anyhow::Result<()> {
    for part in token.split('.').take(2) {
        show_json(&serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes())?)?)?;
    }
    Ok(())
}

/// The first characters of a token.
pub(super) fn short(token: &str) -> String {
    if token.chars().count() <= SHOWN_TOKEN_CHARS {
        token.to_owned()
    } else {
        token.chars().take(SHOWN_TOKEN_CHARS).chain(['…']).collect()
    }
}

fn show_form(path: &str, basic: Option<&str>, parameters: &[(&str, &str)]) {
    print_line(&format!("    POST {path}"));
    if let Some(id) = basic {
        print_line(&format!("    Authorization: Basic {id}:(its secret)"));
    }
    for (name, value) in parameters {
        let value = if name.ends_with("_token") { short(value) } else { (*value).to_owned() };
        print_line(&format!("      {name}={value}"));
    }
}

fn show_json(value: &Value) -> anyhow::Result<()> {
    for line in serde_json::to_string_pretty(value)?.lines() {
        print_line(&format!("      {line}"));
    }
    Ok(())
}

fn shortened(body: &Value) -> Value {
    let mut body = body.clone();
    for name in ["access_token", "subjectToken"] {
        if let Some(Value::String(text)) = body.get_mut(name) {
            *text = short(text);
        }
    }
    body
}
