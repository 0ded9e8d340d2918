//! An upload of one version: its files, how it is called, and under which condition it is taken.

use super::{DeployArgs, Language, quoted, stem_and_language};
use crate::remote::{Remote, ServerRefusal, SuccessResponse, WRITE};
use anyhow::Context as _;
use claimsmith_runtime::SIGNATURE_ENDINGS;
use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder, header};
use std::path::{Path, PathBuf};

/// The upload.
pub(crate) struct Upload {
    pub(crate) name: String,
    pub(crate) language: Language,
    pub(crate) source: UploadedFile,
    pub(crate) manifest: Option<UploadedFile>,
    pub(crate) cases: Option<UploadedFile>,
    pub(crate) signature: Option<UploadedFile>,
    pub(crate) activate: bool,
    /// Whether it is activated although it costs much more than the active version.
    pub(crate) accept_cost: bool,
    pub(crate) condition: Condition,
    pub(crate) labels: Labels,
}

/// When the server takes it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Always,
    /// While the plugin has this entity tag.
    Unchanged(String),
    /// While there is no plugin of this name.
    New,
}

/// How it is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) label: Option<String>,
    pub(crate) note: Option<String>,
    /// The key of the folder that is applied.
    pub(crate) applied_by: Option<String>,
}

/// A file that is sent.
pub(crate) struct UploadedFile {
    pub(crate) file_name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Upload {
    /// A plugin with the files beside it, to be activated at once.
    pub(crate) fn of(file: &Path) -> anyhow::Result<Self> {
        // Whoever develops looks at the cost later.
        Self::read(&DeployArgs { file: file.to_owned(), accept_cost: true, ..DeployArgs::default() })
    }

    /// Reads the files.
    pub(crate) fn read(args: &DeployArgs) -> anyhow::Result<Self> {
        let (stem, language) = stem_and_language(&args.file)?;
        let beside =
            |ending: &str| Some(args.file.with_file_name(format!("{stem}{ending}"))).filter(|path| path.is_file());
        let companion = |named: &Option<PathBuf>, ending: &str| {
            named.clone().or_else(|| beside(ending)).map(|path| UploadedFile::read(&path)).transpose()
        };
        let signature = args.signature.clone().or_else(|| signature_of(&args.file));
        let upload = Self {
            name: stem.clone(),
            language,
            source: UploadedFile::read(&args.file)?,
            manifest: companion(&args.manifest, ".toml")?,
            cases: companion(&args.cases, ".cases.json")?,
            signature: signature.map(|path| UploadedFile::read(&path)).transpose()?,
            activate: true,
            accept_cost: false,
            condition: Condition::Always,
            labels: Labels::default(),
        };
        Ok(upload.with(args))
    }

    /// The same as the arguments say, apart from the files.
    pub(crate) fn with(self, args: &DeployArgs) -> Self {
        let labels = Labels { label: args.label.clone(), note: args.note.clone(), applied_by: None };
        Self {
            name: args.name.clone().unwrap_or(self.name),
            activate: !args.no_activate,
            accept_cost: args.accept_cost,
            condition: args.if_match.as_deref().map_or(Condition::Always, |tag| Condition::Unchanged(quoted(tag))),
            labels,
            ..self
        }
    }

    /// Sends it. Findings without a file are about its source.
    pub(crate) async fn send(&mut self, remote: &Remote) -> anyhow::Result<SuccessResponse> {
        let mut query = vec![("activate", if self.activate { "true" } else { "false" })];
        if self.accept_cost {
            query.push(("acceptCost", "true"));
        }
        let named =
            [("label", &self.labels.label), ("note", &self.labels.note), ("appliedBy", &self.labels.applied_by)];
        query.extend(named.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))));
        let mut request = remote.request(Method::PUT, &[&self.name])?.query(&query);
        match &self.condition {
            Condition::Always => {}
            Condition::Unchanged(etag) => request = request.header(header::IF_MATCH, etag),
            Condition::New => request = request.header(header::IF_NONE_MATCH, "*"),
        }
        let request = self.body(request)?;
        remote.ask(WRITE, request).await.map_err(|error| about(error, &self.source.file_name))
    }

    /// The request body: the file alone, or a form with its companion files.
    fn body(&mut self, request: RequestBuilder) -> anyhow::Result<RequestBuilder> {
        let media_type = self.language.media_type();
        let source = std::mem::take(&mut self.source.bytes);
        if self.manifest.is_none() && self.cases.is_none() && self.signature.is_none() {
            return Ok(request.header(header::CONTENT_TYPE, media_type).body(source));
        }
        let part = Part::bytes(source).file_name(self.source.file_name.clone()).mime_str(media_type)?;
        let mut form = Form::new().part("source", part);
        let companions = [
            ("manifest", &mut self.manifest, "application/toml"),
            ("cases", &mut self.cases, "application/json"),
            ("signature", &mut self.signature, "application/octet-stream"),
        ];
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
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { file_name, bytes })
    }
}

/// The signature beside a plugin's file: `hello.js.sig` of `hello.js`.
pub(crate) fn signature_of(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_string_lossy();
    let mut paths = SIGNATURE_ENDINGS.iter().map(|ending| file.with_file_name(format!("{name}{ending}")));
    paths.find(|path| path.is_file())
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
