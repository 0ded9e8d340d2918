//! Recordings of a server's calls, as `claimsmith plugin recordings pull` writes them: `NAME-ID.ndjson`, a sample on
//! each line. What is wrong with a file is said with its line.

use crate::comparison::Ending;
use crate::input::Input;
use crate::recorded_http::RecordedExchange;
use claimsmith_runtime::json::{self, Bounds};
use claimsmith_runtime::{Kind, ReadError, contract_version, read_file};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// The largest recording that is read, in bytes. A server keeps 64 MiB of a plugin.
pub const MAX_RECORDING_BYTES: usize = 128 << 20;

/// The longest line, in bytes: an input, two answers, and the bodies of HTTP requests and their answers.
pub const MAX_SAMPLE_BYTES: usize = 8 << 20;

/// Bounds of a line: the parts of an input are some levels down in it.
const SAMPLE_BOUNDS: Bounds = Bounds { depth: json::INCOMING.depth + 8, memory: 64 << 20, exact_numbers: false };

/// One recorded call: everything in it was redacted.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// Its line in the file, from 1.
    #[serde(skip)]
    pub line: usize,
    /// From 1, within its recording.
    pub number: u64,
    /// When it was called, Unix milliseconds.
    #[serde(default)]
    pub at: u64,
    /// What was called.
    pub kind: Kind,
    /// The version of the plugin contract that the server had.
    pub contract: String,
    /// The version of the plugin that answered.
    #[serde(default)]
    pub version: Option<String>,
    /// The input, as a golden case has it.
    #[serde(default)]
    pub input: Value,
    /// How the call ended.
    pub outcome: String,
    /// How the active version ended with the redacted input: what a replay is compared with. None where it could not be
    /// called.
    #[serde(default)]
    pub redacted_answer: Option<Ending>,
    /// Instructions of that, where they were counted.
    #[serde(default)]
    pub instructions: Option<u64>,
    /// What other servers answered.
    #[serde(default)]
    pub http: Vec<RecordedExchange>,
}

/// Why a recording is not replayed.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read.
    #[error("{file} {source}")]
    Unreadable {
        /// Its name.
        file: String,
        /// Why.
        source: ReadError,
    },
    /// A line is not a sample.
    #[error("{file}, line {line}: {problem}")]
    Line {
        /// The file's name.
        file: String,
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// Reads the samples of a file.
pub fn load_recording(path: &Path) -> Result<Vec<Sample>, RecordingError> {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match read_file(path, MAX_RECORDING_BYTES) {
        Ok(bytes) => parse_recording(&file, &bytes),
        Err(source) => Err(RecordingError::Unreadable { file, source }),
    }
}

/// The samples of a text; `file` is its name for errors.
pub fn parse_recording(file: &str, text: &[u8]) -> Result<Vec<Sample>, RecordingError> {
    let lines = text.split(|byte| *byte == b'\n').zip(1..).filter(|(line, _)| !line.trim_ascii().is_empty());
    let ends_within = !text.is_empty() && !text.ends_with(b"\n");
    let last = text.split(|byte| *byte == b'\n').count();
    lines
        .map(|(line, number)| {
            parse_sample(line).map(|sample| Sample { line: number, ..sample }).map_err(|problem| {
                let cut_off =
                    if ends_within && number == last { "; the file ends within it: pull it again" } else { "" };
                RecordingError::Line { file: file.to_owned(), line: number, problem: format!("{problem}{cut_off}") }
            })
        })
        .collect()
}

fn parse_sample(line: &[u8]) -> Result<Sample, String> {
    if line.len() > MAX_SAMPLE_BYTES {
        return Err(format!("it has {} bytes; at most {MAX_SAMPLE_BYTES} are accepted", line.len()));
    }
    let sample: Sample = json::read_at_path(line, SAMPLE_BOUNDS).map_err(|(path, error)| {
        // Of its place, only the column counts: a line is a document.
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        match path.as_str() {
            "." | "?" | "end" => format!("{text} (column {})", error.column()),
            path => format!("`{path}`: {text} (column {})", error.column()),
        }
    })?;
    check_contract(&sample.contract)?;
    sample.parsed_input()?;
    Ok(sample)
}

impl Sample {
    /// The input as plugins are called with it.
    ///
    /// # Errors
    /// What in it is not known.
    pub fn parsed_input(&self) -> Result<Input, String> {
        let input: Input = serde_json::from_value(self.input.clone()).map_err(|error| format!("`input`: {error}"))?;
        input.check(self.kind).map_err(|error| format!("`input`: {error}"))?;
        Ok(input)
    }

    /// Whether the server had an older contract than this program.
    #[must_use]
    pub fn is_older(&self) -> bool {
        parts(&self.contract).zip(parts(contract_version())).is_some_and(|(recorded, own)| recorded < own)
    }
}

/// Within one major version, a newer contract only adds to inputs: an older one is read.
fn check_contract(recorded: &str) -> Result<(), String> {
    let own = contract_version();
    match parts(recorded).zip(parts(own)) {
        None => Err(format!("`contract`: `{recorded}` is not a version of the plugin contract, such as {own}")),
        Some((then, now)) if then[0] < now[0] => {
            Err(format!("it was recorded with the plugin contract {recorded}, which {own} does not read: record again"))
        }
        Some((then, now)) if then[..2] > now[..2] => {
            Err(format!("it was recorded with the plugin contract {recorded}; this program knows {own}: update it"))
        }
        Some(_) => Ok(()),
    }
}

fn parts(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let found = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(found)
}
