//! Maps refusals of changes of one's own account to errors of the API.

use super::ApiError;
use axum::http::StatusCode;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;

impl From<OwnAccountRefusal> for ApiError {
    fn from(refusal: OwnAccountRefusal) -> Self {
        let (status, code) = refusal.status_and_code();
        match refusal {
            OwnAccountRefusal::Common(common) => common.into(),
            other => Self::new(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST), code, other.message()),
        }
    }
}
