//! The parameters of a sign-in at an upstream, and those of its callback.

/// Parameters from the page that begins the sign-in.
pub struct SignInParameters<'p> {
    /// The connector.
    pub connector_id: &'p str,
    /// A secret of the page, by which it recognizes the callback.
    pub state: &'p str,
    /// The redirect URI.
    pub redirect_uri: &'p str,
    /// The login hint.
    pub hint: Option<&'p str>,
    /// Scopes of the upstream beside those of the connector, separated by spaces.
    pub scope: Option<&'p str>,
}

/// The query parameters of the callback.
pub struct Callback {
    /// The state of the request.
    pub state: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// The error, if there is no code.
    pub error: Option<String>,
    /// The issuer of the response (RFC 9207).
    pub issuer: Option<String>,
}
