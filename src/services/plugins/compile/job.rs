//! The job of the compiler process: one line of JSON, and the source after it.

use claimsmith_runtime::{Language, Limits, Source, json};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead, Read},
    path::PathBuf,
    time::Duration,
};

/// The longest header that is read, in bytes: the cases of the harness, escaped.
const MAX_HEADER_BYTES: u64 = 128 << 20;

/// An upload.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The source, with the plugin's name.
    pub source: Source,
    /// Its settings, if there are any.
    pub manifest: Option<UploadedText>,
    /// Its golden cases, if there are any.
    pub cases: Option<UploadedText>,
}

/// A text of an upload.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UploadedText {
    /// Its name, for findings. A manifest whose name ends in `.json` is JSON, any other one is TOML.
    pub file: String,
    /// The text.
    pub text: String,
}

/// Everything but the source.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct JobHeader {
    pub(super) name: String,
    pub(super) language: Language,
    /// Bytes of the source.
    pub(super) size: usize,
    /// `sha256:…` of the source.
    pub(super) digest: String,
    pub(super) manifest: Option<UploadedText>,
    pub(super) cases: Option<UploadedText>,
    /// Whether it is for the engine that counts instructions.
    pub(super) metered: bool,
    /// The server waits for it at startup, so it does not lower its priority.
    #[serde(default)]
    pub(super) urgent: bool,
    pub(super) setting: CompileSettings,
}

/// The settings that all jobs of one server share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CompileSettings {
    pub(super) cache_dir: Option<PathBuf>,
    pub(super) max_source: usize,
    /// The default limits of a call.
    pub(super) limits: Limits,
    /// The highest limits that a manifest may set.
    pub(super) bounds: Limits,
    /// Bytes of memory that the child may use.
    pub(super) memory: usize,
    /// Processor time that it may use; the parent watches the clock.
    pub(super) timeout: Duration,
}

impl Upload {
    /// The line that goes before the source.
    pub(super) fn header(&self, setting: &CompileSettings, metered: bool, urgent: bool) -> serde_json::Result<Vec<u8>> {
        let header = JobHeader {
            name: self.source.name.clone(),
            language: self.source.language,
            size: self.source.bytes().len(),
            digest: self.source.digest().to_owned(),
            manifest: self.manifest.clone(),
            cases: self.cases.clone(),
            metered,
            urgent,
            setting: setting.clone(),
        };
        let mut line = serde_json::to_vec(&header)?;
        line.push(b'\n');
        Ok(line)
    }
}

impl JobHeader {
    /// Reads the line; what follows stays in `input`.
    pub(super) fn read(input: &mut impl BufRead) -> io::Result<Self> {
        let mut line = Vec::new();
        input.take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)?;
        Ok(json::read(&line, json::STORED)?)
    }

    /// Reads the source that follows.
    pub(super) fn read_source(&self, input: &mut impl Read) -> io::Result<Source> {
        let mut bytes = vec![0; self.size];
        input.read_exact(&mut bytes)?;
        Ok(Source::new(self.name.as_str(), self.language, bytes).with_digest(self.digest.clone()))
    }
}
