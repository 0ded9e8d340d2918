//! Answers of other servers that sign nobody in.

use crate::federation::Failure;

/// The status of an answer that another server spoiled, and the code.
pub(super) fn status_and_code(failure: &Failure) -> (u16, &'static str) {
    match failure {
        Failure::Unreachable(_) | Failure::Slow | Failure::FailedBefore | Failure::Status(_) => {
            (502, "connector.general")
        }
        Failure::Malformed(_) => (502, "connector.invalid_response"),
        Failure::Configuration(_) => (400, "connector.invalid_config"),
        Failure::Issuer | Failure::Profile(_) | Failure::NoId => (401, "connector.authorization_failed"),
        Failure::Code(_) => (401, "connector.social_auth_code_invalid"),
        Failure::IdToken(_) => (401, "connector.social_invalid_id_token"),
    }
}
