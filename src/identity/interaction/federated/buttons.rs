//! Buttons of social connectors on the pages, in the order of the settings.

use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::upstream::presets::Preset;
use claimsmith_storage::connectors::{self, Connector};
use claimsmith_storage::{self as storage, Tx};
use serde_json::{Map, Value, json};

/// The button of a connector.
#[derive(Clone, Debug)]
pub struct Button {
    /// The connector.
    pub id: String,
    /// The target of its identities.
    pub target: String,
    /// The display name, by language.
    pub names: Map<String, Value>,
    /// The URL of the logo; empty for none.
    pub logo: String,
    /// The logo in dark mode.
    pub logo_dark: Option<String>,
    /// Whether it is a standard connector.
    pub is_standard: bool,
}

impl Button {
    /// Its name in a language, or in English.
    #[must_use]
    pub fn name(&self, language: &str) -> &str {
        let general = language.split('-').next().unwrap_or_default();
        let named = [language, general, "en"].into_iter().find_map(|tag| self.names.get(tag).and_then(Value::as_str));
        named.or_else(|| self.names.values().find_map(Value::as_str)).unwrap_or(&self.target)
    }

    /// The public data of the connector.
    #[must_use]
    pub fn shown(&self) -> Value {
        json!({
            "id": self.id, "target": self.target, "name": self.names, "logo": self.logo, "logoDark": self.logo_dark,
            "platform": "Universal", "isStandard": self.is_standard,
        })
    }
}

/// The connectors that the settings enable.
pub async fn list(tx: &mut Tx, settings: &SignInExperience) -> storage::Result<Vec<Button>> {
    if settings.social_sign_in_connector_targets.is_empty() {
        return Ok(Vec::new());
    }
    let all = connectors::list(tx, None).await?;
    let named = settings.social_sign_in_connector_targets.iter().flat_map(|target| {
        all.iter()
            .filter(move |connector| connector.kind == ConnectorType::Social && connector.target == target.as_str())
    });
    Ok(named.filter_map(button).collect())
}

fn button(connector: &Connector) -> Option<Button> {
    let preset = Preset::find(&connector.connector_id)?;
    let text = |name: &str| connector.metadata.get(name).and_then(Value::as_str).map(str::to_owned);
    let names = match connector.metadata.get("name") {
        Some(Value::Object(names)) if !names.is_empty() => names.clone(),
        _ => Map::from_iter([("en".to_owned(), Value::String(preset.name.to_owned()))]),
    };
    Some(Button {
        id: connector.id.to_string(),
        target: connector.target.clone(),
        names,
        logo: text("logo").unwrap_or_default(),
        logo_dark: text("logoDark"),
        is_standard: preset.is_standard(),
    })
}
