//! The crate `openidconnect`: a web application with a secret. What it needs to know of the server, discovery tells it.
//!
//!     claimsmith-rust-client GIVEN VISIT_SCRIPT

use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClaimName, CoreClaimType, CoreClient,
    CoreClientAuthMethod, CoreGrantType, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm, CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType, CoreUserInfoClaims,
};
use openidconnect::reqwest::blocking::Client as Http;
use openidconnect::reqwest::redirect::Policy;
use openidconnect::url::Url;
use openidconnect::{
    AccessTokenHash, AdditionalProviderMetadata, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndSessionUrl,
    IssuerUrl, LogoutRequest, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PostLogoutRedirectUrl, ProviderMetadata,
    RedirectUrl, RequestTokenError, Scope, TokenResponse,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// What was registered for this client.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    issuer: String,
    resource: String,
    redirect_uri: String,
    after_logout: String,
    engineer: String,
    customer: String,
    web_client_id: String,
    web_client_secret: String,
    subject_token: String,
}

/// What the crate does not look for.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Endpoints {
    end_session_endpoint: EndSessionUrl,
    revocation_endpoint: String,
    introspection_endpoint: String,
}

impl AdditionalProviderMetadata for Endpoints {}

type Metadata = ProviderMetadata<
    Endpoints,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// A person at a browser, in a process of its own that keeps the cookies.
struct Person {
    process: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Person {
    fn new(script: &str, given: &str) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new("node");
        command.args([script, given]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let ask = process.stdin.take().ok_or("no input")?;
        let answers = BufReader::new(process.stdout.take().ok_or("no output")?);
        Ok(Self { process, ask, answers })
    }

    /// Opens an address and does what the pages want; answers the address of the application at which it ends.
    fn visit(&mut self, url: &Url) -> Result<Url, Box<dyn Error>> {
        writeln!(self.ask, "{url}")?;
        let mut reached = String::new();
        self.answers.read_line(&mut reached)?;
        Ok(Url::parse(reached.trim())?)
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn told(url: &Url) -> HashMap<String, String> {
    url.query_pairs().into_owned().collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (given_path, script) = (arguments.next().ok_or("GIVEN")?, arguments.next().ok_or("VISIT_SCRIPT")?);
    let given: Given = serde_json::from_str(&std::fs::read_to_string(&given_path)?)?;
    let mut person = Person::new(&script, &given_path)?;
    let http = Http::builder().redirect(Policy::none()).no_proxy().build()?;

    let metadata = Metadata::discover(&IssuerUrl::new(given.issuer.clone())?, &http)?;
    let endpoints = metadata.additional_metadata().clone();
    let token_endpoint = metadata.token_endpoint().ok_or("no token endpoint")?.to_string();
    let secret = ClientSecret::new(given.web_client_secret.clone());
    let client = CoreClient::from_provider_metadata(metadata, ClientId::new(given.web_client_id.clone()), Some(secret))
        .set_redirect_uri(RedirectUrl::new(given.redirect_uri.clone())?);

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, state, nonce) = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scopes(["profile", "email", "offline_access"].map(|scope| Scope::new(scope.to_owned())))
        .add_prompt(CoreAuthPrompt::Consent)
        .set_pkce_challenge(challenge)
        .url();
    let back = told(&person.visit(&url)?);
    assert_eq!((&back["state"], &back["iss"]), (state.secret(), &given.issuer));
    let code = AuthorizationCode::new(back["code"].clone());
    let tokens = client.exchange_code(code)?.set_pkce_verifier(verifier).request(&http)?;
    let id_token = tokens.id_token().ok_or("no id token")?;
    let id_token_verifier = client.id_token_verifier();
    let claims = id_token.claims(&id_token_verifier, &nonce)?;
    assert_eq!(claims.subject().as_str(), given.engineer);
    let hash = AccessTokenHash::from_token(
        tokens.access_token(),
        id_token.signing_alg()?,
        id_token.signing_key(&id_token_verifier)?,
    )?;
    assert_eq!(Some(&hash), claims.access_token_hash());
    let subject = claims.subject().clone();
    let user: CoreUserInfoClaims = client.user_info(tokens.access_token().clone(), Some(subject))?.request(&http)?;
    assert_eq!(user.email().map(|email| email.as_str()), Some("engineer@example.com"));

    let first = tokens.refresh_token().ok_or("no refresh token")?;
    let refreshed = client.exchange_refresh_token(first)?.request(&http)?;
    assert_ne!(refreshed.access_token().secret(), tokens.access_token().secret());
    let again = refreshed.id_token().ok_or("no id token")?;
    let claims = again.claims(&id_token_verifier, |_: Option<&Nonce>| Ok(()))?;
    assert_eq!(claims.subject().as_str(), given.engineer);

    // The crate has no exchange, nor any other grant of one's own: a backend sends the form itself.
    let post = |endpoint: &str, form: &[(&str, &str)]| {
        let request = http.post(endpoint).basic_auth(&given.web_client_id, Some(&given.web_client_secret)).form(form);
        request.send()?.error_for_status()?.text()
    };
    let exchange = [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("subject_token", &given.subject_token),
        ("subject_token_type", ACCESS_TOKEN),
        ("actor_token", refreshed.access_token().secret()),
        ("actor_token_type", ACCESS_TOKEN),
        ("resource", &given.resource),
        ("scope", "resource:read"),
    ];
    let exchanged: Value = serde_json::from_str(&post(&token_endpoint, &exchange)?)?;
    let token = exchanged["access_token"].as_str().ok_or("no access token")?;
    let acting: Value = serde_json::from_str(&post(&endpoints.introspection_endpoint, &[("token", token)])?)?;
    assert_eq!((&acting["sub"], &acting["act"]["sub"]), (&given.customer.into(), &given.engineer.into()));

    let last = refreshed.refresh_token().ok_or("no refresh token")?;
    assert_ne!(last.secret(), first.secret());
    // The crate revokes over https alone.
    post(&endpoints.revocation_endpoint, &[("token", last.secret())])?;
    match client.exchange_refresh_token(last)?.request(&http) {
        Err(RequestTokenError::ServerResponse(refusal)) => assert_eq!(refusal.error().to_string(), "invalid_grant"),
        other => panic!("a revoked token was refreshed: {other:?}"),
    }
    let end = LogoutRequest::from(endpoints.end_session_endpoint)
        .set_id_token_hint(id_token)
        .set_post_logout_redirect_uri(PostLogoutRedirectUrl::new(given.after_logout.clone())?)
        .set_state(CsrfToken::new("bye".to_owned()))
        .http_get_url();
    assert_eq!(person.visit(&end)?.as_str(), format!("{}?state=bye", given.after_logout));
    let (url, _, _) = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_prompt(CoreAuthPrompt::None)
        .set_pkce_challenge(PkceCodeChallenge::new_random_sha256().0)
        .url();
    assert_eq!(told(&person.visit(&url)?)["error"], "login_required");
    Ok(())
}
