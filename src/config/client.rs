//! The variables of the command line as a client of a running server (`sdk/cli`). They are no keys of a server's
//! configuration, and no mistake in its environment either: one shell may hold both.

/// All of them; the last is where tests of plugin authors find the command.
pub const VARIABLES: &[&str] = &[
    "CLAIMSMITH_SERVER",
    "CLAIMSMITH_TOKEN",
    "CLAIMSMITH_CLIENT_ID",
    "CLAIMSMITH_CLIENT_SECRET",
    "CLAIMSMITH_RESOURCE",
    "CLAIMSMITH_BIN",
];
