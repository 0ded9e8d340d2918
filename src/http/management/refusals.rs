//! Refusals that many operations share, for their OpenAPI descriptions.

use crate::http::error::ApiErrorBody;
use utoipa::IntoResponses;

/// Of every operation.
#[derive(IntoResponses)]
pub enum Refused {
    /// No valid access token.
    #[response(status = 401)]
    Unauthorized(ApiErrorBody),
    /// Without the scope that the operation needs.
    #[response(status = 403)]
    Forbidden(ApiErrorBody),
}

/// Of operations that read a body, beside [`Refused`].
#[derive(IntoResponses)]
pub enum BodyRefused {
    /// The body is not what the operation takes.
    #[response(status = 400)]
    Invalid(ApiErrorBody),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(ApiErrorBody),
}
