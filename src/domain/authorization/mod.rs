//! Authorization requests (RFC 6749 section 4.1, OpenID Connect Core section 3.1.2): what applications ask for, and what
//! has to be done before they get it.

pub mod acr;
pub mod next_step;
pub mod pkce;
pub mod redirect_uri;
pub mod request;
pub mod screen;
