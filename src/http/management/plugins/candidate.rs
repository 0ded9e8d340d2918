//! Compiles and tests an upload in a child process, and maps failures to error responses.

use super::upload_body::Upload;
use crate::deployments::change::{self, Candidate};
use crate::http::error::ApiError;
use crate::http::extract::management::Caller;
use crate::plugins::compile::{self, CompileError, Document, Finding};
use crate::storage::plugins::Plugin;
use claimsmith_runtime::{Kind, Source};
use serde_json::json;

/// What a refused upload is told to wait, in seconds.
const RETRY_AFTER: u16 = 5;

/// Refuses a version of another kind than the plugin's settings are for.
pub(super) fn fits(plugin: &Plugin, kind: Kind) -> Result<(), ApiError> {
    let origin = format!("the settings of {}", plugin.name);
    let checked = change::settings(plugin)?.validate_for(kind, &origin);
    checked.map_err(|error| refused(&[Finding::of_manifest(&error)]))
}

/// Has an upload compiled and tried.
pub(super) async fn judge(management: &Caller, name: &str, upload: Upload) -> Result<Candidate, ApiError> {
    let document = |file: String| move |text: String| Document { file, text };
    let job = compile::Upload {
        name: name.to_owned(),
        language: upload.language,
        bytes: upload.source.as_ref().into(),
        manifest: upload.manifest.map(document(format!("{name}.toml"))),
        cases: upload.cases.clone().map(document(format!("{name}.cases.json"))),
    };
    let accepted = management.app.plugins.compiler().compile(&job).await.map_err(not_compiled)?;
    let facts = json!({ "kind": accepted.kind, "world": accepted.world, "imports": accepted.imports });
    let source = Source { name: name.to_owned(), language: upload.language, bytes: upload.source.into() };
    let created_by = management.id().to_owned();
    let digest = accepted.digest;
    Ok(Candidate { source, digest, kind: accepted.kind, facts, http: None, cases: upload.cases, created_by })
}

/// Why something is not compiled, as the API tells it.
pub(super) fn not_compiled(error: CompileError) -> ApiError {
    match error {
        CompileError::Refused(findings) => refused(&findings),
        CompileError::Busy => ApiError::unavailable("plugin.busy", error.to_string(), RETRY_AFTER),
        CompileError::Unkept => {
            tracing::error!(%error, "an upload was refused");
            let message = format!("Nothing was changed: {error}.");
            ApiError::unavailable("plugin.compiler_unavailable", message, RETRY_AFTER)
        }
        CompileError::Unavailable(_) => {
            tracing::error!(%error, "an upload was refused");
            let message = "Nothing was changed: plugins cannot be compiled now; see the server's log.";
            ApiError::unavailable("plugin.compiler_unavailable", message, RETRY_AFTER)
        }
    }
}

/// 422 with what is wrong with an upload.
pub(super) fn refused(findings: &[Finding]) -> ApiError {
    let message = findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("\n");
    ApiError::unprocessable("plugin.refused", &message).with_data(json!({ "findings": findings }))
}
