//! Factories of social connectors: one for each known kind of upstream.

use super::Factory;
use crate::documents::connector::{ConnectorType, FormItem, FormItemType, Platform};
use crate::upstream::presets::Preset;
use serde_json::Value;

/// The field that every social connector has.
const CLIENT_ID: FormItem = FormItem::required("clientId", FormItemType::Text, "Client ID");
const CLIENT_SECRET: FormItem = FormItem::optional("clientSecret", FormItemType::Text, "Client secret").confidential();
const SCOPE: FormItem = FormItem::optional("scope", FormItemType::Text, "Scopes, with spaces between them");
const METHOD: FormItem = FormItem::optional(
    "tokenEndpointAuthMethod",
    FormItemType::Text,
    "How the secret is sent: client_secret_basic or client_secret_post",
);
const ISSUER: FormItem = FormItem::required("issuer", FormItemType::Text, "Issuer");

/// The fields of the known kinds.
const KNOWN: &[FormItem] = &[CLIENT_ID, CLIENT_SECRET, SCOPE];

const fn factory(
    id: &'static str,
    name: &'static str,
    description: &'static str,
    form_items: &'static [FormItem],
    check: fn(&Value) -> Result<(), String>,
) -> Factory {
    Factory {
        id,
        kind: ConnectorType::Social,
        target: id,
        platform: Some(Platform::Universal),
        is_standard: false,
        is_token_storage_supported: false,
        name,
        description,
        logo: "",
        form_items,
        config_template: r#"{ "clientId": "", "clientSecret": "" }"#,
        secrets: &["/clientSecret"],
        destination: &["/issuer", "/tenantId", "/authorizationEndpoint", "/tokenEndpoint", "/userInfoEndpoint"],
        check,
    }
}

/// All factories. Their ids are those of the presets.
pub(super) const ALL: [Factory; 10] = [
    Factory {
        is_standard: true,
        config_template: r#"{ "issuer": "", "clientId": "", "clientSecret": "", "scope": "openid profile email" }"#,
        ..factory(
            "oidc",
            "OIDC",
            "Signs people in at any OpenID provider.",
            &[ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPE, METHOD],
            |config| check("oidc", config),
        )
    },
    Factory {
        is_standard: true,
        config_template: r#"{ "authorizationEndpoint": "", "tokenEndpoint": "", "userInfoEndpoint": "", "clientId": "", "clientSecret": "", "profileMap": { "id": "id" } }"#,
        ..factory(
            "oauth2",
            "OAuth2",
            "Signs people in at any OAuth 2 server that tells who somebody is.",
            &[
                FormItem::required("authorizationEndpoint", FormItemType::Text, "Authorization endpoint"),
                FormItem::required("tokenEndpoint", FormItemType::Text, "Token endpoint"),
                FormItem::required("userInfoEndpoint", FormItemType::Text, "Endpoint of the profile"),
                FormItem::optional("profileMap", FormItemType::Json, "Which members of the profile are what"),
                CLIENT_ID,
                CLIENT_SECRET,
                SCOPE,
                METHOD,
            ],
            |config| check("oauth2", config),
        )
    },
    factory("google", "Google", "Signs people in with their accounts at Google.", KNOWN, |config| {
        check("google", config)
    }),
    factory("github", "GitHub", "Signs people in with their accounts at GitHub.", KNOWN, |config| {
        check("github", config)
    }),
    Factory {
        config_template: r#"{ "tenantId": "", "clientId": "", "clientSecret": "" }"#,
        ..factory(
            "azuread",
            "Microsoft",
            "Signs people in with the accounts of one tenant of Microsoft Entra ID.",
            &[FormItem::required("tenantId", FormItemType::Text, "Tenant"), CLIENT_ID, CLIENT_SECRET, SCOPE],
            |config| check("azuread", config),
        )
    },
    factory("apple", "Apple", "Signs people in with their accounts at Apple.", KNOWN, |config| check("apple", config)),
    factory(
        "gitlab",
        "GitLab",
        "Signs people in with their accounts at GitLab, or at a GitLab of your own.",
        &[
            FormItem::optional("issuer", FormItemType::Text, "Address of a GitLab of your own"),
            CLIENT_ID,
            CLIENT_SECRET,
            SCOPE,
        ],
        |config| check("gitlab", config),
    ),
    factory("discord", "Discord", "Signs people in with their accounts at Discord.", KNOWN, |config| {
        check("discord", config)
    }),
    factory("facebook", "Facebook", "Signs people in with their accounts at Facebook.", KNOWN, |config| {
        check("facebook", config)
    }),
    factory("linkedin", "LinkedIn", "Signs people in with their accounts at LinkedIn.", KNOWN, |config| {
        check("linkedin", config)
    }),
];

/// Defines the secrets and their destinations in the configuration of an enterprise connector. It cannot be chosen as a
/// factory.
pub const ENTERPRISE: Factory = factory("sso", "SSO", "Signs the people of a company in.", &[], |_| Ok(()));

/// Checks that a configuration is that of a valid upstream.
fn check(id: &str, config: &Value) -> Result<(), String> {
    let preset = Preset::find(id).ok_or("there is no such kind of upstream")?;
    let members = config.as_object().ok_or("config must be an object")?;
    preset.upstream(members).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upstream::presets;
    use serde_json::json;

    #[test]
    fn each_kind_of_upstream_has_a_factory() {
        assert!(presets::ALL.iter().map(|preset| preset.id).eq(ALL.iter().map(|factory| factory.id)));
        for (preset, factory) in presets::ALL.iter().zip(ALL) {
            assert_eq!(preset.is_standard(), factory.is_standard, "{}", factory.id);
            assert!((factory.check)(&json!({})).is_err(), "{}", factory.id);
            let known = json!({ "clientId": "c", "clientSecret": "s", "tenantId": "t" });
            assert_eq!((factory.check)(&known).is_ok(), !factory.is_standard, "{}", factory.id);
        }
    }
}
