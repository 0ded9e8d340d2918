//! What every database holds for people who administer: the resource of the console, and the two applications that get
//! tokens for it. They are told by their ids, which nothing else can have.

/// The id of the console's resource.
pub const RESOURCE_ID: &str = "claimsmith-console";

/// How long tokens for the console's resource live, in seconds: an hour, as other access tokens do. Rights that are
/// taken away end at once all the same, because every request asks for them anew.
pub const ACCESS_TOKEN_TTL: i64 = 3600;

/// An application of the server's own.
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

    /// What people see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Console => "Claimsmith console",
            Self::CommandLine => "Claimsmith command line",
        }
    }

    /// The application of that id.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|client| client.id() == id)
    }
}

/// Whether an application is one of the server's own.
#[must_use]
pub fn is_client(id: &str) -> bool {
    BuiltInClient::parse(id).is_some()
}

/// The indicator of the console's resource.
#[must_use]
pub fn resource(base_url: &str) -> String {
    format!("{base_url}/console")
}

/// Whether an application may ask for tokens for a resource: those for the console's are for the server's own
/// applications.
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
