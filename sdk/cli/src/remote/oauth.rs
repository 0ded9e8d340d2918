//! Requests of a person's sign-in to the OAuth endpoints of a server, and refreshing (RFC 6749 section 6).

use super::logins::{Login, Store};
use super::refusal::{ServerRefusal, Unreachable};
use crate::secret::SecretString;
use anyhow::Context as _;
use reqwest::Client;
use serde_json::Value;
use std::time::Duration;

/// The server's own application for the command line.
pub(super) const CLIENT_ID: &str = "claimsmith-cli";
/// How long one request may take.
pub(super) const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// What the token endpoint gave.
pub(super) struct TokenResponse {
    pub(super) access_token: SecretString,
    pub(super) refresh_token: Option<SecretString>,
    pub(super) scope: Option<String>,
}

/// A new access token of somebody who is signed in, with its scopes.
pub(super) async fn renew(http: &Client, login: &mut Login) -> anyhow::Result<(SecretString, Option<String>)> {
    let store = Store::open()?;
    // A refresh token counts once: another command waits here for its successor.
    let held = store.lock(&login.server)?;
    if let Some(newer) = store.find(&login.server)? {
        *login = newer;
    }
    let renewed = refresh(http, login).await?;
    if let Some(token) = renewed.refresh_token {
        login.refresh_token = token;
        store.save(login)?;
    }
    drop(held);
    Ok((renewed.access_token, renewed.scope))
}

/// New tokens for a refresh token.
async fn refresh(http: &Client, login: &Login) -> anyhow::Result<TokenResponse> {
    let form = [
        ("client_id", CLIENT_ID),
        ("grant_type", "refresh_token"),
        ("refresh_token", login.refresh_token.expose()),
        ("resource", &login.resource),
    ];
    match post(http, &login.server, "/oidc/token", &form).await {
        Ok(answer) => read(&answer),
        Err(error) => match error.downcast_ref::<ServerRefusal>().and_then(ServerRefusal::oauth_error) {
            Some("invalid_grant") => {
                anyhow::bail!("your sign-in at {} has ended: sign in again with `claimsmith login`", login.server)
            }
            _ => Err(error),
        },
    }
}

/// Reads what it gave.
pub(super) fn read(answer: &Value) -> anyhow::Result<TokenResponse> {
    let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(TokenResponse {
        access_token: SecretString::new(
            text("access_token").context("the token endpoint's answer has no access token")?,
        ),
        refresh_token: text("refresh_token").map(SecretString::new),
        scope: text("scope"),
    })
}

/// Posts a form; an answer that is no success is a [`ServerRefusal`].
pub(super) async fn post(http: &Client, server: &str, path: &str, form: &[(&str, &str)]) -> anyhow::Result<Value> {
    let sent = http.post(format!("{server}{path}")).form(form).timeout(REQUEST_TIMEOUT).send().await;
    let response = sent.map_err(|error| Unreachable::new(server, error.without_url()))?;
    if !response.status().is_success() {
        return Err(ServerRefusal::of_sign_in(response).await.into());
    }
    let text = response.text().await.context("the connection broke before the answer was complete")?;
    if text.is_empty() { Ok(Value::Null) } else { serde_json::from_str(&text).context("the answer is not JSON") }
}
