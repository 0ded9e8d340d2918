//! `claimsmith plugin deploy`: uploads a plugin file, with its settings and golden cases, as a new version.

use super::{Remote, ServerRefusal, Usage, WRITE, view};
use crate::terminal::{print_error, print_line};
use anyhow::Context as _;
use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder, StatusCode, header};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct DeployArgs {
    /// The plugin: .js, .ts or .wasm.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Its name on the server [default: the file's, without its ending]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Its settings [default: the file of this name that ends in .toml, if it is there]
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Its golden cases [default: the file of this name that ends in .cases.json, if it is there]
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// Store and check the version without activating it
    #[arg(long)]
    no_activate: bool,
    /// Refuse if the plugin was changed since `plugin show` gave this etag
    #[arg(long, value_name = "ETAG")]
    if_match: Option<String>,
}

/// The upload.
pub(crate) struct Upload {
    name: String,
    media_type: &'static str,
    source: UploadedFile,
    manifest: Option<UploadedFile>,
    cases: Option<UploadedFile>,
    activate: bool,
    if_match: Option<String>,
}

/// A file that is sent.
struct UploadedFile {
    file_name: String,
    bytes: Vec<u8>,
}

impl Upload {
    /// A plugin with the files beside it, to be activated at once.
    pub(crate) fn of(file: &Path) -> anyhow::Result<Self> {
        Self::read(&DeployArgs {
            file: file.to_owned(),
            name: None,
            manifest: None,
            cases: None,
            no_activate: false,
            if_match: None,
        })
    }

    /// Reads the files.
    pub(crate) fn read(args: &DeployArgs) -> anyhow::Result<Self> {
        let (stem, language) = stem_and_language(&args.file)?;
        let beside =
            |ending: &str| Some(args.file.with_file_name(format!("{stem}{ending}"))).filter(|path| path.is_file());
        let companion = |named: &Option<PathBuf>, ending: &str| {
            named.clone().or_else(|| beside(ending)).map(|path| UploadedFile::read(&path)).transpose()
        };
        Ok(Self {
            name: args.name.clone().unwrap_or_else(|| stem.clone()),
            media_type: language.media_type(),
            source: UploadedFile::read(&args.file)?,
            manifest: companion(&args.manifest, ".toml")?,
            cases: companion(&args.cases, ".cases.json")?,
            activate: !args.no_activate,
            if_match: args.if_match.as_deref().map(quoted),
        })
    }

    /// The request body: the file alone, or a form with its companion files.
    fn body(&mut self, request: RequestBuilder) -> anyhow::Result<RequestBuilder> {
        let source = std::mem::take(&mut self.source.bytes);
        if self.manifest.is_none() && self.cases.is_none() {
            return Ok(request.header(header::CONTENT_TYPE, self.media_type).body(source));
        }
        let part = Part::bytes(source).file_name(self.source.file_name.clone()).mime_str(self.media_type)?;
        let mut form = Form::new().part("source", part);
        let companions =
            [("manifest", &mut self.manifest, "application/toml"), ("cases", &mut self.cases, "application/json")];
        for (name, sent, media_type) in companions {
            if let Some(sent) = sent {
                let part = Part::bytes(std::mem::take(&mut sent.bytes)).file_name(sent.file_name.clone());
                form = form.part(name, part.mime_str(media_type)?);
            }
        }
        Ok(request.multipart(form))
    }
}

impl UploadedFile {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { file_name, bytes })
    }
}

/// The language of a plugin's file, as the API names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    JavaScript,
    TypeScript,
    Wasm,
}

impl Language {
    fn media_type(self) -> &'static str {
        match self {
            Self::JavaScript => "text/javascript",
            Self::TypeScript => "application/typescript",
            Self::Wasm => "application/wasm",
        }
    }
}

/// The file's name without its ending, and what the ending stands for.
pub(super) fn stem_and_language(file: &Path) -> Result<(String, Language), Usage> {
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

pub(crate) async fn run(remote: &Remote, mut upload: Upload) -> anyhow::Result<()> {
    for (sent, what) in [(&upload.manifest, "settings"), (&upload.cases, "golden cases")] {
        if let Some(sent) = sent {
            print_error(&format!("with the {what} of {}", sent.file_name));
        }
    }
    let activate = if upload.activate { "true" } else { "false" };
    let mut request = remote.request(Method::PUT, &[&upload.name])?.query(&[("activate", activate)]);
    if let Some(etag) = &upload.if_match {
        request = request.header(header::IF_MATCH, etag);
    }
    let request = upload.body(request)?;
    let answer = remote.ask(WRITE, request).await.map_err(|error| about(error, &upload.source.file_name))?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    print_line(&rendered(&upload.name, answer.status == StatusCode::CREATED, &answer.json()?));
    Ok(())
}

/// Findings without a file belong to the uploaded one.
fn about(error: anyhow::Error, file: &str) -> anyhow::Error {
    match error.downcast::<ServerRefusal>() {
        Ok(mut refusal) => {
            file.clone_into(&mut refusal.file);
            refusal.into()
        }
        Err(other) => other,
    }
}

/// The result, as text.
fn rendered(name: &str, is_new: bool, answer: &Value) -> String {
    let text = |pointer| view::text(answer, pointer);
    let id = text("/version/id");
    let is_active = answer.pointer("/version/active") == Some(&Value::Bool(true));
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
    format!("{headline}\n{}", view::pairs(&lines))
}

#[cfg(test)]
mod tests;
