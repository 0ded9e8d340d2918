//! Tokens for people who signed in: authorization requests, codes, refresh tokens.

mod access_control;
mod administration;
mod authorization;
mod codes;
mod enabled_scopes;
mod id_tokens;
mod interaction;
mod logout;
mod previews;
mod pushed;
mod refresh_leeway;
mod refresh_tokens;
mod statements;
mod third_parties;

use claimsmith_domain::documents::application::{ApplicationType, CustomClientMetadata, OidcClientMetadata};
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_storage::Json;
use claimsmith_test_support::{Answer, Browser, Form, TestServer, seed, told};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// Where the applications of these tests get their answers.
pub(crate) const CALLBACK: &str = "https://shop.example.com/callback?tenant=1";
/// A code verifier.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// An application, with what it needs for requests.
#[derive(Clone)]
pub(crate) struct Client {
    pub id: ApplicationId,
    pub secret: String,
    pub kind: ApplicationType,
}

/// An application of this type, with a redirect URI.
pub(crate) async fn client(server: &TestServer, kind: ApplicationType) -> Client {
    client_with(server, kind, CustomClientMetadata::default(), false).await
}

/// The same, with these settings; a third party's, if it is one.
pub(crate) async fn client_with(
    server: &TestServer,
    kind: ApplicationType,
    metadata: CustomClientMetadata,
    is_third_party: bool,
) -> Client {
    let mut application = seed::new_application(kind);
    application.is_third_party = is_third_party;
    application.custom_client_metadata = Json(metadata);
    application.oidc_client_metadata =
        Json(OidcClientMetadata { redirect_uris: vec![CALLBACK.to_owned()], ..OidcClientMetadata::default() });
    let (id, secret) = server.add(application).await;
    Client { id, secret, kind }
}

/// The challenge of a verifier.
pub(crate) fn challenge(verifier: &str) -> String {
    BASE64URL_NOPAD.encode(&Sha256::digest(verifier))
}

impl Client {
    /// The parameters of a plain request with this scope.
    pub(crate) fn request(&self, scope: &str) -> Vec<(String, String)> {
        let challenge = challenge(VERIFIER);
        [
            ("client_id", self.id.as_str()),
            ("redirect_uri", CALLBACK),
            ("response_type", "code"),
            ("scope", scope),
            ("state", "s t&ä"),
            ("nonce", "n-1"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
    }

    /// A code from a browser in which somebody is signed in.
    pub(crate) async fn code(&self, browser: &Browser, scope: &str, more: &[(&str, &str)]) -> String {
        let answer = authorize(browser, &with(self.request(scope), more)).await.expect(303);
        told(&answer).remove("code").unwrap()
    }

    /// The exchange of a code.
    pub(crate) fn exchange(&self, server: &TestServer, code: &str) -> Form {
        let form = server.form("/oidc/token").with("grant_type", "authorization_code").with("code", code);
        self.prove(form.with("redirect_uri", CALLBACK).with("code_verifier", VERIFIER))
    }

    /// A refresh.
    pub(crate) fn refresh(&self, server: &TestServer, token: &str) -> Form {
        self.prove(server.form("/oidc/token").with("grant_type", "refresh_token").with("refresh_token", token))
    }

    /// With the credentials of the client.
    pub(crate) fn prove(&self, form: Form) -> Form {
        if self.kind.is_confidential() { form.basic(&self.id, &self.secret) } else { form.with("client_id", &self.id) }
    }
}

/// The same parameters with others in place of those of the same name; an empty one is left out.
pub(crate) fn with(mut parameters: Vec<(String, String)>, more: &[(&str, &str)]) -> Vec<(String, String)> {
    parameters.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
    let kept = more.iter().filter(|(_, value)| !value.is_empty());
    parameters.extend(kept.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    parameters
}

/// Sends an authorization request.
pub(crate) async fn authorize(browser: &Browser, parameters: &[(String, String)]) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    browser.open(&format!("/oidc/auth?{query}")).await
}

/// The demo's customer.
pub(crate) fn customer(server: &TestServer) -> UserId {
    server.demo().customer_user_id.clone()
}
