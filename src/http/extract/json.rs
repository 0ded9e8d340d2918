//! The JSON body of a Management request, read and checked before anything is opened; its errors name the field.

use super::body;
use crate::app::App;
use crate::http::error::ApiError;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;

/// The most bytes of a Management request's body, and of what may stand beside a plugin's source in one.
const LIMIT: usize = 1024 * 1024;

/// A body of type `T`. A missing body counts as `{}`; unknown keys are ignored.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        read(request, LIMIT).await.map(Self)
    }
}

/// The same for a body that holds a plugin's source, which may be as large as an upload.
pub struct SourceBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for SourceBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        // Base64, or a text of which every character has to be escaped by another one.
        let source = app.config.plugins.max_source.saturating_mul(2);
        read(request, source.saturating_add(LIMIT)).await.map(Self)
    }
}

async fn read<T: DeserializeOwned>(request: Request, limit: usize) -> Result<T, ApiError> {
    let bytes = body::read(request.into_body(), limit).await.ok_or_else(|| {
        let message = format!("The request body must not be larger than {limit} bytes.");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "request.body_too_large", message)
    })?;
    let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
    // Syntax first: a text that is not JSON has no field to name.
    let value: serde_json::Value = serde_json::from_slice(text)
        .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, "request.invalid_json", error.to_string()))?;
    if !value.is_object() {
        // serde would take an array for the fields in their order.
        return Err(ApiError::invalid_input("body", "Error in the body: expected an object"));
    }
    if has_nul(&value) {
        return Err(ApiError::invalid_input("body", "Error in a text: NUL characters are not accepted"));
    }
    serde_path_to_error::deserialize(value).map_err(|error| {
        let details = format!("Error in key path \"{}\": {}", error.path(), error.inner());
        ApiError::invalid_input("body", details)
    })
}

/// PostgreSQL cannot store NUL in a text, so neither database is asked to.
fn has_nul(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => text.contains('\0'),
        serde_json::Value::Array(items) => items.iter().any(has_nul),
        serde_json::Value::Object(members) => members.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}
