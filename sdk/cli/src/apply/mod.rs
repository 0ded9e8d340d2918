//! `claimsmith plugin apply`: makes the plugins of a server those of a folder. It prints a plan, and then uploads what is
//! new or changed: source, settings and golden cases of a plugin in one request, which the server takes as a whole or not
//! at all, and only if nobody changed the plugin since it was compared.
//!
//! A folder is told from others by the key of its label: `--label production=4f2c9e1`. `--prune` deletes the plugins
//! that were applied with this key and are not in the folder any more; without a key, it is refused.

mod folder;
mod plan;
mod server;

use crate::remote::deploy::wait::{self, WaitArgs};
use crate::remote::deploy::{self, Condition, Labels, Upload, UploadedFile};
use crate::remote::{Remote, ServerRefusal, Usage, WRITE};
use crate::terminal::{print_error, print_failure, print_line};
use crate::view;
use folder::LocalPlugin;
use plan::{Action, Step, summary};
use reqwest::{Method, header};
use serde_json::{Value, json};
use server::ServerPlugin;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// The longest key that a server takes, in bytes.
const MAX_KEY_BYTES: usize = 64;

#[derive(clap::Args)]
pub(crate) struct ApplyArgs {
    /// The folder: its plugins, and those of the folders in it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Print the plan, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Delete the plugins that were applied with the same label key and are not in the folder any more; needs --label KEY=TEXT
    #[arg(long)]
    prune: bool,
    /// Label of the versions, such as their commit; KEY tells this folder from others
    #[arg(long, value_name = "[KEY=]TEXT")]
    label: Option<String>,
    /// Note about the versions
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    #[command(flatten)]
    wait: WaitArgs,
}

/// The plugins of the folder, read before a server is asked.
pub(crate) struct Folder {
    plugins: BTreeMap<String, LocalPlugin>,
    /// The label key; a folder without one cannot be pruned.
    key: Option<String>,
    labels: Labels,
}

impl Folder {
    pub(crate) fn read(args: &ApplyArgs) -> anyhow::Result<Self> {
        let key = key_of(args.label.as_deref())?;
        if args.prune && key.is_none() {
            let text = "--prune needs a label with a key, which tells the plugins of this folder from others: \
                        --label KEY=TEXT, such as --label production=4f2c9e1; nothing was changed";
            return Err(Usage::new(text).into());
        }
        let labels = Labels { label: args.label.clone(), note: args.note.clone(), applied_by: key.clone() };
        Ok(Self { plugins: folder::read(&args.folder)?, key, labels })
    }
}

/// The key of a label, if it has one: what is before its first `=`.
fn key_of(label: Option<&str>) -> Result<Option<String>, Usage> {
    let Some((key, _)) = label.and_then(|label| label.split_once('=')) else { return Ok(None) };
    let is_of_key = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    if key.is_empty() || key.len() > MAX_KEY_BYTES || !key.bytes().all(is_of_key) {
        let text = format!("{key:?} is not a label key: use at most {MAX_KEY_BYTES} letters, digits, `.`, `_` and `-`");
        return Err(Usage::new(text));
    }
    Ok(Some(key.to_owned()))
}

