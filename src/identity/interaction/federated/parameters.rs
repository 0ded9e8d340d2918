//! The parameters of a sign-in at an upstream, and those of its callback.

/// What a page says of the sign-in that it begins.
pub struct SignInParameters<'p> {
    /// The connector.
    pub connector_id: &'p str,
    /// A secret of the page, by which it knows the answer.
    pub state: &'p str,
    /// Where the answer comes to.
    pub redirect_uri: &'p str,
    /// What the person says that they are called.
    pub hint: Option<&'p str>,
}

/// What the browser brought: the query of the address that it came back to.
pub struct Callback {
    /// The state of the request.
    pub state: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// Why there is none.
    pub error: Option<String>,
    /// Who answers (RFC 9207).
    pub issuer: Option<String>,
}
