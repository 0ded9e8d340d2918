//! Presets of known upstreams: default configuration on top of one of the two standard protocols.

use super::{Upstream, config};
use serde_json::{Map, Value, json};

/// A kind of upstream that an operator can choose: `connectorId` of social connectors.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The id.
    pub id: &'static str,
    /// The display name.
    pub name: &'static str,
    /// The target of its identities; empty for a standard preset, whose connectors each have their own target.
    pub target: &'static str,
    /// The description, one sentence.
    pub description: &'static str,
    speaks: Speaks,
    /// Default configuration.
    defaults: fn() -> Value,
}

#[derive(Clone, Copy, Debug)]
enum Speaks {
    OpenId,
    OAuth,
}

const fn preset(
    id: &'static str,
    name: &'static str,
    target: &'static str,
    description: &'static str,
    speaks: Speaks,
    defaults: fn() -> Value,
) -> Preset {
    Preset { id, name, target, description, speaks, defaults }
}

/// Every kind.
pub const ALL: [Preset; 10] = [
    preset("oidc", "OIDC", "", "Any OpenID provider, by its issuer.", Speaks::OpenId, || json!({})),
    preset("oauth2", "OAuth2", "", "Any OAuth 2 server that tells who somebody is.", Speaks::OAuth, || json!({})),
    preset(
        "google",
        "Google",
        "google",
        "Accounts of Google.",
        Speaks::OpenId,
        || json!({ "issuer": "https://accounts.google.com", "scope": "openid profile email" }),
    ),
    preset("github", "GitHub", "github", "Accounts of GitHub.", Speaks::OAuth, || {
        json!({
            "authorizationEndpoint": "https://github.com/login/oauth/authorize",
            "tokenEndpoint": "https://github.com/login/oauth/access_token",
            "userInfoEndpoint": "https://api.github.com/user", "scope": "read:user",
            "tokenEndpointAuthMethod": "client_secret_post", "profileMap": { "avatar": "avatar_url" },
        })
    }),
    preset(
        "azuread",
        "Microsoft",
        "azuread",
        "Accounts of one tenant of Microsoft Entra ID.",
        Speaks::OpenId,
        || json!({ "scope": "openid profile email" }),
    ),
    // The client secret is a JWT that the operator signs; Apple responds with a form post.
    preset("apple", "Apple", "apple", "Accounts of Apple.", Speaks::OpenId, || {
        json!({
            "issuer": "https://appleid.apple.com", "scope": "openid name email",
            "tokenEndpointAuthMethod": "client_secret_post", "customConfig": { "response_mode": "form_post" },
        })
    }),
    preset(
        "gitlab",
        "GitLab",
        "gitlab",
        "Accounts of GitLab, or of a GitLab of one's own.",
        Speaks::OpenId,
        || json!({ "issuer": "https://gitlab.com", "scope": "openid profile email" }),
    ),
    preset("discord", "Discord", "discord", "Accounts of Discord.", Speaks::OAuth, || {
        json!({
            "authorizationEndpoint": "https://discord.com/oauth2/authorize",
            "tokenEndpoint": "https://discord.com/api/oauth2/token",
            "userInfoEndpoint": "https://discord.com/api/users/@me", "scope": "identify email",
            "profileMap": { "name": "global_name", "emailVerified": "verified" },
        })
    }),
    preset("facebook", "Facebook", "facebook", "Accounts of Facebook.", Speaks::OAuth, || {
        json!({
            "authorizationEndpoint": "https://www.facebook.com/v23.0/dialog/oauth",
            "tokenEndpoint": "https://graph.facebook.com/v23.0/oauth/access_token",
            "userInfoEndpoint": "https://graph.facebook.com/v23.0/me?fields=id,name,email,picture",
            "tokenEndpointAuthMethod": "client_secret_post", "scope": "public_profile email",
            "profileMap": { "avatar": "picture.data.url" },
        })
    }),
    // Its ID tokens have no nonce, so the user info endpoint is used instead.
    preset("linkedin", "LinkedIn", "linkedin", "Accounts of LinkedIn.", Speaks::OAuth, || {
        json!({
            "authorizationEndpoint": "https://www.linkedin.com/oauth/v2/authorization",
            "tokenEndpoint": "https://www.linkedin.com/oauth/v2/accessToken",
            "userInfoEndpoint": "https://api.linkedin.com/v2/userinfo", "scope": "openid profile email",
            "tokenEndpointAuthMethod": "client_secret_post",
            "profileMap": { "id": "sub", "avatar": "picture", "emailVerified": "email_verified" },
        })
    }),
];

