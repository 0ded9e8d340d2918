//! The endpoints that the application calls, from within the server.

use super::guest::DemoGuest;
use crate::http::own_client::{self, TokenResponse};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::IntoResponse;
use claimsmith_oidc::{revocation, userinfo};
use serde_json::{Map, Value};

/// Calls the token endpoint; the error is its error response.
pub(super) async fn token(guest: &DemoGuest, parameters: &[(&str, &str)]) -> Result<TokenResponse, String> {
    own_client::ask_for_tokens(&guest.app, &guest.origin, &guest.demo.client_id, parameters).await
}

/// Calls the userinfo endpoint.
pub(super) async fn user_info(guest: &DemoGuest, access_token: &str) -> Result<Map<String, Value>, String> {
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::try_from(format!("Bearer {access_token}")) {
        headers.insert(header::AUTHORIZATION, value);
    }
    let answer = Box::pin(userinfo::show_user(State(guest.app.clone()), Method::GET, headers, Body::empty())).await;
    own_client::read(answer.into_response()).await
}

/// Revokes a refresh token. A used one needs no revocation.
pub(super) async fn revoke(guest: &DemoGuest, refresh_token: &str) {
    let (headers, body) = own_client::form(&guest.demo.client_id, &[("token", refresh_token)]);
    let app = State(guest.app.clone());
    if let Err(error) = revocation::revoke_token(app, Extension(guest.origin.clone()), headers, body).await {
        tracing::warn!(error = error.error, "the demo application could not revoke a refresh token");
    }
}
