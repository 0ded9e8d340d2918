//! The environment variables of remote commands (`sdk/cli`). They are not configuration keys of a server, and not an
//! error in its environment either, since one shell may have both.

/// All of them; the last is where tests of plugin authors find the command.
pub const VARIABLES: &[&str] = &[
    "CLAIMSMITH_SERVER",
    "CLAIMSMITH_TOKEN",
    "CLAIMSMITH_CLIENT_ID",
    "CLAIMSMITH_CLIENT_SECRET",
    "CLAIMSMITH_RESOURCE",
    "CLAIMSMITH_BIN",
];
