//! Built-in rows of every database for administrators: the resource of the console, and the two applications that get
//! tokens for it. They are identified by their reserved ids.

/// The id of the console's resource.
pub const RESOURCE_ID: &str = "claimsmith-console";

/// Lifetime of tokens for the console's resource in seconds: an hour, as for other access tokens. Revoked roles take
/// effect at once all the same, because every request checks them.
pub const ACCESS_TOKEN_TTL: i64 = 3600;

/// A built-in application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltInClient {
    /// The console, in a browser.
    Console,
    /// `claimsmith login`.
    CommandLine,
}

impl BuiltInClient {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Console, Self::CommandLine];

    /// Its `client_id`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Console => "claimsmith-console",
            Self::CommandLine => "claimsmith-cli",
        }
    }

    /// The display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Console => "Claimsmith console",
            Self::CommandLine => "Claimsmith command line",
        }
    }

    /// The application with this id.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.id() == id)
    }
}

/// Whether an application is built in.
#[must_use]
pub fn is_client(id: &str) -> bool {
    BuiltInClient::parse(id).is_some()
}

/// The indicator of the console's resource.
#[must_use]
pub fn resource(base_url: &str) -> String {
    format!("{base_url}/console")
}

/// Whether an application may request tokens for a resource: only built-in applications may for the console's.
#[must_use]
pub fn may_ask_for(client_id: &str, resource_id: &str) -> bool {
    resource_id != RESOURCE_ID || is_client(client_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_consoles_resource_is_for_its_own_applications() {
        for (client_id, resource_id, may) in [
            ("claimsmith-console", RESOURCE_ID, true),
            ("claimsmith-cli", RESOURCE_ID, true),
            ("claimsmith-cli2", RESOURCE_ID, false),
            ("b5n8q1w4z7k0x3c6t9r2m", RESOURCE_ID, false),
            ("b5n8q1w4z7k0x3c6t9r2m", "orders", true),
        ] {
            assert_eq!(may_ask_for(client_id, resource_id), may, "{client_id} {resource_id}");
        }
    }
}
