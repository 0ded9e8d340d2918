//! Authorization requests (RFC 6749 section 4.1, OpenID Connect Core section 3.1.2): what applications request, and the
//! steps before it is granted.

pub mod acr;
pub mod next_step;
pub mod pkce;
pub mod redirect_uri;
pub mod request;
pub mod screen;
