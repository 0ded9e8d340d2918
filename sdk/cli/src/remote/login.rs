//! `claimsmith login` and `claimsmith logout`: a person signs in for the commands in a browser, by the device flow
//! (RFC 8628). What they may do there follows their roles of the console.

use super::connection::{SERVER, named_server, parse};
use super::logins::{Login, Store};
use super::oauth::{self, CLIENT_ID, REQUEST_TIMEOUT, post};
use super::refusal::{ServerRefusal, Unreachable};
use super::{Usage, http};
use crate::local_server::FindLocal;
use crate::secret::SecretString;
use crate::terminal::{print_error, print_failure, print_line, printable};
use anyhow::Context as _;
use reqwest::Client;
use serde_json::Value;
use std::process::ExitCode;
use std::time::Duration;

/// How long to wait between two questions, where the server does not say it (RFC 8628 section 3.5), and how much longer
/// after each time that it was too soon.
const INTERVAL: Duration = Duration::from_secs(5);
/// What is asked for: who it is, to stay signed in, and every role; the server gives those that the person holds.
const SCOPE: &str = "openid offline_access console:read console:support console:developer console:admin";
const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// The server to sign in at, or out of.
#[derive(clap::Args)]
pub struct LoginArgs {
    #[arg(
        value_name = "SERVER",
        help = "URL of the server [environment: CLAIMSMITH_SERVER; default: the server of this machine]"
    )]
    server: Option<String>,
}

/// Signs in, and returns the exit code.
pub async fn login(args: &LoginArgs, local: FindLocal<'_>) -> ExitCode {
    end(sign_in(args, local).await)
}

/// Signs out, and returns the exit code.
pub async fn logout(args: &LoginArgs, local: FindLocal<'_>) -> ExitCode {
    end(sign_out(args, local).await)
}

fn end(done: anyhow::Result<()>) -> ExitCode {
    let Err(error) = done else { return ExitCode::SUCCESS };
    if let Some(usage) = error.downcast_ref::<Usage>() {
        print_error(&format!("claimsmith: {usage}"));
        return ExitCode::from(2);
    }
    if let Some(refusal) = error.downcast_ref::<ServerRefusal>() {
        refusal.print(false);
        return ExitCode::FAILURE;
    }
    print_failure(&error)
}

async fn sign_in(args: &LoginArgs, local: FindLocal<'_>) -> anyhow::Result<()> {
    let server = server(args, local)?;
    let http = http::client()?;
    let resource = console_resource(&http, &server).await?;
    let refresh_token = ask(&http, &server, &resource).await?;
    Store::open()?.save(&Login { server: server.clone(), resource, refresh_token })?;
    print_line(&format!("You are signed in at {server}. The commands `claimsmith plugin …` act for you there."));
    Ok(())
}

async fn sign_out(args: &LoginArgs, local: FindLocal<'_>) -> anyhow::Result<()> {
    let store = Store::open()?;
    let server = match server(args, local) {
        Ok(server) => server,
        // The only one there is.
        Err(error) => store.only()?.map(|login| login.server).ok_or(error)?,
    };
    let Some(login) = store.find(&server)? else {
        return Err(Usage::new(format!("you are not signed in at {server}")).into());
    };
    // Here nothing is left of it, whether the server can be reached or not.
    store.delete(&server)?;
    let form = [("client_id", CLIENT_ID), ("token", login.refresh_token.expose())];
    post(&http::client()?, &login.server, "/oidc/token/revocation", &form).await?;
    print_line(&format!("You are signed out of {server}."));
    Ok(())
}

fn server(args: &LoginArgs, local: FindLocal<'_>) -> anyhow::Result<String> {
    let named = args.server.clone().or_else(|| std::env::var(SERVER).ok().filter(|value| !value.is_empty()));
    match named {
        Some(url) => Ok(parse(&url)?),
        None => named_server(None, &local()),
    }
}

/// The indicator of the console's resource, which follows the address that the server calls itself by.
async fn console_resource(http: &Client, server: &str) -> anyhow::Result<String> {
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
async fn ask(http: &Client, server: &str, resource: &str) -> anyhow::Result<SecretString> {
    // A recent proof is what the operations need that change secrets.
    let form = [("client_id", CLIENT_ID), ("scope", SCOPE), ("resource", resource), ("prompt", "login")];
    let asked = post(http, server, "/oidc/device/auth", &form).await?;
    let text = |name: &str| {
        let value = asked.get(name).and_then(Value::as_str);
        value.with_context(|| format!("the server's answer has no {name}"))
    };
    let (device_code, code) = (SecretString::new(text("device_code")?.to_owned()), printable(text("user_code")?));
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
            Err(error) => match error.downcast_ref::<ServerRefusal>().and_then(ServerRefusal::oauth_error) {
                Some("authorization_pending") => {}
                Some("slow_down") => interval += INTERVAL,
                Some("access_denied") => anyhow::bail!("the sign-in was refused in the browser"),
                Some("expired_token") => anyhow::bail!("the code was not confirmed in time: try again"),
                _ => return Err(error),
            },
        }
    }
}

fn signed_in(answer: &Value) -> anyhow::Result<SecretString> {
    let tokens = oauth::read(answer)?;
    let scope = tokens.scope.unwrap_or_default();
    if !scope.split(' ').any(|scope| scope.starts_with("console:")) {
        anyhow::bail!(
            "you are signed in, but your account has no role of the console: an administrator can give you one"
        );
    }
    tokens.refresh_token.context("the server gave no refresh token")
}
