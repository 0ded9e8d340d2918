//! Maps refusals of grants to errors of the OIDC endpoints.

use super::OAuthError;
use axum::http::StatusCode;
use claimsmith_identity::grants::{GrantErrorCode, GrantRefusal};

impl From<GrantRefusal> for OAuthError {
    fn from(refusal: GrantRefusal) -> Self {
        match refusal {
            GrantRefusal::Denied { code, description, detail } => {
                let status = if code.is_forbidden() { StatusCode::FORBIDDEN } else { StatusCode::BAD_REQUEST };
                let mut error = Self::new(status, code.text(), description);
                error.detail = detail;
                error
            }
            GrantRefusal::Plugin { message, by } => {
                let mut error = match message {
                    Some(message) => Self::new(StatusCode::BAD_REQUEST, GrantErrorCode::AccessDenied.text(), message),
                    None => Self::server_error(),
                };
                error.refused_by = Some(by);
                error
            }
            GrantRefusal::Broken => Self::server_error(),
            GrantRefusal::Unavailable => Self::temporarily_unavailable(),
            GrantRefusal::Failed(error) => Self::failed(&*error),
        }
    }
}
