//! Connectors: what reaches another service. Each is made by a factory, which knows its configuration: what it must be,
//! what of it is secret, and where the secrets go.

pub mod configuration;
mod http;
mod plugin;
mod smtp;
mod social;

pub use http::{HttpConfig, keeps_codes_safe};
pub use plugin::{PluginConfig, is_by_plugin};
pub use smtp::{SmtpConfig, SmtpEncryption};
pub use social::ENTERPRISE;

use crate::documents::connector::{ConnectorType, FormItem, Platform};
use serde_json::Value;

/// What makes connectors of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Factory {
    /// Its id, such as `smtp`.
    pub id: &'static str,
    /// What its connectors are for.
    pub kind: ConnectorType,
    /// What identities of users are kept under, unless the connector says so itself.
    pub target: &'static str,
    /// Where its connectors work, if they are social.
    pub platform: Option<Platform>,
    /// Whether a connector has a target, a name and a logo of its own.
    pub is_standard: bool,
    /// Whether it can keep the tokens of the other service.
    pub is_token_storage_supported: bool,
    /// Its name, in English.
    pub name: &'static str,
    /// What it does, in English.
    pub description: &'static str,
    /// A picture, as a URL or a path; empty for none.
    pub logo: &'static str,
    /// The fields of its configuration.
    pub form_items: &'static [FormItem],
    /// A configuration to begin with, JSON.
    pub config_template: &'static str,
    /// Which members of the configuration are secrets, as JSON pointers.
    pub secrets: &'static [&'static str],
    /// Which members say where the secrets go and how they are protected on the way: when one of them changes, the
    /// secrets have to be given again.
    pub destination: &'static [&'static str],
    /// Whether a configuration can be used; what is wrong with it, otherwise.
    pub check: fn(&Value) -> Result<(), String>,
}

/// The factories of each kind. Those of another kind are a further slice.
static FACTORIES: &[&[Factory]] = &[&[smtp::SMTP, http::EMAIL, http::SMS, plugin::EMAIL, plugin::SMS], &social::ALL];

/// Every factory.
pub fn factories() -> impl Iterator<Item = &'static Factory> {
    FACTORIES.iter().copied().flatten()
}

/// The factory of this id.
#[must_use]
pub fn factory(id: &str) -> Option<&'static Factory> {
    factories().find(|factory| factory.id == id)
}

/// A configuration as its type, with what is wrong with it by key path.
fn read<T: serde::de::DeserializeOwned>(config: &Value) -> Result<T, String> {
    serde_path_to_error::deserialize(config)
        .map_err(|error| format!("Error in key path \"config.{}\": {}", error.path(), error.inner()))
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
