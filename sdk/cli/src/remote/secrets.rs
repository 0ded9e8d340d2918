//! `claimsmith plugin secret`: sets, lists and deletes secrets; values are never read back. They come from standard
//! input or a file, since other users can see command lines.

use super::{Remote, Usage, WRITE, view};
use crate::secret::SecretString;
use crate::terminal::print_line;
use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use std::io::{IsTerminal as _, Read as _};
use std::path::PathBuf;

#[derive(clap::Subcommand)]
pub(crate) enum SecretCommand {
    /// Set a secret; its value comes from standard input, or from a file. One newline at the end is not part of it.
    Set(SetArgs),
    /// List the names of a plugin's secrets.
    List {
        /// The plugin's name.
        name: String,
    },
    /// Delete a secret.
    Delete {
        /// The plugin's name.
        name: String,
        /// The secret's name.
        key: String,
    },
}

#[derive(clap::Args)]
pub(crate) struct SetArgs {
    /// The plugin's name.
    name: String,
    /// The secret's name, which is that of the environment variable.
    key: String,
    /// The file that holds the value
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Reads the value.
pub(crate) fn read_value(args: &SetArgs) -> anyhow::Result<SecretString> {
    let mut text = match &args.file {
        Some(file) => std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?,
        None if std::io::stdin().is_terminal() => {
            let text = "a terminal would show the value: pipe it in, or name a file with --file";
            return Err(Usage::new(text).into());
        }
        None => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("the value cannot be read")?;
            text
        }
    };
    let end = text.strip_suffix('\n').map_or(text.len(), |rest| rest.strip_suffix('\r').unwrap_or(rest).len());
    text.truncate(end);
    if text.is_empty() {
        return Err(Usage::new("the value is empty").into());
    }
    Ok(SecretString::new(text))
}

pub(crate) async fn set(remote: &Remote, args: &SetArgs, value: &SecretString) -> anyhow::Result<()> {
    let request = remote.request(Method::PUT, &[&args.name, "secrets", &args.key])?;
    remote.ask(WRITE, request.json(&json!({ "value": value.expose() }))).await?;
    if !remote.json {
        print_line(&format!("{}: {} is set", args.name, args.key));
    }
    Ok(())
}

pub(crate) async fn list(remote: &Remote, name: &str) -> anyhow::Result<()> {
    let answer = remote.get(&[name, "secrets"]).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let secrets = answer.json()?;
    let row = |secret: &Value| vec![view::text(secret, "/name"), view::time(secret, "/updatedAt")];
    let rows: Vec<_> = view::items(&secrets).iter().map(row).collect();
    print_line(&view::table(&["NAME", "UPDATED"], &rows));
    Ok(())
}

pub(crate) async fn delete(remote: &Remote, name: &str, key: &str) -> anyhow::Result<()> {
    remote.ask(WRITE, remote.request(Method::DELETE, &[name, "secrets", key])?).await?;
    if !remote.json {
        print_line(&format!("{name}: {key} was deleted"));
    }
    Ok(())
}
