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
use claimsmith_api::configs::ServerSetting;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new().route("/console/settings", get(show_settings))
}

/// What screens say of a setting.
trait SettingFacts {
    /// A description of the value's source.
    fn origin(&self) -> String;
    fn is_default(&self) -> bool;
    fn fits(&self, search: &str) -> bool;
}

impl SettingFacts for ServerSetting {
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
    settings: Vec<ServerSetting>,
}

async fn show_settings(caller: Caller) -> Result<Response, Failure> {
    let search = caller.query("q").unwrap_or_default().to_owned();
    let mut settings: Vec<ServerSetting> = caller.get("/api/configs/server").await?;
    settings.retain(|setting| setting.fits(&search));
    show(&caller, &SettingsPage { frame: Frame::new(&caller, Section::Settings), search, settings })
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_api::configs::SettingSource;

    #[test]
    fn settings_are_found_by_key_variable_and_words() {
        let source = SettingSource { kind: "environment".to_owned(), name: Some("DATABASE_URL".to_owned()) };
        let setting = ServerSetting {
            key: "database.url".to_owned(),
            value: None,
            default_value: None,
            source,
            environment: "CLAIMSMITH_DATABASE_URL".to_owned(),
            flag: None,
            description: "Where the data are".to_owned(),
            accepts: String::new(),
            is_secret: true,
        };
        assert_eq!(setting.origin(), "Environment, DATABASE_URL");
        for (search, fits) in [("", true), ("database_url", true), ("THE DATA", true), ("mail", false)] {
            assert_eq!(setting.fits(search), fits, "{search}");
        }
    }
}
