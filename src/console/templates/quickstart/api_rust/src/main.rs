//! Checks the access token of each request: signature, issuer, audience, type, expiry, then scope and claims.

use axum::extract::{FromRequestParts, State};
use axum::http::{StatusCode, header, request::Parts};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing::get};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Keys are fetched again for an unknown key, but not more often than this.
const KEYS_AGE: Duration = Duration::from_secs(10);

/// What tokens are checked against.
struct Server {
    issuer: String,
    audience: String,
    scope: String,
    jwks_uri: String,
    http: reqwest::Client,
    /// The cached keys, and when they were fetched.
    keys: Mutex<Option<(JwkSet, Instant)>>,
}

/// The claims of a valid access token. A handler with this argument needs one.
struct Token(Map<String, Value>);

/// A refused request (RFC 6750).
struct Refused(StatusCode, &'static str, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Self(status, error, description) = self;
        let challenge = match error {
            "" => "Bearer".to_owned(),
            _ => format!("Bearer error=\"{error}\", error_description=\"{description}\""),
        };
        (status, [(header::WWW_AUTHENTICATE, challenge)], description).into_response()
    }
}

fn invalid(description: &str) -> Refused {
    Refused(StatusCode::UNAUTHORIZED, "invalid_token", description.to_owned())
}

impl FromRequestParts<Arc<Server>> for Token {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, server: &Arc<Server>) -> Result<Self, Refused> {
        let value = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let (scheme, token) = value.and_then(|value| value.split_once(' ')).unwrap_or_default();
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Refused(StatusCode::UNAUTHORIZED, "", "There is no token.".to_owned()));
        }
        let head = decode_header(token).map_err(|_| invalid("This is not a token."))?;
        // ID tokens have another type: they say who signed in, and allow nothing.
        if !head.typ.is_some_and(|kind| kind.eq_ignore_ascii_case("at+jwt")) {
            return Err(invalid("This is not an access token."));
        }
        if !matches!(head.alg, Algorithm::ES256 | Algorithm::ES384 | Algorithm::EdDSA | Algorithm::RS256) {
            return Err(invalid("The algorithm is not allowed."));
        }
        let key = server.key(&head.kid.unwrap_or_default()).await?;
        let mut validation = Validation::new(head.alg);
        validation.leeway = 0;
        validation.set_issuer(&[&server.issuer]);
        validation.set_audience(&[&server.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let decoded = decode(token, &key, &validation).map_err(|error| invalid(&error.to_string()))?;
        Ok(Self(decoded.claims))
    }
}

impl Server {
    async fn key(&self, id: &str) -> Result<DecodingKey, Refused> {
        let mut cached = self.keys.lock().await;
        let is_known = |(keys, _): &(JwkSet, Instant)| keys.find(id).is_some();
        let is_fresh = |(_, fetched): &(JwkSet, Instant)| fetched.elapsed() < KEYS_AGE;
        if !cached.as_ref().is_some_and(|keys| is_known(keys) || is_fresh(keys)) {
            // Without the keys nothing can be said about the token.
            let unavailable =
                |_| Refused(StatusCode::SERVICE_UNAVAILABLE, "", "The keys are not available.".to_owned());
            let answer = self.http.get(&self.jwks_uri).send().await.and_then(|answer| answer.error_for_status());
            let keys = answer.map_err(unavailable)?.json().await.map_err(unavailable)?;
            *cached = Some((keys, Instant::now()));
        }
        let key = cached.as_ref().and_then(|(keys, _)| DecodingKey::from_jwk(keys.find(id)?).ok());
        key.ok_or_else(|| invalid("The key is unknown."))
    }
}

/// Any valid token.
async fn claims(Token(token): Token) -> Json<Map<String, Value>> {
    Json(token)
}

/// A token with the scope, which is a whole word of the claim.
async fn scoped(State(server): State<Arc<Server>>, Token(token): Token) -> Result<Json<Value>, Refused> {
    let granted = token.get("scope").and_then(Value::as_str).unwrap_or_default();
    if !server.scope.is_empty() && !granted.split(' ').any(|scope| scope == server.scope) {
        let description = format!("This needs the scope {}.", server.scope);
        return Err(Refused(StatusCode::FORBIDDEN, "insufficient_scope", description));
    }
    Ok(Json(json!({ "subject": token.get("sub") })))
}

/// A token with a claim that a plugin added.
async fn gold(Token(token): Token) -> Result<Json<Value>, Refused> {
    if token.get("plan").is_none_or(|plan| plan != "gold") {
        return Err(Refused(StatusCode::FORBIDDEN, "insufficient_scope", "This needs the plan gold.".to_owned()));
    }
    Ok(Json(json!({ "plan": "gold" })))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    dotenvy::dotenv()?;
    let server = Server {
        issuer: std::env::var("ISSUER")?,
        audience: std::env::var("AUDIENCE")?,
        scope: std::env::var("SCOPE")?,
        jwks_uri: std::env::var("JWKS_URI")?,
        http: reqwest::Client::builder().timeout(Duration::from_secs(10)).build()?,
        keys: Mutex::default(),
    };
    let routes = Router::new().route("/", get(claims)).route("/scoped", get(scoped)).route("/gold", get(gold));
    let port: u16 = std::env::var("PORT")?.parse()?;
    let listener = tokio::net::TcpListener::bind(("localhost", port)).await?;
    axum::serve(listener, routes.with_state(Arc::new(server))).await?;
    Ok(())
}
