//! The requests of a sign-in: the device flow (RFC 8628), and refreshing (RFC 6749 section 6).

use super::CLIENT_ID;
use super::store::Login;
use crate::remote::refusal::{Refusal, Unreachable};
use crate::secret::Secret;
use crate::terminal::{print_line, printable};
use anyhow::Context as _;
use reqwest::Client;
use serde_json::Value;
use std::time::Duration;

/// How long one request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// How long to wait between two questions, where the server does not say it (RFC 8628 section 3.5), and how much longer
/// after each time that it was too soon.
const INTERVAL: Duration = Duration::from_secs(5);
/// What is asked for: who it is, to stay signed in, and every role; the server gives those that the person holds.
const SCOPE: &str = "openid offline_access console:read console:support console:developer console:admin";
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// What the token endpoint gave.
pub(super) struct Tokens {
    pub(super) access_token: Secret,
    pub(super) refresh_token: Option<Secret>,
    pub(super) scope: Option<String>,
}

/// The indicator of the console's resource, which follows the address that the server calls itself by.
pub(super) async fn console_resource(http: &Client, server: &str) -> anyhow::Result<String> {
    let url = format!("{server}/oidc/.well-known/openid-configuration");
    let sent = http.get(url).timeout(REQUEST_TIMEOUT).send().await;
    let response = sent.map_err(|error| Unreachable::new(server, error.without_url()))?;
    let metadata: Value =
        response.json().await.context("the answer is not JSON: is this the URL of a Claimsmith server?")?;
    let issuer = metadata.get("issuer").and_then(Value::as_str).unwrap_or_default();
    let base = issuer.strip_suffix("/oidc").context("the server does not say by which address it is known")?;
    Ok(format!("{base}/console"))
}

/// Asks somebody to sign in, and waits until they have; answers their refresh token.
pub(super) async fn ask(http: &Client, server: &str, resource: &str) -> anyhow::Result<Secret> {
    // A recent proof is what the operations need that change secrets.
    let form = [("client_id", CLIENT_ID), ("scope", SCOPE), ("resource", resource), ("prompt", "login")];
    let asked = post(http, server, "/oidc/device/auth", &form).await?;
    let text = |name: &str| {
        let value = asked.get(name).and_then(Value::as_str);
        value.with_context(|| format!("the server's answer has no {name}"))
    };
    let (device_code, code) = (Secret::new(text("device_code")?.to_owned()), printable(text("user_code")?));
    print_line(&format!(
        "Open {}",
        printable(text("verification_uri_complete").or_else(|_| text("verification_uri"))?)
    ));
    print_line(&format!("and confirm the code {code} there. Waiting …"));
    let seconds = |name: &str| asked.get(name).and_then(Value::as_u64).map(Duration::from_secs);
    let mut interval = seconds("interval").unwrap_or(INTERVAL);
    let form = [
        ("client_id", CLIENT_ID),
        ("grant_type", DEVICE_CODE),
        ("device_code", device_code.expose()),
        ("resource", resource),
    ];
    loop {
        tokio::time::sleep(interval).await;
        match post(http, server, "/oidc/token", &form).await {
            Ok(answer) => return signed_in(&answer),
            Err(error) => match error.downcast_ref::<Refusal>().and_then(Refusal::oauth_error) {
                Some("authorization_pending") => {}
                Some("slow_down") => interval += INTERVAL,
                Some("access_denied") => anyhow::bail!("the sign-in was refused in the browser"),
                Some("expired_token") => anyhow::bail!("nobody confirmed the code in time: try again"),
                _ => return Err(error),
            },
        }
    }
}

fn signed_in(answer: &Value) -> anyhow::Result<Secret> {
    let tokens = read(answer)?;
    let scope = tokens.scope.unwrap_or_default();
    if !scope.split(' ').any(|scope| scope.starts_with("console:")) {
        anyhow::bail!(
            "you are signed in, but your account has no role of the console: an administrator can give you one"
        );
    }
    tokens.refresh_token.context("the server gave no refresh token")
}

/// New tokens for a refresh token.
pub(super) async fn refresh(http: &Client, login: &Login) -> anyhow::Result<Tokens> {
    let form = [
        ("client_id", CLIENT_ID),
        ("grant_type", "refresh_token"),
        ("refresh_token", login.refresh_token.expose()),
        ("resource", &login.resource),
    ];
    match post(http, &login.server, "/oidc/token", &form).await {
        Ok(answer) => read(&answer),
        Err(error) => match error.downcast_ref::<Refusal>().and_then(Refusal::oauth_error) {
            Some("invalid_grant") => {
                anyhow::bail!("your sign-in at {} has ended: sign in again with `claimsmith login`", login.server)
            }
            _ => Err(error),
        },
    }
}

fn read(answer: &Value) -> anyhow::Result<Tokens> {
    let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(Tokens {
        access_token: Secret::new(text("access_token").context("the token endpoint's answer has no access token")?),
        refresh_token: text("refresh_token").map(Secret::new),
        scope: text("scope"),
    })
}

/// Posts a form; an answer that is no success is a [`Refusal`].
pub(super) async fn post(http: &Client, server: &str, path: &str, form: &[(&str, &str)]) -> anyhow::Result<Value> {
    let sent = http.post(format!("{server}{path}")).form(form).timeout(REQUEST_TIMEOUT).send().await;
    let response = sent.map_err(|error| Unreachable::new(server, error.without_url()))?;
    if !response.status().is_success() {
        return Err(Refusal::of_sign_in(response).await.into());
    }
    let text = response.text().await.context("the connection broke before the answer was complete")?;
    if text.is_empty() { Ok(Value::Null) } else { serde_json::from_str(&text).context("the answer is not JSON") }
}
