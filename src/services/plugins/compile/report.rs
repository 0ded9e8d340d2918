//! The report of a compilation: facts about an accepted plugin, or the findings of a refused one.

use claimsmith_harness::CasesError;
use claimsmith_runtime::{Kind, LoadError, ManifestError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The child's answer: facts, at least one finding, or both.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CompileReport {
    /// The facts about the plugin, if it loads.
    pub(super) facts: Option<Accepted>,
    pub(super) findings: Vec<Finding>,
    /// The golden cases that were run.
    #[serde(default)]
    pub(super) cases: Vec<CaseResult>,
    /// Why the compiler failed, if not because of the upload.
    #[serde(default)]
    pub(super) failure: Option<CompilerFailure>,
    /// The parts of the sandbox that the system does not offer.
    #[serde(default)]
    pub(super) missing: Vec<String>,
}

impl CompileReport {
    pub(super) fn of(findings: Vec<Finding>) -> Self {
        Self { facts: None, findings, cases: Vec::new(), failure: None, missing: Vec::new() }
    }
}

/// A failure of the compiler that the upload did not cause.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CompilerFailure {
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

/// The results of compiling and testing a draft, accepted or not.
#[derive(Clone, Debug, Default)]
pub struct CheckedDraft {
    /// The facts about it, if it loads.
    pub facts: Option<Accepted>,
    /// Its problems; it is accepted if there are none.
    pub findings: Vec<Finding>,
    /// Its golden cases, unless there are other findings.
    pub cases: Vec<CaseResult>,
}

/// What came of one golden case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseResult {
    /// Its name.
    pub name: String,
    /// Where it begins in its file, from 1.
    pub line: Option<u32>,
    /// Whether the plugin answered as expected.
    pub passed: bool,
    /// What it expects; null when that is too long to be told, as the following are.
    #[schema(value_type = Option<Object>)]
    pub expected: Option<Value>,
    /// What the plugin answered, in the same form.
    #[schema(value_type = Option<Object>)]
    pub got: Option<Value>,
    /// What is wrong: the lines of a comparison; null when it passed.
    pub message: Option<String>,
    /// `ok`, or a word of how the call failed.
    pub outcome: String,
    /// Reserved claims or headers that the plugin tried to set.
    pub dropped: Vec<String>,
    /// What the plugin wrote.
    #[schema(value_type = Vec<Object>)]
    pub logs: Vec<Value>,
    /// Wall-clock microseconds.
    pub duration_us: u64,
    /// WebAssembly instructions, where they are counted.
    pub instructions: Option<u64>,
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
    /// The line of its end, where more than a point is at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The column behind its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
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
    /// No trusted key signed it, and one must have.
    Signature,
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
            end_line: None,
            end_column: None,
            key: None,
            case: None,
            expected: None,
            actual: None,
        }
    }

    /// As one text, with its place.
    pub(crate) fn text(&self) -> String {
        let Self { message, file, line, column, .. } = self;
        // A stack trace names the places itself.
        let file = file.clone().filter(|file| !message.contains(file.as_str()));
        let (line, column, message) = (*line, *column, message.clone());
        claimsmith_runtime::Finding { file, line, column, end: None, message }.to_string()
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
        error.findings().into_iter().map(move |found| {
            let (end_line, end_column) = found.end.unzip();
            let found_here = Self::new(kind, found.message);
            Self { file: found.file, line: found.line, column: found.column, end_line, end_column, ..found_here }
        })
    }

    /// A signature that is missing or wrong.
    #[must_use]
    pub fn of_signature(problem: &str) -> Self {
        Self::new(FindingKind::Signature, format!("signature: {problem}"))
    }

    /// An unsupported key of a manifest.
    #[must_use]
    pub fn in_manifest(file: &str, key: &str, message: &str) -> Self {
        let (file, key) = (Some(file.to_owned()), Some(key.to_owned()));
        Self { file, key, ..Self::new(FindingKind::Manifest, message) }
    }

    /// A problem of a manifest.
    #[must_use]
    pub fn of_manifest(error: &ManifestError) -> Self {
        let (end_line, end_column) = error.end().unzip();
        Self {
            file: Some(error.file().to_owned()),
            line: error.line(),
            column: error.column(),
            end_line,
            end_column,
            key: error.key().map(str::to_owned),
            ..Self::new(FindingKind::Manifest, error.message())
        }
    }

    /// The same with the line of its key in the text, if only the key is known.
    #[must_use]
    pub fn located_in(mut self, settings: &str) -> Self {
        self.line = self.line.or_else(|| line_of_key(settings, self.key.as_deref()?));
        self
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

/// The line of a dotted key, or of the section of that name, in the text of TOML settings, from 1.
fn line_of_key(text: &str, key: &str) -> Option<u32> {
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    let mut current = "";
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some((header, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            current = header.trim();
            if current == key {
                return Some(number);
            }
        } else if let Some((known, _)) = line.split_once('=')
            && current == section
            && known.trim().trim_matches('"') == name
        {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_key_is_found() {
        let text = "order = 1\n# on_error\non_error = \"retry\"\n[capabilities.http]\nhosts = []\n[secrets]\nKEY = 1";
        for (key, line) in [
            ("on_error", Some(3)),
            ("capabilities.http", Some(4)),
            ("capabilities.http.hosts", Some(5)),
            ("secrets", Some(6)),
            ("secrets.KEY", Some(7)),
            ("hosts", None),
        ] {
            assert_eq!(line_of_key(text, key), line, "{key}");
        }
    }
}
