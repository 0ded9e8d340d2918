//! `/console/settings`: the settings that the server started with, their sources, and how to change them.

use crate::Console;
use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::Router;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new().route("/console/settings", get(show_settings))
}

/// A setting.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Setting {
    key: String,
    /// None for secrets.
    value: Option<String>,
    default_value: Option<String>,
    source: ValueSource,
    environment: String,
    flag: Option<String>,
    description: String,
    accepts: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ValueSource {
    kind: String,
    name: Option<String>,
}

impl Setting {
    /// A description of the value's source.
    fn origin(&self) -> String {
        let name = self.source.name.as_deref().unwrap_or_default();
        match self.source.kind.as_str() {
            "default" => "Default".to_owned(),
            "follows" => format!("Follows {name}"),
            "file" => format!("File {name}"),
            "environment" => format!("Environment, {name}"),
            "flag" => format!("Flag {name}"),
            other => other.to_owned(),
        }
    }

    fn is_default(&self) -> bool {
        matches!(self.source.kind.as_str(), "default" | "follows")
    }

    fn fits(&self, search: &str) -> bool {
        let search = search.to_lowercase();
        let texts = [&self.key, &self.environment, &self.description];
        texts.iter().any(|text| text.to_lowercase().contains(&search))
    }
}

#[derive(Template)]
#[template(path = "settings/settings.html")]
struct SettingsPage {
    frame: Frame,
    search: String,
    settings: Vec<Setting>,
}

async fn show_settings(caller: Caller) -> Result<Response, Failure> {
    let search = caller.query("q").unwrap_or_default().to_owned();
    let mut settings: Vec<Setting> = caller.get("/api/configs/server").await?;
    settings.retain(|setting| setting.fits(&search));
    show(&caller, &SettingsPage { frame: Frame::new(&caller, Section::Settings), search, settings })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_found_by_key_variable_and_words() {
        let setting: Setting = serde_json::from_value(json!({ "key": "database.url",
            "environment": "CLAIMSMITH_DATABASE_URL", "description": "Where the data are",
            "source": { "kind": "environment", "name": "DATABASE_URL" } }))
        .unwrap_or_default();
        assert_eq!(setting.origin(), "Environment, DATABASE_URL");
        for (search, fits) in [("", true), ("database_url", true), ("THE DATA", true), ("mail", false)] {
            assert_eq!(setting.fits(search), fits, "{search}");
        }
    }
}
