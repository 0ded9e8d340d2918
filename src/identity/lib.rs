//! The decisions over users and their sign-in, without HTTP: accounts, interactions, one's own account, logouts of
//! applications, the first start, and what is deleted when it has expired.

pub mod accounts;
pub mod backchannel_logout;
pub mod bootstrap;
pub mod heartbeat;
pub mod interaction;
pub mod own_account;
pub mod rekey;
pub mod retention;
