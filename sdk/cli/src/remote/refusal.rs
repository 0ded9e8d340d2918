//! Errors of the server: refusals with their reason and a hint what to do, and unreachable servers.

use super::findings;
use crate::terminal::{print_error, print_line, printable};
use reqwest::{Response, StatusCode, header};
use serde_json::Value;
use std::fmt;

/// The code of an operation that needs a sign-in of the last minutes.
const FRESH_SIGN_IN: &str = "console.fresh_sign_in_required";

/// The server could not be reached.
#[derive(Debug, thiserror::Error)]
#[error("cannot reach {server}")]
pub(super) struct Unreachable {
    server: String,
    source: reqwest::Error,
}

impl Unreachable {
    pub(super) fn new(server: &str, source: reqwest::Error) -> Self {
        Self { server: server.to_owned(), source }
    }
}

/// An answer that is not a success.
#[derive(Debug)]
pub(crate) struct ServerRefusal {
    pub(super) status: StatusCode,
    /// What the server says, if it is JSON.
    body: Value,
    text: String,
    /// What to do about it.
    hint: String,
    /// The file that findings without one are about.
    pub(super) file: String,
}

impl ServerRefusal {
    /// The refusal of a request that needs `scope`, by a token that carries `carried`.
    pub(super) async fn of(response: Response, scope: &str, carried: Option<&str>) -> Self {
        let header = |name: header::HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
        let hint = match response.status() {
            StatusCode::UNAUTHORIZED => {
                "The token has expired, or is not for the Management API of this server (--resource).".to_owned()
            }
            StatusCode::FORBIDDEN => {
                let carried = match carried {
                    Some("") => "; the token carries no scope".to_owned(),
                    Some(carried) => format!("; the token carries: {carried}"),
                    None => String::new(),
                };
                format!("This needs the scope {scope} (or all){carried}.")
            }
            StatusCode::PRECONDITION_FAILED => {
                "The plugin was changed in the meantime: look at it with `claimsmith plugin show`, then try again."
                    .to_owned()
            }
            StatusCode::PAYLOAD_TOO_LARGE => "The server's limit is its setting plugins.max_source_mib.".to_owned(),
            StatusCode::SERVICE_UNAVAILABLE => header(header::RETRY_AFTER).map_or_else(
                || "Try again later.".to_owned(),
                |after| match after.parse::<u64>() {
                    Ok(seconds) => format!("Try again in {seconds} s."),
                    Err(_) => format!("Try again after {after}."),
                },
            ),
            status if status.is_redirection() => match header(header::LOCATION) {
                Some(place) => {
                    format!("It redirects to {place}, and redirects are not followed: use that URL as --server.")
                }
                None => String::new(),
            },
            _ => String::new(),
        };
        let mut refusal = Self::read(response, hint).await;
        if refusal.body.get("code").and_then(Value::as_str) == Some(FRESH_SIGN_IN) {
            "Sign in again: claimsmith login".clone_into(&mut refusal.hint);
        }
        refusal
    }

    /// The refusal of a request of a sign-in.
    pub(super) async fn of_sign_in(response: Response) -> Self {
        Self::read(response, String::new()).await
    }

    /// The error code of an OAuth endpoint (RFC 6749 section 5.2).
    pub(super) fn oauth_error(&self) -> Option<&str> {
        self.body.get("error").and_then(Value::as_str)
    }

    /// The refusal of the token endpoint.
    pub(super) async fn of_token(response: Response, resource: &str) -> Self {
        let mut refusal = Self::read(response, String::new()).await;
        refusal.hint = match refusal.oauth_error() {
            Some("invalid_target") => format!(
                "The server knows no resource {resource}: the resource of its Management API depends on its base URL; name it \
                 with --resource."
            ),
            Some("invalid_client") => "The server does not know the application, or the secret is wrong.".to_owned(),
            _ => "The server issued no access token for the Management API.".to_owned(),
        };
        refusal
    }

    async fn read(response: Response, hint: String) -> Self {
        let status = response.status();
        // A truncated body is shown as far as it came.
        let text = response.text().await.unwrap_or_default();
        let body = serde_json::from_str(&text).unwrap_or_default();
        Self { status, body, text, hint, file: String::new() }
    }

    /// Prints it: with `--json` the server's JSON on standard output, else a message on standard error.
    pub(crate) fn print(&self, json: bool) {
        if json && !self.body.is_null() {
            print_line(&self.text);
            print_error(&format!("claimsmith: {}", self.headline()));
        } else {
            print_error(&format!("claimsmith: {self}"));
        }
    }

    fn headline(&self) -> String {
        let text = |name: &str| self.body.get(name).and_then(Value::as_str).map(printable);
        let status = self.status.as_u16();
        let message = text("message").or_else(|| text("error_description"));
        // The message of a refused plugin repeats all findings, which are printed one by one.
        let message = if self.body.pointer("/data/findings").is_some() {
            Some("the server refused the plugin".to_owned())
        } else {
            message
        };
        let Some(message) = message else {
            return format!("the server answered {}, without an error message of Claimsmith", self.status);
        };
        match text("code").or_else(|| text("error")) {
            Some(code) => format!("{message} ({status} {code})"),
            None => format!("{message} ({status})"),
        }
    }
}

impl fmt::Display for ServerRefusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.headline())?;
        for line in findings::render(&self.body, &self.file) {
            write!(out, "\n{line}")?;
        }
        if !self.hint.is_empty() {
            write!(out, "\n{}", printable(&self.hint))?;
        }
        Ok(())
    }
}

impl std::error::Error for ServerRefusal {}
