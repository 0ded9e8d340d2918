//! An OpenID provider of the tests, which answers as it is told: rightly, or wrongly in one way.

use crate::ClientKey;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use claimsmith_domain::random;
use claimsmith_services::tokens::{self, Algorithm};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;

/// The client of the tests.
pub const UPSTREAM_CLIENT: &str = "claimsmith";
/// Its secret.
pub const UPSTREAM_SECRET: &str = "a secret between two servers";

/// One way to answer wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoil {
    /// Another issuer in the id token.
    Issuer,
    /// Another audience.
    Audience,
    /// Another audience beside the right one.
    SecondAudience,
    /// Another authorized party.
    Party,
    /// Another nonce.
    Nonce,
    /// No nonce.
    NoNonce,
    /// An id token that has expired.
    Expired,
    /// An id token of the algorithm `none`.
    AlgorithmNone,
    /// An id token whose signature is cut off.
    Unsigned,
    /// An id token that is signed with the secret of the client.
    Symmetric,
    /// An id token of a key of somebody else, by the name of the right one.
    ForeignKey,
    /// An id token of a key that nobody knows.
    UnknownKey,
    /// An id token of another access token.
    AccessTokenHash,
    /// No id token.
    NoIdToken,
    /// An id token whose claims nest too deep.
    Deep,
    /// A profile of somebody else.
    OtherSubject,
    /// An access token that no header can carry.
    AccessToken,
    /// A token endpoint that answers with far too much.
    Endless,
    /// A token endpoint that never answers.
    Silent,
    /// A token endpoint that leads elsewhere.
    Redirect,
    /// A token endpoint that answers with a page.
    Page,
    /// A document of another issuer.
    OtherDocument,
    /// A document whose token endpoint is in a private network.
    PrivateEndpoint,
    /// A document whose token endpoint is in the clear.
    ClearEndpoint,
}

/// The provider. It stops when this value is dropped.
pub struct Upstream {
    /// Its issuer.
    pub issuer: String,
    shared: Arc<UpstreamState>,
    task: JoinHandle<()>,
}

struct UpstreamState {
    issuer: String,
    key: Mutex<(ClientKey, String)>,
    foreign: ClientKey,
    person: Mutex<Value>,
    spoil: Mutex<Option<Spoil>>,
    announces_issuer: Mutex<bool>,
    codes: Mutex<HashMap<String, BTreeMap<String, String>>>,
    requests: Mutex<Vec<String>>,
}