impl Preset {
    /// The preset with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        ALL.iter().find(|preset| preset.id == id)
    }

    /// Whether each of its connectors has its own target.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.target.is_empty()
    }

    /// Builds the upstream from a configuration, which overrides the preset.
    pub fn upstream(&self, configured: &Map<String, Value>) -> Result<Upstream, String> {
        let mut whole = match (self.defaults)() {
            Value::Object(defaults) => defaults,
            _ => Map::new(),
        };
        if self.id == "azuread" && !configured.contains_key("issuer") {
            whole.insert("issuer".to_owned(), Value::String(microsoft_issuer(configured)?));
        }
        whole.extend(configured.iter().map(|(name, value)| (name.clone(), value.clone())));
        let upstream = match self.speaks {
            Speaks::OpenId => config::openid(whole),
            Speaks::OAuth => config::oauth(whole),
        };
        // Anyone can have an account at these providers, so their unverified addresses are never trusted.
        upstream.map(|upstream| Upstream { trusts_addresses: false, ..upstream })
    }
}

/// The issuer of one tenant. The common endpoints have no issuer of their own that could be verified.
pub fn microsoft_issuer(configured: &Map<String, Value>) -> Result<String, String> {
    let tenant = configured.get("tenantId").and_then(Value::as_str).unwrap_or_default();
    let is_tenant = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    let refused = |problem: &str| Err(format!("Error in key path \"config.tenantId\": {problem}"));
    if tenant.is_empty() || tenant.len() > 128 || !is_tenant(tenant) {
        return refused("expected the id of one tenant");
    }
    if ["common", "organizations", "consumers"].contains(&tenant) {
        return refused("expected the id of one tenant: the common endpoints have no issuer of their own");
    }
    Ok(format!("https://login.microsoftonline.com/{tenant}/v2.0"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::super::Protocol;
    use super::*;

    #[test]
    fn a_preset_needs_a_registration_and_no_more() {
        let configured = json!({ "clientId": "c", "clientSecret": "s", "tenantId": "8d5c-11" });
        for preset in ALL {
            let upstream = preset.upstream(configured.as_object().unwrap());
            assert_eq!(upstream.is_ok(), !preset.is_standard(), "{}: {upstream:?}", preset.id);
            assert!(preset.upstream(&Map::new()).is_err(), "{}", preset.id);
            assert_eq!(Preset::find(preset.id).map(|found| found.name), Some(preset.name));
        }
    }

    #[test]
    fn no_address_is_trusted_that_nobody_verified() {
        let configured = json!({
            "clientId": "c", "issuer": "https://id.test", "tenantId": "8d5c", "trustUnverifiedEmail": true,
            "authorizationEndpoint": "https://a.test/authorize", "tokenEndpoint": "https://a.test/token",
            "userInfoEndpoint": "https://a.test/me",
        });
        for preset in ALL {
            let upstream = preset.upstream(configured.as_object().unwrap()).unwrap();
            assert!(!upstream.trusts_addresses, "{}", preset.id);
        }
    }

    #[test]
    fn an_issuer_of_many_is_none() {
        for (tenant, fits) in [("contoso.example", true), ("common", false), ("a/b", false), ("", false)] {
            let configured = json!({ "clientId": "c", "tenantId": tenant });
            let upstream = Preset::find("azuread").unwrap().upstream(configured.as_object().unwrap());
            assert_eq!(upstream.is_ok(), fits, "{tenant}");
        }
        let own = json!({ "clientId": "c", "issuer": "https://git.example.com" });
        let upstream = Preset::find("gitlab").unwrap().upstream(own.as_object().unwrap()).unwrap();
        assert!(
            matches!(upstream.protocol, Protocol::OpenId { issuer } if issuer.as_str() == "https://git.example.com")
        );
    }
}
