//! A plugin being edited: three texts, and the version that they are based on.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::plugins::{api, cases, settings};
use claimsmith_api::plugins::{SourceView, VersionWithSource};

/// The texts of a draft.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// Empty while a new plugin has no name.
    pub name: String,
    pub language: String,
    pub source: String,
    /// The settings, as TOML.
    pub settings: String,
    /// The golden cases, as JSON.
    pub cases: String,
    /// `ETag` of the API object that the draft is based on, for `If-Match`.
    pub etag: String,
    /// Plugin version that the draft is based on.
    pub version: String,
}

/// A submitted draft, with problems of the setting and case forms that could not be merged into the texts.
pub(super) struct PostedDraft {
    pub draft: Draft,
    pub cases: cases::Cases,
    /// Part and message of each problem.
    pub problems: Vec<(&'static str, String)>,
}

impl PostedDraft {
    /// Reads a submitted form, and merges its setting and case forms into the texts.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.raw(name).replace("\r\n", "\n");
        let (settings, problems) = settings::merge(&text("settings"), form);
        let cases = cases::Cases::merge(&text("cases"), form);
        let mut problems: Vec<_> = problems.into_iter().map(|problem| ("settings", problem)).collect();
        problems.extend(cases.problems.iter().map(|problem| ("cases", problem.clone())));
        let draft = Draft {
            name: form.text("name").to_owned(),
            language: form.text("language").to_owned(),
            source: text("source"),
            settings,
            cases: cases.text.clone(),
            etag: form.text("etag").to_owned(),
            version: form.text("version").to_owned(),
        };
        Self { draft, cases, problems }
    }
}

impl Draft {
    /// The current texts of a plugin; with `version`, source and cases of that version.
    pub(super) async fn of_plugin(caller: &Caller, name: &str, version: Option<&str>) -> Result<Self, Failure> {
        let answer = caller.read::<SourceView>(&format!("{}/source", api(name))).await?;
        let (source, etag) = (answer.body, answer.etag.unwrap_or_default());
        let mut draft = Self {
            name: name.to_owned(),
            language: source.language,
            source: source.source.unwrap_or_default(),
            settings: source.settings.unwrap_or_default(),
            cases: source.cases.unwrap_or_default(),
            etag,
            version: source.version.unwrap_or_default(),
        };
        if let Some(id) = version {
            let path = format!("{}/versions/{}", api(name), crate::caller::segment(id));
            let VersionWithSource { version, source, cases, .. } = caller.get(&path).await?;
            draft.language = version.language;
            draft.source = source.unwrap_or_default();
            draft.cases = cases.unwrap_or_default();
            draft.version = version.id;
        }
        Ok(draft)
    }

    /// The kind of the plugin, guessed from its source.
    pub(super) fn kind(&self) -> &'static str {
        if self.source.contains("transformWebhook") {
            "webhook-transform"
        } else if self.source.contains("composeMessage") {
            "message"
        } else {
            "claims"
        }
    }

    /// The extension of its source file.
    pub(super) fn ending(&self) -> &'static str {
        if self.language == "typescript" { "ts" } else { "js" }
    }
}