impl Upstream {
    /// One that answers rightly, and says that its answers name it when `announces_issuer`.
    pub async fn start(announces_issuer: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(UpstreamState {
            issuer: issuer.clone(),
            key: Mutex::new((ClientKey::new(Algorithm::ES256, "first"), "first".to_owned())),
            foreign: ClientKey::new(Algorithm::ES256, "first"),
            person: Mutex::new(json!({ "sub": "ada" })),
            spoil: Mutex::new(None),
            announces_issuer: Mutex::new(announces_issuer),
            codes: Mutex::default(),
            requests: Mutex::default(),
        });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(document))
            .route("/jwks", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(profile))
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { issuer, shared, task }
    }

    /// Who signs in there: claims with a `sub`.
    pub fn person(&self, claims: Value) {
        *self.shared.person.lock().unwrap() = claims;
    }

    /// How it answers wrongly from now on.
    pub fn spoil(&self, spoil: impl Into<Option<Spoil>>) {
        *self.shared.spoil.lock().unwrap() = spoil.into();
    }

    /// Changes its key.
    pub fn rotate(&self, kid: &str) {
        *self.shared.key.lock().unwrap() = (ClientKey::new(Algorithm::ES256, kid), kid.to_owned());
    }

    /// The paths of the requests that came from servers until now.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// What an operator configures of it.
    #[must_use]
    pub fn config(&self) -> Value {
        json!({ "issuer": self.issuer, "clientId": UPSTREAM_CLIENT, "clientSecret": UPSTREAM_SECRET })
    }

    /// Signs the person in who was sent to this address: a code for the application.
    #[must_use]
    pub fn let_in(&self, authorization_uri: &str) -> String {
        let asked = parameters(authorization_uri);
        assert!(asked["nonce"].len() >= 32 && asked["scope"].split(' ').any(|scope| scope == "openid"), "{asked:?}");
        self.let_in_by_oauth(authorization_uri)
    }

    /// The same for an application that speaks OAuth 2 alone, which gets no id token.
    #[must_use]
    pub fn let_in_by_oauth(&self, authorization_uri: &str) -> String {
        let asked = parameters(authorization_uri);
        assert!(authorization_uri.starts_with(&format!("{}/authorize?", self.issuer)), "{authorization_uri}");
        assert_eq!((asked["response_type"].as_str(), asked["client_id"].as_str()), ("code", UPSTREAM_CLIENT));
        assert_eq!(asked["code_challenge_method"], "S256");
        let code = random::secret(32).unwrap();
        self.shared.codes.lock().unwrap().insert(code.clone(), asked);
        code
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The parameters of an address.
#[must_use]
pub fn parameters(address: &str) -> BTreeMap<String, String> {
    Url::parse(address).unwrap().query_pairs().into_owned().collect()
}

impl UpstreamState {
    fn spoiled(&self, spoil: Spoil) -> bool {
        *self.spoil.lock().unwrap() == Some(spoil)
    }

    fn came(&self, path: &str) {
        self.requests.lock().unwrap().push(path.to_owned());
    }

    fn id_token(&self, asked: &BTreeMap<String, String>, access_token: &str) -> String {
        let now = claimsmith_domain::clock::Clock::system().now_ms() / 1000;
        let mut claims = self.person.lock().unwrap().clone();
        claims["iss"] = json!(if self.spoiled(Spoil::Issuer) { "https://evil.example.com" } else { &self.issuer });
        claims["aud"] = match *self.spoil.lock().unwrap() {
            Some(Spoil::Audience) => json!("somebody else"),
            Some(Spoil::SecondAudience) => json!([UPSTREAM_CLIENT, "somebody else"]),
            _ => json!(UPSTREAM_CLIENT),
        };
        if self.spoiled(Spoil::Party) {
            claims["azp"] = json!("somebody else");
        }
        claims["iat"] = json!(now);
        claims["exp"] = json!(if self.spoiled(Spoil::Expired) { now - 3600 } else { now + 3600 });
        claims["at_hash"] = json!(half_hash(if self.spoiled(Spoil::AccessTokenHash) { "other" } else { access_token }));
        if !self.spoiled(Spoil::NoNonce) {
            claims["nonce"] = json!(if self.spoiled(Spoil::Nonce) { "another nonce" } else { &asked["nonce"] });
        }
        if self.spoiled(Spoil::Deep) {
            claims["deep"] = (0..100).fold(json!(1), |inner, _| json!([inner]));
        }
        let (key, kid) = self.key.lock().unwrap().clone();
        let header = json!({ "alg": "ES256", "kid": kid, "typ": "JWT" });
        let encode = |part: &Value| BASE64URL_NOPAD.encode(part.to_string().as_bytes());
        match *self.spoil.lock().unwrap() {
            Some(Spoil::AlgorithmNone) => format!("{}.{}.", encode(&json!({ "alg": "none" })), encode(&claims)),
            Some(Spoil::Unsigned) => {
                let whole = key.sign(&header, &claims);
                format!("{}.", whole.rsplit_once('.').unwrap().0)
            }
            Some(Spoil::Symmetric) => {
                let header = json!({ "alg": "HS256" });
                ClientKey::symmetric(UPSTREAM_SECRET.as_bytes()).sign(&header, &claims)
            }
            Some(Spoil::ForeignKey) => self.foreign.sign(&header, &claims),
            Some(Spoil::UnknownKey) => self.foreign.sign(&json!({ "alg": "ES256", "kid": "nobody's" }), &claims),
            _ => key.sign(&header, &claims),
        }
    }
}

async fn document(State(shared): State<Arc<UpstreamState>>) -> Response {
    shared.came("/.well-known/openid-configuration");
    let issuer = &shared.issuer;
    let token_endpoint = match *shared.spoil.lock().unwrap() {
        Some(Spoil::PrivateEndpoint) => "https://10.0.0.1/token".to_owned(),
        Some(Spoil::ClearEndpoint) => "http://id.example.com/token".to_owned(),
        _ => format!("{issuer}/token"),
    };
    let named = if shared.spoiled(Spoil::OtherDocument) { "https://evil.example.com" } else { issuer };
    let body = json!({
        "issuer": named, "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": token_endpoint,
        "userinfo_endpoint": format!("{issuer}/userinfo"), "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        // What it says is no reason to take a token that everybody can make.
        "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
        "authorization_response_iss_parameter_supported": *shared.announces_issuer.lock().unwrap(),
    });
    answer(200, &body)
}

async fn keys(State(shared): State<Arc<UpstreamState>>) -> Response {
    shared.came("/jwks");
    let (key, _) = shared.key.lock().unwrap().clone();
    answer(200, &json!({ "keys": [key.jwk] }))
}

async fn token(State(shared): State<Arc<UpstreamState>>, headers: HeaderMap, body: Bytes) -> Response {
    shared.came("/token");
    let form: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let credentials = format!("{}:{}", encode(UPSTREAM_CLIENT), encode(UPSTREAM_SECRET));
    let expected = format!("Basic {}", data_encoding::BASE64.encode(credentials.as_bytes()));
    if headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()) != Some(&expected) {
        return answer(401, &json!({ "error": "invalid_client" }));
    }
    let asked = shared.codes.lock().unwrap().remove(&form["code"]);
    let Some(asked) = asked else { return answer(400, &json!({ "error": "invalid_grant" })) };
    if challenge(&form["code_verifier"]) != asked["code_challenge"] || form["redirect_uri"] != asked["redirect_uri"] {
        return answer(400, &json!({ "error": "invalid_grant", "error_description": "<b>secret</b>" }));
    }
    let access_token = if shared.spoiled(Spoil::AccessToken) { "a\r\nb" } else { "at-of-ada" };
    match *shared.spoil.lock().unwrap() {
        Some(Spoil::Endless) => {
            let headers = [(header::CONTENT_TYPE, "application/json")];
            return (StatusCode::OK, headers, format!("{{\"x\":\"{}\"}}", "x".repeat(32 << 20))).into_response();
        }
        Some(Spoil::Redirect) => {
            return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "http://169.254.169.254/")]).into_response();
        }
        Some(Spoil::Page) => return (StatusCode::OK, "<script>alert(1)</script>").into_response(),
        _ => {}
    }
    if shared.spoiled(Spoil::Silent) {
        return std::future::pending().await;
    }
    let mut body = json!({ "access_token": access_token, "token_type": "Bearer", "expires_in": 60 });
    if asked.contains_key("nonce") && !shared.spoiled(Spoil::NoIdToken) {
        body["id_token"] = json!(shared.id_token(&asked, access_token));
    }
    answer(200, &body)
}

async fn profile(State(shared): State<Arc<UpstreamState>>) -> Response {
    shared.came("/userinfo");
    let mut person = shared.person.lock().unwrap().clone();
    if shared.spoiled(Spoil::OtherSubject) {
        person["sub"] = json!("somebody else");
    }
    answer(200, &person)
}

fn answer(status: u16, body: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (StatusCode::from_u16(status).unwrap(), headers, body.to_string()).into_response()
}

fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn sha256(text: &str) -> Vec<u8> {
    HEXLOWER.decode(tokens::hash(text).as_bytes()).unwrap()
}

/// The challenge of a code verifier (RFC 7636 section 4.2).
fn challenge(verifier: &str) -> String {
    BASE64URL_NOPAD.encode(&sha256(verifier))
}

/// What an id token says of an access token (OpenID Connect Core section 3.1.3.6).
fn half_hash(access_token: &str) -> String {
    BASE64URL_NOPAD.encode(&sha256(access_token)[..16])
}
