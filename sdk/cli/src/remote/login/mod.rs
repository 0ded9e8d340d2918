//! `claimsmith login` and `claimsmith logout`: a person signs in for the commands in a browser, by the device flow
//! (RFC 8628). What they may do there follows their roles of the console.

mod device;
pub(super) mod store;

use super::client::http_client;
use super::connection::{SERVER, named_server, parse};
use super::{Refusal, Usage};
use crate::local_server::FindLocal;
use crate::secret::Secret;
use crate::terminal::{print_error, print_failure, print_line};
use reqwest::Client;
use std::process::ExitCode;
use store::{Login, Store};

/// The server's own application for the command line.
pub(super) const CLIENT_ID: &str = "claimsmith-cli";

/// The server to sign in at, or out of.
#[derive(clap::Args)]
pub struct LoginArgs {
    /// URL of the server [environment: CLAIMSMITH_SERVER; default: the server of this machine]
    #[arg(value_name = "SERVER")]
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
    if let Some(refusal) = error.downcast_ref::<Refusal>() {
        refusal.print(false);
        return ExitCode::FAILURE;
    }
    print_failure(&error)
}

async fn sign_in(args: &LoginArgs, local: FindLocal<'_>) -> anyhow::Result<()> {
    let server = server(args, local)?;
    let http = http_client()?;
    let resource = device::console_resource(&http, &server).await?;
    let refresh_token = device::ask(&http, &server, &resource).await?;
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
        return Err(Usage::new(format!("nobody is signed in at {server}")).into());
    };
    // Here nothing is left of it, whether the server can be reached or not.
    store.delete(&server)?;
    revoke(&http_client()?, &login).await?;
    print_line(&format!("You are signed out of {server}."));
    Ok(())
}

async fn revoke(http: &Client, login: &Login) -> anyhow::Result<()> {
    let form = [("client_id", CLIENT_ID), ("token", login.refresh_token.expose())];
    device::post(http, &login.server, "/oidc/token/revocation", &form).await.map(drop)
}

fn server(args: &LoginArgs, local: FindLocal<'_>) -> anyhow::Result<String> {
    let named = args.server.clone().or_else(|| std::env::var(SERVER).ok().filter(|value| !value.is_empty()));
    match named {
        Some(url) => Ok(parse(&url)?),
        None => named_server(None, &local()),
    }
}

/// A new access token of somebody who is signed in, with its scopes.
pub(super) async fn renew(http: &Client, login: &mut Login) -> anyhow::Result<(Secret, Option<String>)> {
    let store = Store::open()?;
    // A refresh token counts once: another command waits here for its successor.
    let held = store.lock(&login.server)?;
    if let Some(newer) = store.find(&login.server)? {
        *login = newer;
    }
    let renewed = device::refresh(http, login).await?;
    if let Some(token) = renewed.refresh_token {
        login.refresh_token = token;
        store.save(login)?;
    }
    drop(held);
    Ok((renewed.access_token, renewed.scope))
}
