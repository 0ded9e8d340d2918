//! Maps refusals of steps to errors of the API.

use super::ApiError;
use claimsmith_identity::interaction::refusal::InteractionRefusal;

/// After how many seconds a client may try again.
#[must_use]
pub fn seconds(wait_ms: i64) -> u16 {
    u16::try_from(wait_ms.max(0).unsigned_abs().div_ceil(1000)).unwrap_or(u16::MAX)
}

impl From<InteractionRefusal> for ApiError {
    fn from(refusal: InteractionRefusal) -> Self {
        let code = refusal.code();
        match &refusal {
            InteractionRefusal::Failed(error) => Self::failed(&**error),
            InteractionRefusal::PasswordsBusy => Self::unavailable(code, refusal.message(), 1),
            InteractionRefusal::TooMany(wait_ms) => Self::unavailable(code, refusal.message(), seconds(*wait_ms)),
            other => {
                let error = Self::new(code, other.message());
                match other.data() {
                    Some(data) => error.with_data(data),
                    None => error,
                }
            }
        }
    }
}
