//! Compiles and tests an upload in a child process.

use super::refusal::{not_compiled, refused};
use super::upload_body::Upload;
use crate::deployments::change::{self, Candidate};
use crate::http::error::ApiError;
use crate::http::extract::management::Caller;
use crate::plugins::compile::{self, Document, Finding};
use crate::storage::plugins::Plugin;
use claimsmith_runtime::{Kind, Source};
use serde_json::json;

/// Refuses a version of another kind than the plugin's settings are for.
pub(super) fn fits(plugin: &Plugin, kind: Kind) -> Result<(), ApiError> {
    let origin = format!("the settings of {}", plugin.name);
    let checked = change::settings(plugin)?.validate_for(kind, &origin);
    checked.map_err(|error| refused(&[Finding::of_manifest(&error)]))
}

/// Has an upload compiled and tried.
pub(super) async fn compile_and_test(management: &Caller, name: &str, upload: Upload) -> Result<Candidate, ApiError> {
    let document = |file: String| move |text: String| Document { file, text };
    let job = compile::Upload {
        source: Source::new(name, upload.language, upload.source),
        manifest: upload.manifest.map(document(format!("{name}.toml"))),
        cases: upload.cases.clone().map(document(format!("{name}.cases.json"))),
    };
    let accepted = management.app.plugins.compiler().compile_at(upload.place, &job).await.map_err(not_compiled)?;
    let facts = json!({ "kind": accepted.kind, "world": accepted.world, "imports": accepted.imports });
    let created_by = management.id().to_owned();
    Ok(Candidate { source: job.source, kind: accepted.kind, facts, http: None, cases: upload.cases, created_by })
}