/// Success is that all of the plan was done.
pub(crate) async fn run(remote: &Remote, args: &ApplyArgs, mut folder: Folder) -> anyhow::Result<ExitCode> {
    let steps = plan(remote, args, &folder).await?;
    let shown: Vec<Value> = steps.iter().map(Step::json).collect();
    if !remote.json {
        for step in &steps {
            print_line(&step.rendered());
        }
        print_line(&summary(&steps));
    }
    let mut failed = Vec::new();
    if !args.dry_run {
        for step in &steps {
            let local = folder.plugins.remove(&step.name);
            if let Err(error) = done(remote, step, local, &folder.labels, args.wait).await {
                print_error(&format!("claimsmith: {} was not applied", step.name));
                match error.downcast_ref::<ServerRefusal>() {
                    Some(refusal) => refusal.print(false),
                    None => drop(print_failure(&error)),
                }
                failed.push(step.name.clone());
            }
        }
    }
    if remote.json {
        print_line(&json!({ "plan": shown, "applied": !args.dry_run, "failed": failed }).to_string());
    } else if !failed.is_empty() {
        print_error(&format!("claimsmith: not applied: {}; all others were", failed.join(", ")));
    }
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares, and finds out what makes all of it impossible before anything is changed.
async fn plan(remote: &Remote, args: &ApplyArgs, folder: &Folder) -> anyhow::Result<Vec<Step>> {
    let mut listed = server::list(remote).await?;
    let of_folder: Vec<&str> = folder.plugins.keys().map(String::as_str).collect();
    if let Some(name) = of_folder.iter().find(|name| listed.get(**name).is_some_and(|plugin| plugin.is_of_folder)) {
        let text = format!(
            "{name} is a file of the server's plugin folder; upload it once with PUT /api/plugins/{name}?takeOver=true, or \
             remove the file; nothing was changed"
        );
        return Err(Usage::new(text).into());
    }
    let mut steps = Vec::new();
    for (name, local) in &folder.plugins {
        let server = match listed.remove(name) {
            Some(plugin) => Some(ServerPlugin::read(remote, name, plugin).await?),
            None => None,
        };
        let mut step = Step::of(local, server.as_ref());
        // An apply without a key leaves the key of the server as it is.
        let other = server.and_then(|server| server.applied_by);
        let other = other.filter(|other| folder.key.as_ref().is_some_and(|key| key != other));
        if let Some(other) = other.filter(|_| step.action.uploads()) {
            step.changes.insert(0, format!("it was applied with the label key {other} before"));
        }
        steps.push(step);
    }
    if let Some(key) = folder.key.as_deref().filter(|_| args.prune) {
        let gone = listed.into_iter().filter(|(_, plugin)| plugin.applied_by.as_deref() == Some(key));
        for (name, _) in gone {
            let etag = server::etag(remote, &name).await?;
            steps.push(Step::deletion(name, etag, key));
        }
    }
    Ok(steps)
}

/// Does one step. The server does all of it or nothing.
async fn done(
    remote: &Remote,
    step: &Step,
    local: Option<LocalPlugin>,
    labels: &Labels,
    wait: WaitArgs,
) -> anyhow::Result<()> {
    if step.action == Action::Delete {
        let request = remote.request(Method::DELETE, &[&step.name])?;
        let request = match &step.etag {
            Some(etag) => request.header(header::IF_MATCH, etag),
            None => request,
        };
        remote.ask(WRITE, request).await?;
        tell(remote, &format!("{}: deleted", step.name));
        return Ok(());
    }
    let Some(local) = local.filter(|_| step.action.uploads()) else { return Ok(()) };
    let settings = UploadedFile { file_name: format!("{}.toml", local.name), bytes: local.settings_text.into_bytes() };
    let mut upload = Upload {
        name: local.name,
        language: local.language,
        source: local.source,
        // Without a file, the settings are the default ones.
        manifest: Some(settings),
        cases: local.cases,
        signature: local.signature,
        activate: true,
        accept_cost: false,
        condition: step.etag.clone().map_or(Condition::New, Condition::Unchanged),
        labels: labels.clone(),
    };
    let answer = upload.send(remote).await?.json()?;
    deploy::warn(&answer);
    let (version, state) = (view::text(&answer, "/version/id"), view::text(&answer, "/plugin/state"));
    anyhow::ensure!(
        deploy::is_active(&answer),
        "version {version} is stored and not active: to activate it, claimsmith plugin activate {} {version}",
        step.name
    );
    tell(remote, &format!("{}: version {version} is active; state: {state}", step.name));
    wait::until_served(remote, &step.name, wait).await
}

fn tell(remote: &Remote, line: &str) {
    if !remote.json {
        print_line(line);
    }
}

#[cfg(test)]
mod tests {
    use super::key_of;

    #[test]
    fn the_key_is_before_the_first_sign_of_equality() {
        for (label, key) in [
            (None, Some(None)),
            (Some("4f2c9e1"), Some(None)),
            (Some("production=4f2c9e1"), Some(Some("production"))),
            (Some("eu.prod=a=b"), Some(Some("eu.prod"))),
            (Some("=4f2c9e1"), None),
            (Some("two words=1"), None),
        ] {
            let key = key.map(|key| key.map(str::to_owned));
            assert_eq!(key_of(label).ok(), key, "{label:?}");
        }
    }
}
