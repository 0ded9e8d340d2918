//! One-time tokens: emailed links that sign a user in, let a user register, or reset a forgotten password, once. Their
//! status, the interactions that they are valid for, and reasons for refusal.

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

    /// Whether it is valid for this event. A token without an event resets no password: its recipient was to sign in
    /// once, and a new password would last (`docs/decisions/stricter-than-the-reference-api.md`).
    #[must_use]
    pub fn is_for(&self, event: InteractionEvent) -> bool {
        match self.interaction_event {
            None => event != InteractionEvent::ForgotPassword,
            Some(TokenEvent::SignIn) => event == InteractionEvent::SignIn,
            Some(TokenEvent::Register) => event == InteractionEvent::Register,
            Some(TokenEvent::ForgotPassword) => event == InteractionEvent::ForgotPassword,
        }
    }

    /// Whether it names organizations to join that it cannot add anybody to.
    #[must_use]
    pub fn joins_in_vain(&self) -> bool {
        let is_reset = self.interaction_event == Some(TokenEvent::ForgotPassword);
        is_reset && self.jit_organization_ids.as_ref().is_some_and(|ids| !ids.is_empty())
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
            (Status::Active, 9, Status::Active),
            (Status::Active, 10, Status::Expired),
            (Status::Consumed, 99, Status::Consumed),
            (Status::Revoked, 0, Status::Revoked),
        ] {
            assert_eq!(stored.at(now, 10), status, "{stored:?} {now}");
        }
        let context = |interaction_event| Context { interaction_event, ..Context::default() };
        for (wanted, fits) in [
            (None, [true, true, false]),
            (Some(TokenEvent::SignIn), [true, false, false]),
            (Some(TokenEvent::Register), [false, true, false]),
            (Some(TokenEvent::ForgotPassword), [false, false, true]),
        ] {
            assert_eq!(
                [SignIn, Register, ForgotPassword].map(|event| context(wanted).is_for(event)),
                fits,
                "{wanted:?}"
            );
        }
    }
}
