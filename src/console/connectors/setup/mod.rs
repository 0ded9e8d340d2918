//! What an operator does at a provider before a connector works: the page to open, the steps there, and the redirect
//! URIs to register. Steps name the provider's own labels, and those of the console's fields.

pub(super) mod enterprise;
pub(super) mod mail;
mod social;

use crate::caller::{Caller, segment};
use serde_json::Value;
use url::Url;

/// The steps at one provider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guide {
    /// The name of the provider's page, and its URL; empty where each operator has a provider of their own.
    page: (&'static str, &'static str),
    /// What to do, in this order.
    pub(super) steps: &'static [&'static str],
    /// A script that helps with one of the steps: what it is for, its file name and its text.
    pub(super) script: Option<(&'static str, &'static str, &'static str)>,
}

impl Guide {
    const fn new(page: (&'static str, &'static str), steps: &'static [&'static str]) -> Self {
        Self { page, steps, script: None }
    }

    /// The guide of a factory of social connectors, if it has one.
    pub(super) fn of_social(factory_id: &str) -> Option<&'static Self> {
        social::ALL.iter().find(|(id, _)| *id == factory_id).map(|(_, guide)| guide)
    }

    /// The name of the provider's page, and its URL. A self-hosted GitLab has it at its own address.
    pub(super) fn page(&self, config: &Value) -> Option<(&'static str, String)> {
        let (name, url) = self.page;
        if url.is_empty() {
            return None;
        }
        let own = config.get("issuer").and_then(Value::as_str).filter(|_| url.starts_with(social::GITLAB));
        let own = own.and_then(|issuer| Url::parse(issuer).ok()).filter(|url| matches!(url.scheme(), "https" | "http"));
        let url = own.map_or_else(
            || url.to_owned(),
            |issuer| {
                let below = url.strip_prefix(social::GITLAB).unwrap_or_default();
                format!("{}{below}", issuer.as_str().trim_end_matches('/'))
            },
        );
        Some((name, url))
    }
}

/// The redirect URIs of a connector, for registration at the provider.
#[derive(Debug)]
pub(super) struct RedirectUris {
    /// For signing in.
    pub(super) sign_in: String,
    /// For linking an account at `/account`.
    pub(super) linking: String,
}

impl RedirectUris {
    /// Those of a social connector with this id.
    pub(super) fn of_social(caller: &Caller, id: &str) -> Self {
        Self::below(&caller.console().base_url, "social", id)
    }

    /// Those of an enterprise connector with this id.
    pub(super) fn of_enterprise(caller: &Caller, id: &str) -> Self {
        Self::below(&caller.console().base_url, "sso", id)
    }

    fn below(base_url: &str, kind: &str, id: &str) -> Self {
        let id = segment(id);
        Self {
            sign_in: format!("{base_url}/callback/{id}"),
            linking: format!("{base_url}/account/callback/{kind}/{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claimsmith_domain::upstream::{enterprise, presets};
    use serde_json::json;

    #[test]
    fn every_provider_has_steps() {
        let social = presets::ALL.iter().map(|preset| (preset.id, Guide::of_social(preset.id)));
        let companies = enterprise::ALL.iter().map(|provider| (provider.name, super::enterprise::guide(provider.name)));
        for (id, guide) in social.chain(companies) {
            assert!(guide.is_some_and(|guide| guide.steps.len() >= 3), "{id}");
            let steps = guide.map(|guide| guide.steps.join(" ")).unwrap_or_default();
            assert!(steps.to_lowercase().contains("redirect u") || steps.contains("callback URL"), "{id}: {steps}");
            let page = guide.and_then(|guide| guide.page(&Value::Null));
            assert!(page.is_none_or(|(name, url)| !name.is_empty() && url.starts_with("https://")), "{id}");
        }
        assert!(Guide::of_social("smtp").is_none());
    }

    #[test]
    fn a_gitlab_of_ones_own_has_its_own_page() {
        let page = |config: Value| Guide::of_social("gitlab").and_then(|guide| guide.page(&config)).map(|(_, url)| url);
        assert_eq!(page(json!({})).as_deref(), Some("https://gitlab.com/-/user_settings/applications"));
        let own = page(json!({ "issuer": "https://git.example.com/" }));
        assert_eq!(own.as_deref(), Some("https://git.example.com/-/user_settings/applications"));
        let script = page(json!({ "issuer": "javascript:alert(1)" }));
        assert_eq!(script.as_deref(), Some("https://gitlab.com/-/user_settings/applications"));
    }

    #[test]
    fn redirect_uris_follow_the_base_url() {
        for (base_url, kind, sign_in, linking) in [
            (
                "https://example.com:8443/auth",
                "social",
                "https://example.com:8443/auth/callback/google",
                "https://example.com:8443/auth/account/callback/social/google",
            ),
            (
                "http://localhost:3001",
                "sso",
                "http://localhost:3001/callback/google",
                "http://localhost:3001/account/callback/sso/google",
            ),
        ] {
            let uris = RedirectUris::below(base_url, kind, "google");
            assert_eq!((uris.sign_in.as_str(), uris.linking.as_str()), (sign_in, linking));
        }
    }
}
