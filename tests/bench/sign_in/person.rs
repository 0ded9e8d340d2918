//! A person who signs in at an application, from an address of their own each time.

use anyhow::{Context, Result, ensure};
use claimsmith_test_support::{Answer, Browser, Form, Process, told};
use serde_json::json;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};

const CALLBACK: &str = "https://shop.example.com/callback";
const PASSWORD: &str = "violet-kettle-42";
/// Verifier and challenge of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The demo's customer with a password, at an application of their own.
pub(crate) struct Person {
    client_id: String,
    addresses: AtomicU32,
}

impl Person {
    /// Registers the application, whose ID tokens are signed with this algorithm.
    pub(crate) async fn new(server: &Process, algorithm: &str) -> Self {
        let management = server.management().await;
        let path = format!("/api/users/{}/password", server.demo().customer_user_id);
        management.patch(&path, json!({ "password": PASSWORD })).await.expect(200);
        let application = json!({
            "name": "Shop", "type": "SPA", "oidcClientMetadata": { "redirectUris": [CALLBACK], "postLogoutRedirectUris": [] },
            "customClientMetadata": { "idTokenSignedResponseAlg": algorithm },
        });
        let client_id = management.post("/api/applications", application).await.expect(200).text("id");
        Self { client_id, addresses: AtomicU32::new(0) }
    }

    /// An address that nobody had before.
    pub(crate) fn address(&self) -> String {
        let number = self.addresses.fetch_add(1, Ordering::Relaxed);
        // One of its own for each share of a rate limit.
        Ipv4Addr::from(0x0b00_0000 + number).to_string()
    }

    /// An authorization request.
    pub(crate) fn request(&self, more: &[(&str, &str)]) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("client_id", self.client_id.as_str()),
                ("redirect_uri", CALLBACK),
                ("response_type", "code"),
            ])
            .extend_pairs([
                ("scope", "openid offline_access"),
                ("code_challenge", CHALLENGE),
                ("code_challenge_method", "S256"),
            ])
            .extend_pairs(more)
            .finish();
        format!("/oidc/auth?{query}")
    }

    /// A browser that is at the page for signing in, with that page.
    pub(crate) async fn arrive(&self, server: &Process) -> Result<(Browser, Answer)> {
        let browser = Browser::new(server);
        // Without it there is no refresh token.
        let answer = self.open(server, &browser, &self.request(&[("prompt", "consent")])).await?;
        let page = self.open(server, &browser, answer.header("location").context("no redirect")?).await?;
        ensure!(page.status == 200, "{}", page.body);
        Ok((browser, page))
    }

    /// Opens a path from an address of its own.
    pub(crate) async fn open(&self, server: &Process, browser: &Browser, path: &str) -> Result<Answer> {
        let path = path.strip_prefix(server.report.base_url.as_str()).unwrap_or(path);
        let request = server.http.get(server.url(path)).header("x-forwarded-for", self.address());
        Ok(browser.send(request).await)
    }

    /// Fills the page in with this password; answers what comes of it.
    pub(crate) async fn fill_in(
        &self,
        server: &Process,
        (browser, page): (&Browser, &Answer),
        (identifier, password): (&str, &str),
    ) -> Result<Answer> {
        let html = page.body.as_str().context("no page")?;
        let csrf = html.split_once("name=\"csrf\" value=\"").and_then(|(_, rest)| rest.split_once('"'));
        let form = [("csrf", csrf.context("no form")?.0), ("identifier", identifier), ("password", password)];
        let request = server.http.post(server.url("/sign-in")).form(&form).header("x-forwarded-for", self.address());
        Ok(browser.send(request).await)
    }

    /// Signs in; answers the browser and the code.
    pub(crate) async fn sign_in(&self, server: &Process) -> Result<(Browser, String)> {
        let (browser, page) = self.arrive(server).await?;
        let answer = self.fill_in(server, (&browser, &page), ("customer", PASSWORD)).await?;
        let resume = answer.header("location").with_context(|| answer.body.to_string())?.to_owned();
        let code = code_of(&self.open(server, &browser, &resume).await?)?;
        Ok((browser, code))
    }

    /// The exchange of a code.
    pub(crate) fn exchange(&self, server: &Process, code: &str) -> Form {
        let form = server.form("/oidc/token").with("grant_type", "authorization_code").with("code", code);
        form.with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER).with("client_id", &self.client_id)
    }

    /// A refresh.
    pub(crate) fn refresh(&self, server: &Process, token: &str) -> Form {
        let form = server.form("/oidc/token").with("grant_type", "refresh_token").with("refresh_token", token);
        form.with("client_id", &self.client_id)
    }
}

/// The code of an answer of the authorization endpoint.
pub(crate) fn code_of(answer: &Answer) -> Result<String> {
    told(answer).remove("code").with_context(|| format!("no code: {:?}", answer.headers))
}
