//! Query parameters of lists beside pages and search; an invalid one is 400.

use crate::error::ApiError;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use claimsmith_domain::api_code::ApiCode;
use serde::de::DeserializeOwned;

/// The query as `T`. Unknown names are ignored.
pub struct Filters<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Filters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(ApiError::invalid_input("query", "Error in the query: NUL characters are not accepted"));
        }
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(filters)| Self(filters)).map_err(|error| ApiError::invalid_input("query", error.body_text()))
    }
}

/// Refuses a time between two ends, of which each may be left out, that ends before it begins.
pub fn check_window(start: Option<i64>, end: Option<i64>) -> Result<(), ApiError> {
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        let message = "The time window ends before it begins.";
        return Err(ApiError::new(ApiCode::LogInvalidTimeWindow, message));
    }
    Ok(())
}
