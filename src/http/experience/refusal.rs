//! Maps refusals of steps to errors of the API.

use crate::http::error::ApiError;
use crate::interaction::refusal::Refusal;
use axum::http::StatusCode;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let (status, code) = refusal.status_and_code();
        match &refusal {
            Refusal::Failed(error) => Self::failed(&**error),
            Refusal::PasswordsBusy => Self::unavailable(code, refusal.message(), 1),
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
