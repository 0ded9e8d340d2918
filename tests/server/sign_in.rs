//! Fixtures: an application that people sign in to, at servers that are processes and may be killed.

use claimsmith_domain::clock::Clock;
use claimsmith_storage::Db;
use claimsmith_test_support::{Api, Browser, Form, told};
use serde_json::{Value, json};

/// Under which address every server of these tests is reached, whichever port it listens on.
pub(crate) const BASE_URL: (&str, &str) = ("CLAIMSMITH_BASE_URL", "http://localhost:3001");
/// Where the application gets its answers.
pub(crate) const CALLBACK: &str = "https://shop.example.com/callback";
/// Verifier and challenge of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A public application.
#[derive(Clone)]
pub(crate) struct Client {
    pub id: String,
}

impl Client {
    /// Registers it; `more` are further members of the request, of which `oidcClientMetadata` is completed.
    pub(crate) async fn register(api: &Api, mut more: Value) -> Self {
        more["name"] = json!("Shop");
        more["oidcClientMetadata"]["redirectUris"] = json!([CALLBACK]);
        let id = api.management().await.post("/api/applications", more).await.expect(200).text("id");
        Self { id }
    }

    /// The path with an authorization request.
    pub(crate) fn request(&self, more: &[(&str, &str)]) -> String {
        let parameters = [
            ("client_id", self.id.as_str()),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("scope", "openid offline_access"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        format!("/oidc/auth?{}", query.extend_pairs(parameters).extend_pairs(more).finish())
    }

    /// What the application is told of a browser in which nobody is to be asked.
    pub(crate) async fn silent(&self, browser: &Browser, member: &str) -> Option<String> {
        let answer = browser.open(&self.request(&[("prompt", "none")])).await.expect(303);
        told(&answer).remove(member)
    }

    /// The exchange of a code.
    pub(crate) fn exchange(&self, api: &Api, code: &str) -> Form {
        let form = api.form("/oidc/token").with("grant_type", "authorization_code").with("code", code);
        form.with("client_id", &self.id).with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER)
    }

    /// A refresh.
    pub(crate) fn refresh(&self, api: &Api, token: &str) -> Form {
        let form = api.form("/oidc/token").with("grant_type", "refresh_token").with("refresh_token", token);
        form.with("client_id", &self.id)
    }
}

/// A browser in which the demo's customer is signed in.
pub(crate) async fn customer(api: &Api, db: &Db) -> Browser {
    let now = Clock::system().now_ms();
    Browser::signed_in(api, db, now, &[&api.demo().customer_user_id]).await.0
}
