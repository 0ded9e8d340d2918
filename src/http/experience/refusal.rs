//! Maps refusals of steps to errors of the API.

use crate::http::error::ApiError;
use crate::interaction::refusal::InteractionRefusal;
use axum::http::StatusCode;

impl From<InteractionRefusal> for ApiError {
    fn from(refusal: InteractionRefusal) -> Self {
        let (status, code) = refusal.status_and_code();
        match &refusal {
            InteractionRefusal::Failed(error) => Self::failed(&**error),
            InteractionRefusal::PasswordsBusy => Self::unavailable(code, refusal.message(), 1),
            other => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
                let error = Self::new(status, code, other.message());
                match other.data() {
                    Some(data) => error.with_data(data),
                    None => error,
                }
            }
        }
    }
}
