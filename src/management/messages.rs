//! Refused messages, as errors of the Management API.

use claimsmith_services::messages::MessageRefusal;
use claimsmith_web::error::ApiError;

/// The error for a refused message.
pub(super) fn refused(refusal: MessageRefusal) -> ApiError {
    let (code, message) = (refusal.code(), refusal.message());
    match refusal {
        MessageRefusal::Failed(error) => ApiError::failed(&*error),
        _ => ApiError::new(code, message),
    }
}
