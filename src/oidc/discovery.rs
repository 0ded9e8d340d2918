//! Discovery documents and the key set: OpenID Connect Discovery, RFC 8414, JWKS.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use claimsmith_domain::authorization::acr;
use claimsmith_domain::documents::client_authentication::AuthMethod;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::user_claims;
use claimsmith_domain::user_scope;
use claimsmith_pages::texts;
use claimsmith_services::app::App;
use claimsmith_services::client_keys;
use claimsmith_services::tokens::Algorithm;
use claimsmith_web::error::OAuthError;
use serde_json::{Value, json};
use std::time::Duration;

/// How long a client may cache a public document that sets no lifetime itself: short, so that clients soon see changes
/// of the settings.
pub const PUBLIC_DOCUMENT_LIFETIME: Duration = Duration::from_secs(60);

/// The standard claims of access tokens and of ID tokens.
const OF_TOKENS: [&str; 16] = [
    "iss",
    "sub",
    "aud",
    "exp",
    "iat",
    "auth_time",
    "nonce",
    "sid",
    "acr",
    "amr",
    "at_hash",
    "jti",
    "client_id",
    "scope",
    "act",
    "organization_id",
];

/// The metadata of the issuer; the same document under both well-known names.
pub async fn show_metadata(State(app): State<App>) -> Json<Value> {
    let issuer = app.issuer.name();
    let assertions: Vec<&str> = client_keys::Algorithm::ALL.into_iter().map(client_keys::Algorithm::name).collect();
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/auth"),
        "pushed_authorization_request_endpoint": format!("{issuer}/request"),
        "device_authorization_endpoint": format!("{issuer}/device/auth"),
        "end_session_endpoint": format!("{issuer}/session/end"),
        "backchannel_logout_supported": true,
        "backchannel_logout_session_supported": true,
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
        "userinfo_endpoint": format!("{issuer}/me"),
        "introspection_endpoint": format!("{issuer}/token/introspection"),
        "revocation_endpoint": format!("{issuer}/token/revocation"),
        "grant_types_supported": GrantType::SERVED,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "fragment", "form_post"],
        "code_challenge_methods_supported": ["S256"],
        "prompt_values_supported": ["none", "login", "consent", "select_account", "create"],
        "authorization_response_iss_parameter_supported": true,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
        "claims_parameter_supported": false,
        "claim_types_supported": ["normal"],
        "ui_locales_supported": texts::languages().collect::<Vec<_>>(),
        "acr_values_supported": acr::supported().collect::<Vec<_>>(),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": Algorithm::ALL,
        "token_endpoint_auth_methods_supported": AuthMethod::ALL,
        "token_endpoint_auth_signing_alg_values_supported": assertions,
        "introspection_endpoint_auth_methods_supported": AuthMethod::CONFIDENTIAL,
        "introspection_endpoint_auth_signing_alg_values_supported": assertions,
        "revocation_endpoint_auth_methods_supported": AuthMethod::ALL,
        "revocation_endpoint_auth_signing_alg_values_supported": assertions,
        "scopes_supported": user_scope::ALL.into_iter().chain([user_scope::GROUPS]).collect::<Vec<_>>(),
        "claims_supported": claims(),
    }))
}

/// The claims of access tokens and of ID tokens, and those of users.
fn claims() -> Vec<&'static str> {
    OF_TOKENS.into_iter().chain(user_claims::CLAIMS).collect()
}

/// The public signing keys (RFC 7517). They are cached no longer than the next key is announced ahead.
pub async fn show_keys(State(app): State<App>) -> Result<Response, OAuthError> {
    let now = app.clock.now_ms();
    let mut tx = app.db.read().await?;
    let snapshot = app.authorizations.current(&mut tx, now).await?;
    let lifetime = app.config.tokens.key_publish_delay.min(PUBLIC_DOCUMENT_LIFETIME);
    let headers = [(header::CACHE_CONTROL, format!("public, max-age={}", lifetime.as_secs()))];
    Ok((headers, Json(snapshot.keys.jwks(now))).into_response())
}
