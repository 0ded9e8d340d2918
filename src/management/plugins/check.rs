//! `POST /api/plugin-checks`: all problems of a draft, with positions, and its golden cases one by one. It is compiled
//! and tested like an upload, in the confined child process; nothing is stored.

use super::cost;
use super::draft::Draft;
use super::refusal::not_compiled;
use super::upload::foreign_secrets;
use crate::refusals::{AccessRefused, BodyRefused, NotCompiled};
use axum::Json;
use claimsmith_domain::management::PluginsWrite;
use claimsmith_runtime::{Kind, Manifest};
use claimsmith_services::plugins::compile::{
    self, Accepted, CaseResult, CheckedDraft, Finding, FindingKind, UploadedText,
};
use claimsmith_storage::plugins;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::json::SourceBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde::{Deserialize, Serialize};

/// A draft of a plugin.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "stamp", "language": "javascript",
    "source": "export const getCustomJwtClaims = async ({ context }) => ({ plan: context.user?.customData?.plan });",
    "settings": "order = 10\n", "cases": "[]"
}))]
pub(super) struct CheckDraft {
    /// Its name in messages; default `draft`.
    name: Option<String>,
    /// `javascript`, `typescript` or `wasm`.
    language: String,
    /// The text of a source.
    source: Option<String>,
    /// The bytes of a component.
    source_base64: Option<String>,
    /// Its settings (TOML).
    settings: Option<String>,
    /// Its golden cases (JSON).
    cases: Option<String>,
}

/// What came of a check.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({
    "accepted": false,
    "diagnostics": [{
        "part": "source", "severity": "error", "kind": "syntax", "message": "Unexpected token", "line": 2, "column": 6,
        "endLine": 2, "endColumn": 7, "key": null, "case": null
    }],
    "cases": [], "facts": null, "warnings": []
}))]
pub(super) struct CheckView {
    /// Whether an upload of the same would be accepted.
    accepted: bool,
    /// What is wrong.
    diagnostics: Vec<Diagnostic>,
    /// The golden cases; none as long as something else is wrong.
    cases: Vec<CaseResult>,
    /// What is known of the draft, if it loads.
    facts: Option<Facts>,
    /// What is to be known of it, such as that it costs more than twice as much as the active version of that name.
    warnings: Vec<String>,
}

/// One thing that is wrong with a draft. Positions are from 1, columns in characters.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Diagnostic {
    /// `source`, `settings` or `cases`.
    part: &'static str,
    /// Always `error`.
    severity: &'static str,
    /// What sort of thing.
    kind: FindingKind,
    /// For the plugin's author.
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    /// The line of its end.
    end_line: Option<u32>,
    /// The column behind its end.
    end_column: Option<u32>,
    /// The key of the settings, dotted.
    key: Option<String>,
    /// The golden case that failed.
    case: Option<String>,
}

/// What is known of a draft that loads.
#[derive(Serialize, utoipa::ToSchema)]
struct Facts {
    /// What it is for.
    #[schema(value_type = String)]
    kind: Kind,
    /// The WIT world that it was found to be of.
    world: String,
    /// The functions that it exports.
    exports: [&'static str; 1],
    /// The interfaces that it imports.
    imports: Vec<String>,
    /// `sha256:…` of its source.
    digest: String,
    /// Bytes of its source.
    size: usize,
}

/// Checks a draft without secrets.
#[utoipa::path(
    post, path = "/api/plugin-checks", tag = "Plugins",
    request_body = CheckDraft,
    responses(
        (status = 200, description = "What came of it, whether it is accepted or not", body = CheckView),
        BodyRefused, AccessRefused, NotCompiled,
    ),
)]
pub(super) async fn check_draft(
    management: Management<PluginsWrite>,
    SourceBody(body): SourceBody<CheckDraft>,
) -> Result<Json<CheckView>, ApiError> {
    let CheckDraft { name, language, source, source_base64, settings, cases } = body;
    let (known, golden) = (name.clone(), cases.clone());
    let source = Draft { name, language, source, source_base64 }.read(&management)?;
    let (size, settings_file, cases_file) =
        (source.bytes().len(), format!("{}.toml", source.name), format!("{}.cases.json", source.name));
    let document = |file: &str| {
        let file = file.to_owned();
        move |text: String| UploadedText { file, text }
    };
    let job = compile::Upload {
        manifest: settings.clone().map(document(&settings_file)),
        cases: cases.map(document(&cases_file)),
        source,
    };
    let CheckedDraft { facts, mut findings, cases } =
        management.app.plugins.compiler().check(&job).await.map_err(not_compiled)?;
    if let Some(text) = &settings
        && let Ok(manifest) = Manifest::parse(&settings_file, text)
    {
        findings.extend(foreign_secrets(&settings_file, text, &manifest));
    }
    let warnings = match known.filter(|_| findings.is_empty()) {
        Some(name) => cost_warnings(&management, &name, golden.as_deref(), &cases).await?,
        None => Vec::new(),
    };
    let part = |finding: &Finding| match &finding.file {
        _ if finding.kind == FindingKind::Case => "cases",
        _ if finding.kind == FindingKind::Manifest => "settings",
        Some(file) if *file == settings_file => "settings",
        Some(file) if *file == cases_file => "cases",
        _ => "source",
    };
    Ok(Json(CheckView {
        accepted: findings.is_empty(),
        diagnostics: findings.into_iter().map(|finding| Diagnostic::new(part(&finding), finding)).collect(),
        cases,
        facts: facts.map(|facts| Facts::new(facts, size)),
        warnings,
    }))
}

/// What is to be said of the cost of a draft, beside the version of that plugin that serves.
async fn cost_warnings(
    management: &Caller,
    name: &str,
    golden: Option<&str>,
    cases: &[CaseResult],
) -> Result<Vec<String>, ApiError> {
    let mut tx = management.read().await?;
    let Some(plugin) = plugins::find(&mut tx, name).await? else { return Ok(Vec::new()) };
    let Some(active) = plugin.active_version else { return Ok(Vec::new()) };
    let Some(active) = plugins::versions::find(&mut tx, name, active).await? else { return Ok(Vec::new()) };
    let counted = cases.iter().filter_map(|case| Some((case.name.clone(), case.instructions?))).collect();
    Ok(cost::warning(&counted, golden, &active).into_iter().collect())
}

impl Diagnostic {
    fn new(part: &'static str, finding: Finding) -> Self {
        let Finding { kind, message, line, column, end_line, end_column, key, case, .. } = finding;
        Self { part, severity: "error", kind, message, line, column, end_line, end_column, key, case }
    }
}

impl Facts {
    fn new(facts: Accepted, size: usize) -> Self {
        let Accepted { kind, world, imports, digest, .. } = facts;
        Self { kind, world, exports: [kind.export()], imports, digest, size }
    }
}
