//! Compiles and tests an upload in a child process.

use super::refusal::{not_compiled, refused};
use super::upload_body::Upload;
use claimsmith_runtime::{Kind, Language, Source};
use claimsmith_services::deployments::change::{self, AcceptedVersion};
use claimsmith_services::plugins::compile::{self, CheckedDraft, Finding, UploadedText};
use claimsmith_storage::plugins::Plugin;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use serde_json::{Value, json};

/// Maximum bytes of a component whose instructions are counted: counting needs a second compilation for another engine,
/// which takes many seconds for a large one.
const MAX_COUNTED_COMPONENT_BYTES: usize = 1 << 20;
/// Maximum bytes of the names of golden cases that are stored with their counts.
const MAX_NAMES_BYTES: usize = 16 << 10;

/// Refuses a version of a kind that does not match the plugin's settings.
pub(super) fn fits(plugin: &Plugin, kind: Kind) -> Result<(), ApiError> {
    let origin = format!("the settings of {}", plugin.name);
    let checked = change::settings(plugin)?.validate_for(kind, &origin);
    checked.map_err(|error| refused(&[Finding::of_manifest(&error)]))
}

/// Compiles and tests an upload in the child process.
pub(super) async fn compile_and_test(
    management: &Caller,
    name: &str,
    upload: Upload,
) -> Result<AcceptedVersion, ApiError> {
    let document = |file: String| move |text: String| UploadedText { file, text };
    let job = compile::Upload {
        source: Source::new(name, upload.language, upload.source),
        manifest: upload.manifest.map(document(format!("{name}.toml"))),
        cases: upload.cases.clone().map(document(format!("{name}.cases.json"))),
    };
    let accepted = management.app.plugins.compiler().compile_at(upload.place, &job).await.map_err(not_compiled)?;
    let instructions = count_instructions(management, &job).await;
    let facts = json!({
        "kind": accepted.kind, "world": accepted.world, "imports": accepted.imports, "instructions": instructions,
    });
    let created_by = management.id().to_owned();
    let source = management.app.deployments.keep(job.source);
    Ok(AcceptedVersion {
        source,
        kind: accepted.kind,
        facts,
        http: None,
        cases: upload.cases,
        created_by,
        label: None,
        note: None,
    })
}

/// The instructions of each golden case, `{total, cases}`; null if none can be counted. A failed count does not refuse
/// the upload.
async fn count_instructions(management: &Caller, job: &compile::Upload) -> Value {
    let is_large = job.source.language == Language::Wasm && job.source.bytes().len() > MAX_COUNTED_COMPONENT_BYTES;
    if job.cases.is_none() || is_large {
        return Value::Null;
    }
    let Ok(CheckedDraft { cases, .. }) = management.app.plugins.compiler().check(job).await else { return Value::Null };
    let (mut total, mut names, mut counted) = (0_u64, 0, Vec::new());
    for case in cases {
        let Some(instructions) = case.instructions else { continue };
        total = total.saturating_add(instructions);
        names += case.name.len();
        if names <= MAX_NAMES_BYTES {
            counted.push(json!({ "name": case.name, "instructions": instructions }));
        }
    }
    if total == 0 { Value::Null } else { json!({ "total": total, "cases": counted }) }
}
