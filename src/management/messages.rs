//! Refused messages, as errors of the Management API.

use axum::http::StatusCode;
use claimsmith_services::messages::MessageRefusal;
use claimsmith_web::error::ApiError;

/// The error for a refused message.
pub(super) fn refused(refusal: MessageRefusal) -> ApiError {
    let (status, code) = refusal.status_and_code();
    let message = refusal.message();
    match refusal {
        MessageRefusal::Failed(error) => ApiError::failed(&*error),
        _ => ApiError::new(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST), code, message),
    }
}
