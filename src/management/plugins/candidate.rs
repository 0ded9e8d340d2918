//! Compiles and tests an upload in a child process.

use super::refusal::{not_compiled, refused};
use super::signature::check_signature;
use super::upload_body::Upload;
use claimsmith_harness::parse_cases;
use claimsmith_runtime::{Kind, Language, Manifest, Source};
use claimsmith_services::deployments::change::{self, AcceptedVersion};
use claimsmith_services::plugins::compile::{self, CheckedDraft, Finding, UploadedText};
use claimsmith_services::plugins::trust::TrustVerdict;
use claimsmith_storage::plugins::{self, Plugin};
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
    // Before anything is made of it.
    let TrustVerdict { signer, .. } = check_signature(management, &upload.source, upload.signature.as_deref())?;
    let document = |file: String| move |text: String| UploadedText { file, text };
    let job = compile::Upload {
        source: Source::new(name, upload.language, upload.source),
        manifest: upload.manifest.map(document(format!("{name}.toml"))),
        cases: upload.cases.clone().map(document(format!("{name}.cases.json"))),
    };
    let accepted = management.app.plugins.compiler().compile_at(upload.place, &job).await.map_err(not_compiled)?;
    let instructions = count_instructions(management, &bounded_by_settings(management, name, &job).await?).await?;
    let facts = json!({
        "kind": accepted.kind, "world": accepted.world, "imports": accepted.imports, "instructions": instructions,
    });
    let created_by = management.id().to_owned();
    let source = management.app.deployments.keep(job.source);
    let (cases, signature) = (upload.cases, upload.signature);
    let signer = signer.map(|signer| signer.to_string());
    Ok(AcceptedVersion {
        source,
        kind: accepted.kind,
        facts,
        http: None,
        cases,
        signature,
        signer,
        created_by,
        label: None,
        note: None,
    })
}

/// The same job, with the bound of instructions that the plugin has already. An upload without settings leaves it as it is.
async fn bounded_by_settings(
    management: &Caller,
    name: &str,
    job: &compile::Upload,
) -> Result<compile::Upload, ApiError> {
    let stored = match job.manifest {
        Some(_) => None,
        None => plugins::find(&mut management.read().await?, name).await?,
    };
    let bound = stored.as_ref().map(change::settings).transpose()?.and_then(|settings| settings.limits.instructions);
    let manifest = bound.map(|bound| UploadedText {
        file: format!("{name}.toml"),
        text: format!("[limits]\ninstructions = {bound}\n"),
    });
    Ok(compile::Upload { manifest: manifest.or_else(|| job.manifest.clone()), ..job.clone() })
}

/// The instructions of each golden case, `{total, cases}`; null if none can be counted. A failed count does not refuse
/// the upload, unless its cases or its settings bound the instructions.
async fn count_instructions(management: &Caller, job: &compile::Upload) -> Result<Value, ApiError> {
    let is_large = job.source.language == Language::Wasm && job.source.bytes().len() > MAX_COUNTED_COMPONENT_BYTES;
    let is_bounded = is_bounded(job);
    if job.cases.is_none() || (is_large && !is_bounded) {
        return Ok(Value::Null);
    }
    let cases = match management.app.plugins.compiler().check(job).await {
        Ok(CheckedDraft { findings, .. }) if is_bounded && !findings.is_empty() => return Err(refused(&findings)),
        Ok(CheckedDraft { cases, .. }) => cases,
        Err(error) if is_bounded => return Err(not_compiled(error)),
        Err(_) => return Ok(Value::Null),
    };
    let (mut total, mut names, mut counted) = (0_u64, 0, Vec::new());
    for case in cases {
        let Some(instructions) = case.instructions else { continue };
        total = total.saturating_add(instructions);
        names += case.name.len();
        if names <= MAX_NAMES_BYTES {
            counted.push(json!({ "name": case.name, "instructions": instructions }));
        }
    }
    Ok(if total == 0 { Value::Null } else { json!({ "total": total, "cases": counted }) })
}

/// Whether the settings or a golden case say how many instructions there may be. Both were read before.
fn is_bounded(job: &compile::Upload) -> bool {
    let settings = job.manifest.as_ref().and_then(|document| Manifest::parse(&document.file, &document.text).ok());
    if settings.is_some_and(|settings| settings.limits.instructions.is_some()) {
        return true;
    }
    let cases = job.cases.as_ref().and_then(|document| parse_cases(&document.file, document.text.as_bytes()).ok());
    cases.iter().flatten().any(|case| case.instructions.is_some())
}
