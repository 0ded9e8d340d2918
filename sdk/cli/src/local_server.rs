//! The server of this machine, which commands connect to when no server is named.

/// What is known of a server whose data folder can be read.
pub struct LocalServer {
    /// The address under which clients know it.
    pub base_url: String,
    /// The address that it took when it last started.
    pub listen: String,
    /// The application with access to its Management API.
    pub management: Option<ManagementApplication>,
}

/// A machine-to-machine application that holds all of the Management API.
pub struct ManagementApplication {
    /// The resource indicator of the Management API.
    pub resource: String,
    /// The application.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
}

/// Looks for the server of this machine, or says why there is none: the end of a sentence that asks for one.
pub type FindLocal<'a> = &'a dyn Fn() -> Result<LocalServer, &'static str>;
