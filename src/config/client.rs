//! The environment variables of remote commands (`sdk/cli`). They are not configuration keys of the server, but they
//! are allowed in its environment, since one shell may set both.

/// All variables; the last one tells the tests of plugin authors where the command is.
pub const VARIABLES: &[&str] = &[
    "CLAIMSMITH_SERVER",
    "CLAIMSMITH_TOKEN",
    "CLAIMSMITH_CLIENT_ID",
    "CLAIMSMITH_CLIENT_SECRET",
    "CLAIMSMITH_RESOURCE",
    "CLAIMSMITH_BIN",
];
