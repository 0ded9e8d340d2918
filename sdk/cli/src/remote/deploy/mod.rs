//! `claimsmith plugin deploy`: uploads a plugin file, with its settings and golden cases, as a new version.

mod upload;
pub(crate) mod wait;

pub(crate) use upload::{Condition, Labels, Upload, UploadedFile, signature_of};

use super::{Remote, Usage, view};
use crate::registry_args::RegistryArgs;
use crate::terminal::{print_error, print_line};
use reqwest::StatusCode;
use serde_json::Value;
use std::path::{Path, PathBuf};
use wait::WaitArgs;

#[derive(clap::Args, Default)]
pub(crate) struct DeployArgs {
    /// The plugin: a file that ends in .js, .ts or .wasm, or `oci://HOST/REPOSITORY@sha256:…` of a registry
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Its name on the server [default: the file's, without its ending]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Its settings [default: the file of this name that ends in .toml, if it is there]
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Its golden cases [default: the file of this name that ends in .cases.json, if it is there]
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// Its signature [default: FILE.registry.json, FILE.sigstore.json, FILE.bundle or FILE.sig, the first that is there]
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// Label of the version, such as its commit
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Note about the version
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Store and check the version without activating it
    #[arg(long, conflicts_with = "wait")]
    no_activate: bool,
    /// Activate it even if it costs more than twice as much as the active version on the same golden cases
    #[arg(long, conflicts_with = "no_activate")]
    pub(crate) accept_cost: bool,
    /// Refuse if the plugin was changed since `plugin show` gave this etag
    #[arg(long, value_name = "ETAG")]
    if_match: Option<String>,
    #[command(flatten)]
    pub(crate) wait: WaitArgs,
    #[command(flatten)]
    pub(crate) registry: RegistryArgs,
}

impl DeployArgs {
    /// Files for a plugin that comes from elsewhere: only one of this machine has any.
    pub(crate) fn names_files(&self) -> bool {
        self.manifest.is_some() || self.cases.is_some() || self.signature.is_some()
    }
}

/// The language of a plugin's file, as the API names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    JavaScript,
    TypeScript,
    Wasm,
}

impl Language {
    /// The one of an upload.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::JavaScript => "text/javascript",
            Self::TypeScript => "application/typescript",
            Self::Wasm => "application/wasm",
        }
    }
}

/// The file's name without its ending, and what the ending stands for.
pub(crate) fn stem_and_language(file: &Path) -> Result<(String, Language), Usage> {
    let language = match file.extension().and_then(|extension| extension.to_str()) {
        Some("js" | "mjs") => Language::JavaScript,
        Some("ts" | "mts") => Language::TypeScript,
        Some("wasm") => Language::Wasm,
        _ => {
            return Err(Usage::new(format!(
                "{} is not a plugin: the file name must end in .js, .ts or .wasm",
                file.display()
            )));
        }
    };
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.ok_or_else(|| Usage::new(format!("the name of {} cannot be read", file.display())))?;
    Ok((stem.to_owned(), language))
}

/// Adds the quotes of an entity tag, which shells remove.
fn quoted(etag: &str) -> String {
    if etag == "*" || etag.contains('"') { etag.to_owned() } else { format!("\"{etag}\"") }
}

pub(crate) async fn run(remote: &Remote, mut upload: Upload, wait: WaitArgs) -> anyhow::Result<()> {
    let sent = [(&upload.manifest, "settings"), (&upload.cases, "golden cases"), (&upload.signature, "signature")];
    for (sent, what) in sent {
        if let Some(sent) = sent {
            print_error(&format!("with the {what} of {}", sent.file_name));
        }
    }
    let answer = upload.send(remote).await?;
    if remote.json {
        print_line(&answer.text);
    }
    let is_new = answer.status == StatusCode::CREATED;
    let answer = answer.json()?;
    if !remote.json {
        warn(&answer);
        print_line(&rendered(&upload.name, is_new, &answer));
    }
    anyhow::ensure!(
        is_active(&answer) || !upload.activate,
        "the version is stored and not active: to activate it, deploy it with --accept-cost, or see above"
    );
    wait::until_served(remote, &upload.name, wait).await
}

/// Prints what the server says beside a version that it took.
pub(crate) fn warn(answer: &Value) {
    for warning in answer.get("warnings").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        print_error(&format!("warning: {warning}"));
    }
}

/// Whether the version of an upload is active.
pub(crate) fn is_active(answer: &Value) -> bool {
    answer.pointer("/version/active") == Some(&Value::Bool(true))
}

/// The result, as text.
fn rendered(name: &str, is_new: bool, answer: &Value) -> String {
    let text = |pointer| view::text(answer, pointer);
    let id = text("/version/id");
    let is_active = is_active(answer);
    let headline = match (is_new, is_active) {
        (true, true) => format!("{name}: version {id} is new, and active"),
        (true, false) => {
            format!(
                "{name}: version {id} is new, and not active; to activate it: claimsmith plugin activate {name} {id}"
            )
        }
        (false, _) => format!("{name}: nothing has changed; version {id} has the same digest"),
    };
    let mut lines = vec![("  digest", text("/version/digest")), ("  state", text("/plugin/state"))];
    if answer.pointer("/plugin/lastError").is_some_and(Value::is_string) {
        lines.push(("  last error", text("/plugin/lastError")));
    }
    let granted = answer.pointer("/plugin/deployment/http/granted").is_some_and(|granted| !granted.is_null());
    if answer.pointer("/version/http").is_some_and(|http| !http.is_null()) && !granted {
        lines.push(("  http", format!("declared, and not granted: {}", text("/version/http"))));
    }
    if answer.pointer("/version/signedBy").is_some_and(Value::is_string) {
        lines.push(("  signed by", text("/version/signedBy")));
    }
    if answer.pointer("/plugin/signatureProblem").is_some_and(Value::is_string) {
        lines.push(("  signature", text("/plugin/signatureProblem")));
    }
    format!("{headline}\n{}", view::pairs(&lines))
}

#[cfg(test)]
mod tests;
