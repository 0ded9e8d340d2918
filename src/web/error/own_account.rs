//! Maps refusals of changes of one's own account to errors of the API.

use super::ApiError;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;

impl From<OwnAccountRefusal> for ApiError {
    fn from(refusal: OwnAccountRefusal) -> Self {
        match refusal {
            OwnAccountRefusal::Common(common) => common.into(),
            other => Self::new(other.code(), other.message()),
        }
    }
}
