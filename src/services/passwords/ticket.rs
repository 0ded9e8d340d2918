//! Permission to hash a password. Hashing is the most expensive operation that a visitor without an account can cause,
//! so nothing is hashed without a ticket, and each way to get one is rate limited.

use super::queue::{Client, Lane};
use claimsmith_domain::token_bucket::Rate;
use std::net::IpAddr;

/// New passwords from one address. Far fewer are chosen than are entered.
pub(super) const NEW_PASSWORDS: Rate = Rate::new(2, 100);

/// Permission to hash a password.
#[derive(Debug)]
pub struct HashTicket {
    lane: Lane,
    client: Client,
}

impl HashTicket {
    /// For a password that authenticates its user. Only for attempts that count in the limits of guessing, and for
    /// clients of the Management API.
    #[must_use]
    pub const fn of_attempt(client: Option<IpAddr>) -> Self {
        Self { lane: Lane::Verification, client }
    }

    /// For a password that a client of the Management API sets. At most half of the queue are of one client, and none
    /// replaces a verification.
    #[must_use]
    pub const fn of_management(client: Option<IpAddr>) -> Self {
        Self::of_new(client)
    }

    /// For the new password of an admitted user.
    pub(super) const fn of_new(client: Option<IpAddr>) -> Self {
        Self { lane: Lane::NewPassword, client }
    }

    /// Its place in the queue.
    pub(super) const fn place(&self) -> (Lane, Client) {
        (self.lane, self.client)
    }
}
