//! The variables of the command line as a client of a running server. They are no keys of a server's configuration, and
//! no mistake in its environment either: one shell may hold both.

/// The URL of the server.
pub const SERVER: &str = "CLAIMSMITH_SERVER";
/// An access token for its Management API.
pub const TOKEN: &str = "CLAIMSMITH_TOKEN";
/// A machine-to-machine application that may get one.
pub const CLIENT_ID: &str = "CLAIMSMITH_CLIENT_ID";
/// Its secret.
pub const CLIENT_SECRET: &str = "CLAIMSMITH_CLIENT_SECRET";
/// The resource indicator of the Management API.
pub const RESOURCE: &str = "CLAIMSMITH_RESOURCE";
/// Where tests of plugin authors find the command.
const BIN: &str = "CLAIMSMITH_BIN";

/// All of them.
pub(super) const VARIABLES: &[&str] = &[SERVER, TOKEN, CLIENT_ID, CLIENT_SECRET, RESOURCE, BIN];
