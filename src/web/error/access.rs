//! Maps refusals of callers to errors of the Management API.

use super::ApiError;
use claimsmith_identity::access::AccessRefusal;

impl From<AccessRefusal> for ApiError {
    fn from(refusal: AccessRefusal) -> Self {
        match refusal {
            AccessRefusal::Denied(code, message) => Self::new(code, message),
            AccessRefusal::Account(refusal) => refusal.into(),
            AccessRefusal::Failed(error) => Self::failed(&*error),
        }
    }
}
