//! Decisions about users and their sign-in, without HTTP: the callers of the Management API and their rights, accounts,
//! grants of tokens, interactions, self-service, back-channel logout, the first start, and deletion of expired data.

pub mod access;
pub mod accounts;
pub mod application_access;
pub mod backchannel_logout;
pub mod bootstrap;
pub mod failures;
pub mod grants;
pub mod heartbeat;
mod held_rights;
pub mod interaction;
pub mod own_account;
pub mod population_runs;
pub mod rekey;
pub mod retention;
pub mod rollouts;
