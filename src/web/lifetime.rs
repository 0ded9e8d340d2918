//! How long a public document stays fresh.

use std::time::Duration;

/// For how long a client may keep a document that says nothing itself: a change of the settings is seen soon.
pub const LIFETIME: Duration = Duration::from_secs(60);
