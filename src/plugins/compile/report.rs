//! The report of a compilation: facts about an accepted plugin, or the findings of a refused one.

use claimsmith_harness::CasesError;
use claimsmith_runtime::{Kind, LoadError, ManifestError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The child's answer: facts, or at least one finding.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) accepted: Option<Accepted>,
    pub(super) findings: Vec<Finding>,
    /// Why the compiler failed, if not because of the upload.
    #[serde(default)]
    pub(super) failure: Option<Failure>,
    /// The parts of the sandbox that the system does not offer.
    #[serde(default)]
    pub(super) missing: Vec<String>,
}

impl Report {
    pub(super) fn of(findings: Vec<Finding>) -> Self {
        Self { accepted: None, findings, failure: None, missing: Vec::new() }
    }
}

/// A failure of the compiler that the upload did not cause.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Failure {
    /// The engine does not start.
    Start(String),
    /// The compiled plugin cannot be written to the cache.
    CacheUnwritable,
}

/// What is known of a plugin that compiled, started and passed its cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// What it is for.
    pub kind: Kind,
    /// The WIT world that it was found to be of.
    pub world: String,
    /// The interfaces that it imports.
    pub imports: Vec<String>,
    /// `sha256:…` of its source.
    pub digest: String,
    /// Bytes of its component.
    pub wasm_size: usize,
    /// Golden cases that it passed.
    pub cases: usize,
}

/// One thing that is wrong with an upload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What sort of thing.
    pub kind: FindingKind,
    /// For the plugin's author.
    pub message: String,
    /// The file, if one is at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 1, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The key of the manifest, dotted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The golden case that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// What it expects: `{"claims": {…}}`, `{"denied": "…"}` or `{"failed": "…"}`, of a webhook transform `{"sent": {…}}`,
    /// `{"dropped": "…"}` or `{"failed": "…"}`, of a message plugin `{"request": {…}}`, `{"denied": "…"}` or
    /// `{"failed": "…"}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// What the plugin answered instead, in the same form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Value>,
}

/// Sorts of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The source is larger than accepted.
    TooLarge,
    /// The source text cannot be read.
    Syntax,
    /// Neither a component nor a core module that carries its WIT.
    NotAComponent,
    /// It imports what no plugin is given, or lacks the export.
    WrongWorld,
    /// It does not start.
    Initialization,
    /// The manifest is wrong.
    Manifest,
    /// The file of golden cases is wrong, or a case failed.
    Case,
    /// Compiling or trying it needs more memory than is allowed.
    Memory,
    /// Compiling and trying it takes longer than is allowed.
    Timeout,
    /// It brought the compiler down.
    Crash,
}

impl Finding {
    pub(super) fn new(kind: FindingKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            file: None,
            line: None,
            column: None,
            key: None,
            case: None,
            expected: None,
            actual: None,
        }
    }

    /// In one text, with its place.
    pub(super) fn text(&self) -> String {
        let Self { message, file, line, column, .. } = self;
        // The text of a stack trace names places itself.
        let file = file.clone().filter(|file| !message.contains(file.as_str()));
        claimsmith_runtime::Finding { file, line: *line, column: *column, message: message.clone() }.to_string()
    }

    /// What a load found.
    pub(super) fn of_load(error: &LoadError) -> impl Iterator<Item = Self> {
        let kind = match error {
            LoadError::TooLarge { .. } => FindingKind::TooLarge,
            LoadError::Syntax(_) => FindingKind::Syntax,
            LoadError::NotAComponent(_) => FindingKind::NotAComponent,
            LoadError::WrongWorld(_) | LoadError::UnknownImports(_) => FindingKind::WrongWorld,
            LoadError::Initialization(_) => FindingKind::Initialization,
            LoadError::OutOfMemory(_) => FindingKind::Memory,
            // In the child process, any error during the work on an upload is caused by that upload.
            LoadError::Internal(_) => FindingKind::Crash,
        };
        error.findings().into_iter().map(move |found| Self {
            file: found.file,
            line: found.line,
            column: found.column,
            ..Self::new(kind, found.message)
        })
    }

    /// A key of a manifest that is not taken.
    #[must_use]
    pub fn in_manifest(file: &str, key: &str, message: &str) -> Self {
        let (file, key) = (Some(file.to_owned()), Some(key.to_owned()));
        Self { file, key, ..Self::new(FindingKind::Manifest, message) }
    }

    /// What is wrong with a manifest.
    #[must_use]
    pub fn of_manifest(error: &ManifestError) -> Self {
        Self {
            file: Some(error.file().to_owned()),
            line: error.line(),
            key: error.key().map(str::to_owned),
            ..Self::new(FindingKind::Manifest, error.message())
        }
    }

    pub(super) fn of_cases(file: &str, error: &CasesError) -> Self {
        let number = |count| u32::try_from(count).ok();
        let (line, column) = error.place().unzip();
        Self {
            file: Some(file.to_owned()),
            line: line.and_then(number),
            column: column.and_then(number),
            ..Self::new(FindingKind::Case, error.to_string())
        }
    }
}
