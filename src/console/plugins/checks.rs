//! The server's check of a draft: problems with their position, and the result of each golden case.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::plugins::draft::Draft;
use crate::plugins::model::duration;
use crate::refusal::ApiRefusal;
use axum::http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

/// The response of a check.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Check {
    pub accepted: bool,
    pub diagnostics: Vec<Diagnostic>,
    pub cases: Vec<CaseResult>,
    pub facts: Option<Facts>,
    /// What is to be known of it that is no problem, such as its cost.
    pub warnings: Vec<String>,
}

/// A problem.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Diagnostic {
    /// `source`, `settings` or `cases`.
    pub part: String,
    pub kind: String,
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
    pub case: Option<String>,
}

/// The result of a golden case.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct CaseResult {
    pub name: String,
    pub passed: bool,
    pub got: Option<Value>,
    pub message: Option<String>,
    pub logs: Vec<LogLine>,
    pub duration_us: u64,
    pub instructions: Option<u64>,
}

/// Facts about a draft that loads.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Facts {
    pub kind: String,
    pub world: String,
    pub exports: Vec<String>,
    pub imports: Vec<String>,
    pub size: u64,
}

/// A log line of the plugin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LogLine {
    pub level: String,
    pub message: String,
}

impl Diagnostic {
    /// A problem that the console itself found.
    pub(super) fn of_form(part: &str, message: String) -> Self {
        Self { part: part.to_owned(), message, ..Self::default() }
    }

    /// The label of the part.
    pub(super) fn part_title(&self) -> &'static str {
        match self.part.as_str() {
            "settings" => "Settings",
            "cases" => "Golden cases",
            _ => "Source",
        }
    }

    /// The position, such as "line 3, column 7".
    pub(super) fn place(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}"),
            (Some(line), None) => format!("line {line}"),
            _ => String::new(),
        }
    }
}

impl CaseResult {
    pub(super) fn time(&self) -> String {
        duration(self.duration_us)
    }
}

impl Check {
    /// Checks a draft; the inner error says why there is no check, such as a busy server or one without this feature.
    pub(super) async fn of(caller: &Caller, draft: &Draft) -> Result<Result<Self, String>, Failure> {
        let (settings, cases) = (&draft.settings, &draft.cases);
        let body = json!({
            "name": if draft.name.is_empty() { "draft" } else { &draft.name },
            "language": draft.language, "source": draft.source, "settings": settings,
            "cases": if cases.trim().is_empty() { Value::Null } else { Value::String(cases.clone()) },
        });
        match caller.write(Method::POST, "/api/plugin-checks", body).await {
            Ok(check) => Ok(Ok(check)),
            Err(failure) if failure.is_missing() => Ok(Err("This server does not check drafts.".to_owned())),
            Err(failure) => Ok(Err(failure.into_part()?.text())),
        }
    }

    /// Converts the findings of a refused upload.
    pub(super) fn of_refusal(refusal: &ApiRefusal) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Finding {
            file: String,
            #[serde(flatten)]
            diagnostic: Diagnostic,
        }
        let findings = refusal.data.get("findings").cloned().unwrap_or_default();
        let findings: Vec<Finding> = serde_json::from_value(findings).unwrap_or_default();
        let diagnostics = findings.into_iter().map(|Finding { file, mut diagnostic }| {
            let ending = file.rsplit('.').next().unwrap_or_default();
            let part = match (ending, diagnostic.kind.as_str()) {
                ("json", _) | (_, "case") => "cases",
                ("toml", _) | (_, "manifest") => "settings",
                _ => "source",
            };
            part.clone_into(&mut diagnostic.part);
            diagnostic
        });
        Self { diagnostics: diagnostics.collect(), ..Self::default() }
    }

    /// The result of a case by name.
    pub(super) fn case(&self, name: &str) -> Option<&CaseResult> {
        self.cases.iter().find(|case| case.name == name)
    }

    /// Number of passed cases.
    pub(super) fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    #[test]
    fn findings_of_an_upload_belong_to_a_part() {
        let body = json!({ "code": "plugin.refused", "message": "no", "data": { "findings": [
            { "kind": "syntax", "message": "Unexpected token", "file": "a.js", "line": 2, "column": 6 },
            { "kind": "manifest", "message": "unknown key", "file": "a.toml", "line": 1 },
            { "kind": "case", "message": "other claims", "file": "a.cases.json", "case": "one" },
        ] } });
        let refusal = ApiRefusal::read(StatusCode::UNPROCESSABLE_ENTITY, body.to_string().as_bytes());
        let check = Check::of_refusal(&refusal);
        let parts: Vec<_> = check.diagnostics.iter().map(|found| (found.part.as_str(), found.place())).collect();
        assert_eq!(
            parts,
            [("source", "line 2, column 6".to_owned()), ("settings", "line 1".to_owned()), ("cases", String::new())]
        );
    }
}
