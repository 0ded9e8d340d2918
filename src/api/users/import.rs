//! The lines with which `POST /api/users/import` answers.

use serde::{Deserialize, Serialize};

/// A line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImportLine {
    /// Between others.
    Progress(ImportCounts),
    /// The last one.
    Done(ImportEnd),
    /// The last one, when not all of the body was read.
    Stopped(ImportStop),
    /// A user who was not created.
    #[serde(untagged)]
    Refused(RefusedUser),
}

/// How many lines were read, and what came of them.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ImportCounts {
    pub lines: u64,
    pub created: u64,
    pub failed: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportEnd {
    #[serde(flatten)]
    pub counts: ImportCounts,
    pub dry_run: bool,
}

/// Why an import ended before its body did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportStop {
    pub code: String,
    pub message: String,
    #[serde(flatten)]
    pub end: ImportEnd,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefusedUser {
    /// The line where it begins, from 1.
    pub line: u64,
    pub code: String,
    pub message: String,
}
