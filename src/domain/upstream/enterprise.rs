//! Providers of enterprise connectors: OpenID providers, some of which need less than an issuer. SAML is not supported:
//! no library implements all of its XML security.

use super::{Protocol, Upstream, config, presets};
use serde_json::{Map, Value};

/// A provider that an operator can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnterpriseProvider {
    /// The name on the wire.
    pub name: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The description, one sentence.
    pub description: &'static str,
}

/// Every provider.
pub const ALL: [EnterpriseProvider; 4] = [
    EnterpriseProvider { name: "OIDC", title: "OIDC", description: "Any OpenID provider, by its issuer." },
    EnterpriseProvider {
        name: "AzureAdOidc",
        title: "Microsoft Entra ID (OIDC)",
        description: "One tenant of Microsoft Entra ID, by its id or its issuer.",
    },
    EnterpriseProvider {
        name: "GoogleWorkspace",
        title: "Google Workspace",
        description: "The accounts of a company at Google.",
    },
    EnterpriseProvider { name: "Okta", title: "Okta", description: "An organization at Okta, by its issuer." },
];

/// SAML providers of the reference, which are refused.
pub const SAML: [&str; 2] = ["SAML", "AzureAD"];

/// The issuer of every account at Google.
const GOOGLE: &str = "https://accounts.google.com";

impl EnterpriseProvider {
    /// The provider with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|provider| provider.name == name)
    }
}

/// Builds the upstream from a configuration, for the company with these domains.
pub fn upstream(provider: &str, configured: &Map<String, Value>, domains: &[String]) -> Result<Upstream, String> {
    let mut whole = configured.clone();
    match provider {
        "GoogleWorkspace" => {
            whole.insert("issuer".to_owned(), Value::String(GOOGLE.to_owned()));
        }
        "AzureAdOidc" if !configured.contains_key("issuer") => {
            whole.insert("issuer".to_owned(), Value::String(presets::microsoft_issuer(configured)?));
        }
        _ => {}
    }
    let mut upstream = config::openid(whole)?;
    let Protocol::OpenId { issuer } = &upstream.protocol else {
        return Err("enterprise connectors are OpenID providers".to_owned());
    };
    // Regardless of the provider's name: anyone can have a Google account.
    upstream.companies = (issuer.as_str() == GOOGLE).then(|| domains.to_vec());
    Ok(upstream)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::super::account::{ExternalAccount, UpstreamProfile};
    use super::*;
    use serde_json::json;

    #[test]
    fn a_provider_is_known_by_its_issuer() {
        for (provider, configured, issuer) in [
            ("OIDC", json!({ "clientId": "c", "issuer": "https://id.test" }), Some("https://id.test")),
            ("OIDC", json!({ "clientId": "c" }), None),
            ("Okta", json!({ "clientId": "c", "issuer": "https://a.okta.test" }), Some("https://a.okta.test")),
            ("GoogleWorkspace", json!({ "clientId": "c", "issuer": "https://evil.test" }), Some(GOOGLE)),
            (
                "AzureAdOidc",
                json!({ "clientId": "c", "tenantId": "8d5c" }),
                Some("https://login.microsoftonline.com/8d5c/v2.0"),
            ),
            ("AzureAdOidc", json!({ "clientId": "c" }), None),
        ] {
            let upstream = upstream(provider, configured.as_object().unwrap(), &[]);
            let found = upstream.ok().map(|upstream| match upstream.protocol {
                Protocol::OpenId { issuer } => issuer.as_str().to_owned(),
                Protocol::OAuth { .. } => String::new(),
            });
            assert_eq!(found.as_deref(), issuer, "{provider} {configured}");
        }
    }

    #[test]
    fn of_googles_accounts_a_company_has_its_own() {
        let configured = json!({ "clientId": "c", "issuer": "https://id.test" });
        let of = |provider, issuer: &str, domains: &[String]| {
            let mut configured = configured.as_object().cloned().unwrap();
            configured.insert("issuer".to_owned(), json!(issuer));
            upstream(provider, &configured, domains).unwrap()
        };
        let account = |raw_data: &Value| {
            let email = Some("ada@acme.example".to_owned());
            let found =
                UpstreamProfile { id: "1".to_owned(), email, email_verified: true, ..UpstreamProfile::default() };
            ExternalAccount::of(UpstreamProfile { raw_data: raw_data.clone(), ..found }).unwrap()
        };
        let domains = ["acme.example".to_owned()];
        for google in [of("GoogleWorkspace", "https://id.test", &domains), of("OIDC", GOOGLE, &domains)] {
            for (raw_data, is_taken) in [
                (json!({ "hd": "acme.example" }), true),
                (json!({ "hd": "ACME.example" }), true),
                // A personal Google account that uses an email address of the company.
                (json!({}), false),
                (json!({ "hd": "evil.example" }), false),
                (json!({ "hd": ["acme.example"] }), false),
                (Value::Null, false),
            ] {
                assert_eq!(google.takes(&account(&raw_data)), is_taken, "{raw_data}");
            }
        }
        assert!(!of("GoogleWorkspace", GOOGLE, &[]).takes(&account(&json!({ "hd": "acme.example" }))));
        assert!(of("OIDC", "https://id.test", &domains).takes(&account(&json!({}))));
    }
}
