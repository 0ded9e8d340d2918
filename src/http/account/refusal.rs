//! Maps refusals of changes of one's own account to errors of the API.

use crate::http::error::ApiError;
use crate::own_account::refusal::Refusal;
use axum::http::StatusCode;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let (status, code) = refusal.status_and_code();
        match refusal {
            Refusal::Common(common) => common.into(),
            other => Self::new(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST), code, other.message()),
        }
    }
}
