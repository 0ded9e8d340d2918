//! Error responses for uploads and drafts that are not compiled.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_services::plugins::compile::{CompileError, Finding};
use claimsmith_web::error::ApiError;
use serde_json::json;

/// `Retry-After` of a refused upload, in seconds.
const RETRY_AFTER_SECONDS: u16 = 5;

/// The error for a compilation that did not run.
pub(super) fn not_compiled(error: CompileError) -> ApiError {
    match error {
        CompileError::Refused(findings) => refused(&findings),
        CompileError::Busy => ApiError::unavailable(ApiCode::PluginBusy, error.to_string(), RETRY_AFTER_SECONDS),
        CompileError::CacheUnwritable => {
            tracing::error!(%error, "an upload was refused");
            let message = format!("Nothing was changed: {error}.");
            ApiError::unavailable(ApiCode::PluginCompilerUnavailable, message, RETRY_AFTER_SECONDS)
        }
        CompileError::Unavailable(_) => {
            tracing::error!(%error, "an upload was refused");
            let message = "Nothing was changed: plugins cannot be compiled now; the server's log says why.";
            ApiError::unavailable(ApiCode::PluginCompilerUnavailable, message, RETRY_AFTER_SECONDS)
        }
    }
}

/// 422 with the problems of an upload.
pub(super) fn refused(findings: &[Finding]) -> ApiError {
    let message = findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("\n");
    ApiError::new(ApiCode::PluginRefused, &message).with_data(json!({ "findings": findings }))
}
