//! Golden cases: the file format `NAME.cases.json`.

use crate::delivery::SentDelivery;
use crate::input::Input;
use crate::message::Requested;
use crate::stub_servers::{self, StubResponse};
use claimsmith_runtime::json::{self, Bounds};
use claimsmith_runtime::{
    CacheOwner, ClaimsRequest, Manifest, OutgoingMessage, ReadError, Secrets, TransformRequest, read_file,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::{collections::BTreeSet, io, path::Path};

/// The largest file of cases that is read, in bytes.
const MAX_CASES_BYTES: usize = 16 << 20;

/// Bounds of a file of cases, which may be larger than a request.
const CASES_BOUNDS: Bounds = Bounds { memory: 16 * MAX_CASES_BYTES, ..json::INCOMING };

/// One input and the expected answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name; unique in its file.
    pub name: String,
    /// The plugin's input.
    pub input: Input,
    /// The responses of stub servers.
    #[serde(default)]
    pub http: Vec<StubResponse>,
    /// What the plugin finds in its cache.
    #[serde(default)]
    pub cache: Vec<CachedEntry>,
    /// The most instructions that it may execute, in place of those of the settings.
    #[serde(default)]
    pub instructions: Option<u64>,
    /// The expected answer.
    pub expected: CaseAnswer,
}

/// An entry in the cache of a plugin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CachedEntry {
    /// Whose it is.
    pub owner: CacheOwner,
    /// Its key.
    pub key: String,
    /// Its value, which is kept as JSON text.
    pub value: Value,
}

/// An answer, expected or actual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseAnswer {
    /// Claims; expected are exactly these.
    Claims(Map<String, Value>),
    /// A denial; expected is exactly this text.
    Denied(String),
    /// A delivery that is sent; expected is exactly this.
    Sent(SentDelivery),
    /// A delivery that is not sent; expected is exactly this reason.
    Dropped(String),
    /// The request that sends a message; expected is exactly this.
    Request(Requested),
    /// A failure; expected is one whose text contains this.
    Failed(String),
}

/// Why cases were not run.
#[derive(Debug, thiserror::Error)]
pub enum CasesError {
    /// The file cannot be read.
    #[error("{file} {source}")]
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        source: ReadError,
    },
    /// The file does not contain cases.
    #[error("{file}, `{path}`: {source}")]
    Malformed {
        /// Its name.
        file: String,
        /// Where in the document.
        path: String,
        /// What was expected, with line and column.
        source: serde_json::Error,
    },
    /// Two cases share a name.
    #[error("{file}: two cases are called `{name}`")]
    Repeated {
        /// The file's name.
        file: String,
        /// The cases' name.
        name: String,
    },
}

/// The cases of a file; none when there is no such file.
pub fn load_cases(path: &Path) -> Result<Option<Vec<Case>>, CasesError> {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = match read_file(path, MAX_CASES_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(CasesError::Unreadable { file, source }),
    };
    parse_cases(&file, &bytes).map(Some)
}

/// The cases in a text; `file` is its name for errors.
pub fn parse_cases(file: &str, text: &[u8]) -> Result<Vec<Case>, CasesError> {
    let file = file.to_owned();
    let cases: Vec<Case> = json::read_at_path(text, CASES_BOUNDS).map_err(|(path, source)| CasesError::Malformed {
        file: file.clone(),
        path,
        source,
    })?;
    let mut names = BTreeSet::new();
    match cases.iter().find(|case| !names.insert(case.name.as_str())) {
        Some(case) => Err(CasesError::Repeated { file, name: case.name.clone() }),
        None => Ok(cases),
    }
}

/// The line of each case in the text of a file, from 1; none when it is no list.
#[must_use]
pub fn case_lines(text: &str) -> Vec<u32> {
    let Ok(cases) = json::read::<Vec<&RawValue>>(text, CASES_BOUNDS) else { return Vec::new() };
    let (mut lines, mut line, mut seen) = (Vec::new(), 1_u32, 0);
    for case in cases {
        // A raw value is a part of the text itself.
        let start = case.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
        let between = text.get(seen..start).unwrap_or_default().matches('\n').count();
        line = line.saturating_add(u32::try_from(between).unwrap_or(u32::MAX));
        seen = start;
        lines.push(line);
    }
    lines
}

impl CasesError {
    /// Line and column of the text, from 1, where one place is at fault.
    #[must_use]
    pub fn place(&self) -> Option<(usize, usize)> {
        match self {
            Self::Malformed { source, .. } => Some((source.line(), source.column())),
            Self::Unreadable { .. } | Self::Repeated { .. } => None,
        }
    }
}

impl Case {
    /// What the server would ask a plugin with this manifest, which may ask the case's servers, and has the case's cache.
    /// The error is for the case's author.
    pub(crate) fn request(&self, manifest: &Manifest) -> Result<ClaimsRequest, String> {
        let secrets = placeholders(manifest);
        let request = self.input.request(manifest, &secrets);
        for CachedEntry { owner, key, value } in &self.cache {
            let cache = request.cache.as_ref().ok_or("the settings declare no cache (capabilities.cache)")?;
            let kept = cache.keep(&request.context, *owner, key, value.to_string().into_bytes());
            kept.map_err(|why| format!("the entry {key:?} of the case is refused: {why}"))?;
        }
        Ok(ClaimsRequest { http: stub_servers::access(manifest, &secrets, &self.http), ..request })
    }

    /// The same of a webhook transform.
    pub(crate) fn delivery(&self, manifest: &Manifest) -> TransformRequest {
        self.input.delivery(manifest, &placeholders(manifest))
    }

    /// The same of a message plugin.
    pub(crate) fn message(&self, manifest: &Manifest) -> OutgoingMessage {
        self.input.message(manifest, &placeholders(manifest))
    }
}

/// Placeholders for the secrets of a manifest, which tests cannot read.
pub(crate) fn placeholders(manifest: &Manifest) -> Secrets {
    // The settings of an upload name secrets in headers alone.
    let names: BTreeSet<&str> = manifest.secrets.keys().map(String::as_str).chain(manifest.header_secrets()).collect();
    Secrets::placeholders(names)
}
