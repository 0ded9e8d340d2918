//! Leave to hash a password. Hashing is the most expensive thing that somebody without an account can have done here, so
//! nothing is hashed without a ticket, and each way to get one is behind a limit.

use super::queue::{Client, Lane};
use claimsmith_domain::token_bucket::Rate;
use std::net::IpAddr;

/// New passwords of people at one address. Far fewer are chosen than are entered.
pub(super) const NEW_PASSWORDS: Rate = Rate::new(2, 100);

/// Leave to hash a password.
#[derive(Debug)]
pub struct HashTicket {
    lane: Lane,
    client: Client,
}

impl HashTicket {
    /// For a password that somebody proves who they are by. Only for attempts that count in the limits of guessing, and for
    /// clients of the Management API.
    #[must_use]
    pub const fn of_attempt(client: Option<IpAddr>) -> Self {
        Self { lane: Lane::Verification, client }
    }

    /// For a password that a client of the Management API sets. No more of them than half of the queue are of one client,
    /// and none takes the place of a verification.
    #[must_use]
    pub const fn of_management(client: Option<IpAddr>) -> Self {
        Self::of_new(client)
    }

    /// For the new password of a person who was admitted.
    pub(super) const fn of_new(client: Option<IpAddr>) -> Self {
        Self { lane: Lane::NewPassword, client }
    }

    /// Where it waits.
    pub(super) const fn place(&self) -> (Lane, Client) {
        (self.lane, self.client)
    }
}
