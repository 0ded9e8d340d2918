//! Connectors to other services. Each is created by a factory, which defines its configuration: the fields, which of
//! them are secret, and where the secrets are sent.

pub mod configuration;
mod http;
mod plugin;
mod smtp;
mod social;

pub use http::HttpConfig;
pub use plugin::{PluginConfig, is_by_plugin};
pub use smtp::{SmtpConfig, SmtpEncryption};
pub use social::ENTERPRISE;

use crate::documents::connector::{ConnectorType, FormItem, Platform};
use serde_json::Value;

/// Creates connectors of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Factory {
    /// Its id, such as `smtp`.
    pub id: &'static str,
    /// The type of its connectors.
    pub kind: ConnectorType,
    /// The key of users' identities, unless the connector sets its own.
    pub target: &'static str,
    /// The platform of social connectors.
    pub platform: Option<Platform>,
    /// Whether a connector has a target, a name and a logo of its own.
    pub is_standard: bool,
    /// Whether it can store the tokens of the other service.
    pub is_token_storage_supported: bool,
    /// Its name, in English.
    pub name: &'static str,
    /// Its description, in English.
    pub description: &'static str,
    /// The logo, as a URL or a path; empty for none.
    pub logo: &'static str,
    /// The fields of its configuration.
    pub form_items: &'static [FormItem],
    /// A sample configuration, JSON.
    pub config_template: &'static str,
    /// JSON pointers to the secrets in the configuration.
    pub secrets: &'static [&'static str],
    /// JSON pointers to the members that define where secrets are sent and how they are protected in transit: when one
    /// of them changes, the secrets must be entered again.
    pub destination: &'static [&'static str],
    /// Validates a configuration.
    pub check: fn(&Value) -> Result<(), String>,
}

/// The factories. A further kind of connectors adds its own slice.
static FACTORIES: &[&[Factory]] = &[&[smtp::SMTP, http::EMAIL, http::SMS, plugin::EMAIL, plugin::SMS], &social::ALL];

/// Every factory.
pub fn factories() -> impl Iterator<Item = &'static Factory> {
    FACTORIES.iter().copied().flatten()
}

/// The factory with this id.
#[must_use]
pub fn factory(id: &str) -> Option<&'static Factory> {
    factories().find(|factory| factory.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_factory_is_described_and_its_template_is_json() -> Result<(), serde_json::Error> {
        let ids: BTreeSet<&str> = factories().map(|factory| factory.id).collect();
        assert_eq!(ids.len(), factories().count(), "two factories have one id");
        for one in factories() {
            let template: Value = serde_json::from_str(one.config_template)?;
            assert!(template.is_object() && !one.name.is_empty() && !one.description.is_empty(), "{}", one.id);
            assert_eq!(one.platform.is_some(), one.kind == ConnectorType::Social, "{}", one.id);
            for pointer in one.secrets.iter().chain(one.destination) {
                assert!(pointer.starts_with('/'), "{}: {pointer}", one.id);
            }
            assert_eq!(factory(one.id).map(|found| found.id), Some(one.id));
        }
        assert!(factory("carrier-pigeon").is_none());
        Ok(())
    }
}
