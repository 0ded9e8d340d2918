//! The query of a Management request, checked before anything is opened; its errors say what is wrong with it.

use crate::http::error::ApiError;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// A query of type `T`; unknown names are ignored.
pub struct QueryOf<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let text = parts.uri.query().unwrap_or_default();
        // PostgreSQL has no NUL in a text, so neither database is asked for one.
        if form_urlencoded::parse(text.as_bytes()).any(|(_, value)| value.contains('\0')) {
            return Err(ApiError::invalid_input("query", "Error in the query: NUL characters are not accepted"));
        }
        let read = Query::<T>::try_from_uri(&parts.uri);
        read.map(|Query(query)| Self(query)).map_err(|error| ApiError::invalid_input("query", error.body_text()))
    }
}

/// The time between two ends, of which each may be left out; refused when it ends before it begins.
pub fn check_window(start: Option<i64>, end: Option<i64>) -> Result<(), ApiError> {
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        let status = axum::http::StatusCode::BAD_REQUEST;
        return Err(ApiError::new(status, "log.invalid_time_window", "The time window ends before it begins."));
    }
    Ok(())
}
