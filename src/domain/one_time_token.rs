//! One-time tokens: emailed links that sign a user in, or let a user register, once. Their status, the interactions
//! that they are valid for, and reasons for refusal.

use super::id::OrganizationId;
use super::interaction_event::InteractionEvent;
use crate::api_code::ApiCode;
use crate::documents::one_time_token::{Context, Status, TokenEvent};

impl Status {
    /// The status at `now` of a token with this stored status.
    #[must_use]
    pub fn at(self, now: i64, expires_at: i64) -> Self {
        if self == Self::Active && expires_at <= now { Self::Expired } else { self }
    }
}

impl Context {
    /// The organizations that the user joins.
    #[must_use]
    pub fn organization_ids(&self) -> Vec<OrganizationId> {
        let ids = self.jit_organization_ids.iter().flat_map(|list| list.iter());
        ids.map(|id| id.as_str().into()).collect()
    }

    /// Whether it is valid for this event.
    #[must_use]
    pub fn is_for(&self, event: InteractionEvent) -> bool {
        match (self.interaction_event, event) {
            (_, InteractionEvent::ForgotPassword) => false,
            (None, _) => true,
            (Some(wanted), event) => (wanted == TokenEvent::SignIn) == (event == InteractionEvent::SignIn),
        }
    }
}

/// The reason that a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRefusal {
    /// There is no such token.
    NotFound,
    /// It was created for another email address.
    OtherEmail,
    /// It has expired.
    Expired,
    /// It was already used.
    Consumed,
    /// It was revoked.
    Revoked,
    /// It is for another interaction event.
    OtherEvent,
}

impl TokenRefusal {
    /// The error code.
    #[must_use]
    pub fn code(self) -> ApiCode {
        match self {
            Self::NotFound => ApiCode::OneTimeTokenTokenNotFound,
            Self::OtherEmail => ApiCode::OneTimeTokenEmailMismatch,
            Self::Expired => ApiCode::OneTimeTokenTokenExpired,
            Self::Consumed => ApiCode::OneTimeTokenTokenConsumed,
            Self::Revoked => ApiCode::OneTimeTokenTokenRevoked,
            Self::OtherEvent => ApiCode::OneTimeTokenInteractionEventMismatch,
        }
    }

    /// The error message, for developers of clients.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::NotFound => "There is no such token.",
            Self::OtherEmail => "The token was made for another address.",
            Self::Expired => "The token has expired.",
            Self::Consumed => "The token was used before.",
            Self::Revoked => "The token was taken back.",
            Self::OtherEvent => "The token is for something else.",
        }
    }

    /// The reason that a token with this status cannot be used; `None` if it can.
    #[must_use]
    pub fn of(status: Status) -> Option<Self> {
        match status {
            Status::Active => None,
            Status::Consumed => Some(Self::Consumed),
            Status::Revoked => Some(Self::Revoked),
            Status::Expired => Some(Self::Expired),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_over_by_its_time_and_is_for_what_it_says() {
        use InteractionEvent::{ForgotPassword, Register, SignIn};
        for (stored, now, status) in [
            ("active", 9, Status::Active),
            ("active", 10, Status::Expired),
            ("consumed", 99, Status::Consumed),
            ("revoked", 0, Status::Revoked),
            ("unknown", 0, Status::Revoked),
        ] {
            assert_eq!(Status::at(now, stored, 10), status, "{stored} {now}");
        }
        let context = |interaction_event| Context { interaction_event, ..Context::default() };
        for (wanted, fits) in [
            (None, [true, true, false]),
            (Some(TokenEvent::SignIn), [true, false, false]),
            (Some(TokenEvent::Register), [false, true, false]),
        ] {
            assert_eq!(
                [SignIn, Register, ForgotPassword].map(|event| context(wanted).is_for(event)),
                fits,
                "{wanted:?}"
            );
        }
    }
}
